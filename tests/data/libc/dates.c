// Dates to text and back: all conversions with flags, widths and modifiers, as sums; text that is read in any order. With EVERY in
// the environment more widths and dates.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static unsigned long sum = 1;

static void mix(unsigned long value) { sum = (sum ^ value) * 1099511628211ul; }
static void mix_text(const char *s) {
  while (*s) mix(*s++);
}

static const struct tm dates[] = {
    {.tm_year = 100, .tm_mday = 1, .tm_wday = 6, .tm_zone = "UTC"},
    {59, 59, 23, 31, 11, 99, 5, 364, 0, 3600, "CET"},
    {60, 5, 13, 9, 5, -1900, 0, 159, 1, -12345, "XYZ"},
    {7, 7, 12, 28, 1, -2000, 3, 58, 0, -60, ""},
    {9, 9, 9, 4, 6, 8100, 2, 185, -1, 0, 0},
    {59, 59, 23, 31, 11, INT_MAX, 6, 365, 0, 0, "Q"},
    {0, 0, 0, 1, 0, INT_MIN, 0, 0, 0, 0, "Q"},
    {61, 60, 24, 32, 11, 123, 6, 366, 0, 19800, "IST"},
    {-1, -1, -1, -1, 0, -1, 0, -1, 2, 0, 0},
    {0, 0, 0, 29, 11, 108, 1, 363, 0, 86399, "A"},
};
enum { DATES = sizeof dates / sizeof *dates };

static void written(int is_all) {
  static const char *const flags[] = {"", "-", "_", "0", "^", "#", "^#-"}, *const modifiers[] = {"", "E", "O"};
  static const char letters[] = "%aAbBcCdDeFgGhHIjklmMnpPrRsStTuUvVwWxXyYzZqQ+:fiJKLN";
  for (const char *letter = letters; *letter; letter++) {
    for (int i = 0; i < (is_all ? DATES : 4); i++)
      for (int f = 0; f < 7; f++)
        for (int width = -1; width < 13; width += is_all ? 1 : 4)
          for (int m = 0; m < 3; m++) {
            char format[20], number[12] = "", text[200];
            wchar_t wide_format[20], wide[200] = {0};
            if (width >= 0) sprintf(number, "%d", width);
            sprintf(format, "<%%%s%s%s%c>", flags[f], number, modifiers[m], *letter);
            memset(text, 0, sizeof text);
            mix(strftime(text, sizeof text, format, &dates[i])), mix_text(text);
            for (int k = 0; k < 20; k++) wide_format[k] = format[k];
            mix(wcsftime(wide, 200, wide_format, &dates[i])), mix(wide[1]), mix(wide[5]);
          }
    printf("%c %lx\n", *letter, sum);
  }
  static const char *const formats[] = {"%c", "%a%b", "%10c", "%Y-%m-%d", "%%", "x%", "%", "%^a%Z%z", "%5n", "%_10j", "%+Y", "%F %T"};
  for (int i = 0; i < 12; i++) {
    for (int room = 0; room < 30; room++) {
      char text[40];
      size_t length = strftime(text, room, formats[i], &dates[1]);
      mix(length), mix_text(length ? text : "none");
    }
    printf("%s %lx\n", formats[i], sum);
  }
  for (int i = 0; i < DATES; i++) {
    char text[80], *date = asctime(&dates[i]);
    printf("%s", date ? date : "none\n");
    errno = 0, date = asctime_r(&dates[i], text);
    printf("%s", date ? date : errno == EOVERFLOW ? "too long\n" : "none\n");
  }
}

static void read_one(const char *format, const char *text) {
  for (int filled = 0; filled < 2; filled++) {
    struct tm tm = {0};
    if (filled) tm = (struct tm){-7, -7, -7, -7, 5, 71, -7, -7, -7, 77, 0};
    const char *end = strptime(text, format, &tm);
    mix(end ? end - text : 99), mix(tm.tm_sec), mix(tm.tm_min), mix(tm.tm_hour), mix(tm.tm_mday), mix(tm.tm_mon), mix(tm.tm_year);
    mix(tm.tm_wday), mix(tm.tm_yday), mix(tm.tm_isdst), mix(tm.tm_gmtoff);
  }
}

static void read_back(int is_all) {
  static const char letters[] = "%aAbBcCdDeFgGhHIjklmMnpPrRsStTuUvVwWxXyYzZqQ+EO";
  static const char *const prefixes[] = {"%%%c", "%%E%c", "%%O%c", "%%_10%c", "%%^#0%c", "%%E%c%%E%c", "%%O%c%%O%c", "%%EC%%%c"};
  static const char *const texts[] = {"", "0", "1", "9", "13", "24", "31", "32", "53", "54", "60", "62", "69", "68", "99", "100", "366",
      "367", "1999", "12345", " 5", "\t 12x", "-3", "+5", "Sun", "sunday", "SunMon", "Sundaymon", "Satu", "Jan", "JANUARY", "janfeb", "Sept",
      "may", "AM", "pm", "12/31/99", "02/29/00", "2024-02-29", "99-1-1", "10:20", "10:20:30", "23:59:60", "10:20:30 PM",
      "Sun Jan  7 10:20:30 2024", "Mon Feb 30 1:2:3 1970", "+0100", "-05:30", "+05", "Z", "+1", "-0060", "CET x", "1700000000", "%", "2012"};
  static const char *const pairs[][2] = {{"%Y-%j", "2024-060"}, {"%Y %j", "2023 366"}, {"%C%y", "2099"}, {"%y%C", "9920"}, {"%C", "19"},
      {"%I %p", "12 AM"}, {"%p %I", "PM 3"}, {"%H %p", "3 PM"}, {"%I %H %p", "3 4 PM"}, {"%Y %U %a", "2024 10 Tue"},
      {"%Y %W %w", "2024 10 2"}, {"%U %w", "0 0"}, {"%Y %W %a %d", "2021 0 Mon 4"}, {"%Y%m%d", "20240229"}, {"%d.%m", "5.6"}, {"%m", "7"},
      {"%y %j", "70 1"}, {"%a %d %b", "Mon 5 Feb"}, {"%s %Y", "86400 2000"}, {"a b", "a  b"}, {" a", "a"}, {"a ", "a"}, {"%OH:%OM", "3:4"},
      {"%Ey", "5"}, {"%EY %Ey", "2000 5"}, {"%OS %a", "5 SunMon"}, {"%EC %A", "20 SundayMon"}, {"%D%T", "01/02/0304:05:06"},
      {"%G-W%V-%u", "2024-W10-3"}, {"%", "%"}, {"%C %Y", "20 1999"}, {"%C%Oy", "2068"}, {"%j %m", "100 2"}, {"%j %d", "100 2"},
      {"%y %U %a %m %d", "99 5 Tue 3 4"}, {"%y %U %a %j", "99 5 Tue 77"}, {"%y %U %A %d", "99 5 Tue 4"}};
  for (unsigned p = 0; p < 8; p++)
    for (const char *letter = letters; *letter; letter++) {
      char format[20];
      sprintf(format, prefixes[p], *letter, *letter);
      for (unsigned i = p % 3; i < sizeof texts / sizeof *texts; i += is_all ? 1 : 3) read_one(format, texts[i]);
      if (letter[1] == 0 || *letter == 'j') printf("%s %lx\n", format, sum);
    }
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    read_one(pairs[i][0], pairs[i][1]);
    printf("%s %lx\n", pairs[i][0], sum);
  }
}

int main(void) {
  setenv("TZ", "UTC", 1);
  time_t moment = 1000000000;
  printf("%s %s", gmtime(&moment)->tm_zone, ctime(&moment));
  for (int i = 0; i < 2; i++) {
    setlocale(LC_ALL, i ? "C.UTF-8" : "C");
    written(getenv("EVERY") != 0);
  }
  read_back(getenv("EVERY") != 0);
  return 0;
}
