/* Calendars, formatting, clocks that go forward. */
#include <limits.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static void show_tm(const struct tm *t) {
  printf("%ld-%d-%d %d:%d:%d week day %d year day %d\n", t->tm_year + 1900L, t->tm_mon + 1, t->tm_mday, t->tm_hour,
         t->tm_min, t->tm_sec, t->tm_wday, t->tm_yday);
}

/* Every kind of year and the ends of months, days and of what a date can be. */
static void calendar(void) {
  unsigned long long sum = 0, state = 1;
  for (long day = -800000; day < 1500000; day += 53) {
    for (int second = -1; second < 2; second++) {
      time_t moment = day * 86400 + second;
      struct tm parts;
      gmtime_r(&moment, &parts);
      sum = sum * 31 + parts.tm_year * 400 + parts.tm_mon * 31 + parts.tm_mday + parts.tm_yday * 7 + parts.tm_wday;
      sum = sum * 31 + parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec;
    }
  }
  printf("%llu\n", sum);
  static const time_t ends[] = {67768036191676799, 67768036191676800, -67768040609740800, -67768040609740801, 951827696, 951868800,
                                4107542399, 4107542400, -62135596801, 11670998400, LONG_MAX, LONG_MIN};
  for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    struct tm parts;
    if (gmtime_r(&ends[i], &parts))
      show_tm(&parts);
    else
      printf("no date\n");
  }
  for (int i = 0; i < 200; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    time_t moment = (long long)state >> (i % 48 + 7);
    struct tm parts;
    if (gmtime_r(&moment, &parts))
      show_tm(&parts);
  }
}

int main(void) {
  calendar();
  static const time_t moments[] = {0, 951782400, 1700000000, -1, 4102444799, -2208988800};
  static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%a %A %b %B %d %e", "%j %U %W %V %G %u %w", "%I:%M %p",
                                        "%D %T %R %F", "%C %y %n %t %%", "%c", "%x %X", "%s", "%z", "%h %r"};
  char text[200];
  struct tm parts;
  struct timespec a, b, length = {0, 2000000};
  setenv("TZ", "UTC0", 1);
  tzset();
  for (unsigned i = 0; i < sizeof moments / sizeof moments[0]; i++) {
    gmtime_r(&moments[i], &parts);
    show_tm(&parts);
    SHOW(timegm(&parts) == moments[i]);
    for (unsigned j = 0; j < sizeof formats / sizeof formats[0]; j++) {
      size_t n = strftime(text, sizeof text, formats[j], &parts);
      printf("%zu %s\n", n, text);
    }
  }
  memset(&parts, 0, sizeof parts);
  parts.tm_year = 121;
  parts.tm_mon = 13;
  parts.tm_mday = 35;
  parts.tm_hour = -5;
  SHOW(mktime(&parts));
  show_tm(&parts);
  SHOW_TEXT(asctime(&parts));
  memset(&parts, 0, sizeof parts);
  SHOW(*strptime("2024-02-29 13:45:01x", "%Y-%m-%d %H:%M:%S", &parts));
  SHOW(parts.tm_year * 10000 + parts.tm_mon * 100 + parts.tm_mday);
  SHOW(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec);
  SHOW(strptime("nonsense", "%Y", &parts) == NULL);
  SHOW_REAL(difftime(100, 40));
  SHOW(strftime(text, 3, "%Y", &parts));
  SHOW_TEXT(ctime(&moments[2]));
  setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
  tzset();
  SHOW(timezone);
  SHOW(daylight);
  localtime_r(&moments[2], &parts);
  show_tm(&parts);
  parts = (struct tm){.tm_year = 123, .tm_mon = 6, .tm_mday = 4, .tm_hour = 12, .tm_isdst = -1};
  SHOW(mktime(&parts));
  SHOW(parts.tm_isdst);

  CALL(clock_gettime(CLOCK_MONOTONIC, &a));
  CALL(nanosleep(&length, NULL));
  CALL(clock_gettime(CLOCK_MONOTONIC, &b));
  long passed = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;
  SHOW(passed >= 2000000);
  CALL(clock_gettime(1234, &a));
  length.tv_nsec = 1000000000;
  CALL(nanosleep(&length, NULL));
  SHOW(time(NULL) > 1600000000);
  struct timeval now;
  CALL(gettimeofday(&now, NULL));
  SHOW(now.tv_usec >= 0 && now.tv_usec < 1000000);
  SHOW(sleep(0));
  return 0;
}
