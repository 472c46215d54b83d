// The text of TZ: names without offsets, offsets out of range, rules that are not there or cannot be read.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const zones[] = {"ABC", "A", "AB5", "ABC+", "X5", "<+03>-3", ":XST5", "XST5XDT", "XST5XDT,M3.2.0", "NoSuch", "UTC0",
  "A1B2", "XST+5:30:15XDT4,M3.2.0,M11.1.0", "XST25", "<AB>4", "XST5XDT,J60/0,300/2", "ABCDEFGHIJKLMNOP5", "XST-5xx",
  "<a_b>3", "GMT0BST,M3.5.0/1,M10.5.0/-3", "XST5XDT,0,365/25", "XST5XDT,M3.2.0/2:30,M11.1.0/167", "XST5XDT6,"};

int main(void) {
  static const time_t times[] = {0, 1690000000, 1700000000, 1678604400, 1699163999};
  for (unsigned i = 0; i < sizeof zones / sizeof *zones; i++) {
    setenv("TZ", zones[i], 1);
    tzset();
    printf("%s: %s %s %ld %d", zones[i], tzname[0], tzname[1], timezone, daylight);
    for (int k = 0; k < 5; k++) {
      struct tm *parts = localtime(&times[k]);
      printf("; %d:%02d %d %s %ld", parts->tm_hour, parts->tm_min, parts->tm_isdst, parts->tm_zone, parts->tm_gmtoff);
    }
    printf("\n");
  }
  return 0;
}
