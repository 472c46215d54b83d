// Times in zones: dates around each change of the clocks by quarter hours, there and back for each sign of tm_isdst, as sums; names
// and offsets of the zones. With EVERY in the environment all changes of a century.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long sum;
static int is_all;

static void mix(long value) { sum = (sum ^ value) * 1099511628211ul; }
static void mix_date(const struct tm *tm) {
  mix(tm->tm_year), mix(tm->tm_mon), mix(tm->tm_mday), mix(tm->tm_hour), mix(tm->tm_min), mix(tm->tm_sec), mix(tm->tm_wday);
  mix(tm->tm_yday), mix(tm->tm_isdst), mix(tm->tm_gmtoff);
}

/* Dates of the clock before and after a change. */
static void around(long change, long offset) {
  for (long away = -90000; away <= 90000; away += labs(away) < 4000 ? 900 : is_all ? 3600 : 12000)
    for (int is_dst = -1; is_dst < 2; is_dst++) {
      struct tm tm;
      long moment = change + away + offset;
      gmtime_r(&moment, &tm);
      tm.tm_isdst = is_dst;
      mix(mktime(&tm)), mix_date(&tm);
    }
}

static long offset_at(long moment) {
  struct tm tm;
  return localtime_r(&moment, &tm) ? tm.tm_gmtoff : 0;
}

static void zone(const char *name) {
  setenv("TZ", name, 1);
  tzset();
  printf("%s %ld %d %s %s\n", name, timezone, daylight, tzname[0], tzname[1]);
  long step = is_all ? 4 * 86400 : 60 * 86400, at = is_all ? -3784320000 : 1000000000, end = is_all ? 4200000000 : 1040000000;
  for (long before = offset_at(at); at < end; at += step) {
    long low = at, high = at + step, after = offset_at(high);
    if (after == before) continue;
    while (high - low > 1) {
      long middle = (low + high) / 2;
      if (offset_at(middle) == before) low = middle;
      else high = middle;
    }
    struct tm tm;
    localtime_r(&high, &tm);
    mix_date(&tm);
    around(high, before);
    printf("%ld %s %d %s %s %ld %d %lx\n", high, tm.tm_zone, tm.tm_isdst, tzname[0], tzname[1], timezone, daylight, sum);
    before = after;
  }
}

int main(void) {
  static const char *const zones[] = {"UTC", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Australia/Lord_Howe", "Asia/Kolkata",
      "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Europe/Dublin", "Asia/Tehran", "America/St_Johns", "Antarctica/Troll",
      "Asia/Pyongyang", "Pacific/Kiritimati", "America/Caracas", "Europe/Moscow", "Africa/Monrovia", "Asia/Gaza",
      "America/Indiana/Indianapolis", "Africa/Abidjan", "Africa/Algiers", ":Europe/Paris", "EST5EDT", "CET-1CEST,M3.5.0,M10.5.0/3", "<+03>-3", "ABC-2DEF,J60/0,J300/12:30",
      "EST5", "NZST-12NZDT,M9.5.0,M4.1.0/3", "A3", "foo", "Nowhere/Else", ""};
  static const struct tm odd[] = {{.tm_year = 100, .tm_mon = 13, .tm_mday = -5, .tm_hour = 30, .tm_min = -70, .tm_sec = 3600},
      {.tm_year = 124, .tm_mon = 1, .tm_mday = 30, .tm_hour = 25, .tm_min = 61, .tm_sec = 61}, {.tm_year = 8123, .tm_mon = 12}};
  is_all = getenv("EVERY") != 0;
  for (unsigned i = 0; i < sizeof zones / sizeof *zones; i++) {
    sum = 1;
    zone(zones[i]);
    for (int k = 0; k < 3; k++)
      for (int is_dst = -1; is_dst < 2; is_dst++) {
        struct tm tm = odd[k], universal = odd[k];
        tm.tm_isdst = universal.tm_isdst = is_dst;
        mix(mktime(&tm)), mix_date(&tm);
        mix(timegm(&universal)), mix_date(&universal);
      }
    time_t moment = 1000000000, early = -2200000000;
    printf("%s ", localtime(&early)->tm_zone);
    printf("%lx %s %s", sum, gmtime(&moment)->tm_zone, ctime(&moment));
  }
  return 0;
}
