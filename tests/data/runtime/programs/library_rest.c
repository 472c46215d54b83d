/* What the other programs leave of the most used families: functions of float and long double, lists of environment and
 * memory, names of the library, quick exits. */
#include <err.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <wchar.h>
#include <inttypes.h>
#include <mntent.h>
#include <sys/timeb.h>
#include <sched.h>
#include <sys/mman.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <libgen.h>
#include <regex.h>
#include <wordexp.h>

#include "show.h"

static void at_exit(void) { printf("not at a quick exit\n"); }
static void first(void) { printf("first\n"), fflush(stdout); }
static void second(void) { printf("second\n"); }

static void mathematics(void) {
  volatile float f = 2.75f;
  volatile double d = -7.5;
  volatile long double l = 1e10L;
  int exponent, sign;
  float s, c;
  long double ls, lc;
  SHOW_REAL(frexpf(f, &exponent)), SHOW(exponent), SHOW_REAL(ldexpl(l, -3)), SHOW_REAL(scalbln(d, 3)), SHOW_REAL(scalblnl(l, 2)), SHOW_REAL(scalb(d, 2.0)), SHOW_REAL(scalbf(f, 1));
  SHOW(llrintf(f)), SHOW(llrintl(l)), SHOW(llround(d)), SHOW(llroundf(f)), SHOW(lroundf(-f)), SHOW(lroundl(l)), SHOW_REAL(fmal(l, 2, 1));
  SHOW_REAL(nexttowardf(f, 3) > f), SHOW_REAL(nexttowardl(l, 0) < l), SHOW_REAL(significandf(f)), SHOW_REAL(dremf(f, 2)), SHOW(finitef(f)), SHOW(finitel(l));
  SHOW(isinff(f)), SHOW(isnanf(f)), SHOW(isinfl(l)), SHOW(isnanl(l));
  sincosf(f, &s, &c), sincosl(0.5L, &ls, &lc);
  printf("%.4f %.4f %.8Lf %.8Lf\n", s, c, ls, lc);
  printf("%.4f %.4f %.4f %.4f %.4f\n", j0f(f), jnf(2, f), y0f(f), ynf(2, f), y1f(f));
  printf("%.4f", lgammaf_r(f, &sign)), printf(" %d", sign), printf(" %.6Lf", lgammal_r(2.5L, &sign)), printf(" %d\n", sign);
  printf("%.6f %.6f %.6f\n", exp10(1.5), exp10f(0.5f), (double)exp10l(0.25L));
}

static void strings(void) {
  wchar_t buffer[16];
  char text[32];
  SHOW(wcpncpy(buffer, L"abc", 8) - buffer), SHOW(wmempcpy(buffer, L"xyz", 3) - buffer), SHOW(wcscasecmp(L"ABC", L"abc"));
  SHOW(strtoumax("123x", NULL, 10)), SHOW(wcstoumax(L"77", NULL, 8)), SHOW(wcstoimax(L"-9", NULL, 10)), SHOW(strtoq("-5", NULL, 0)), SHOW(strtouq("5", NULL, 0));
  SHOW(rpmatch("yes")), SHOW(rpmatch("No")), SHOW(rpmatch("maybe"));
  SHOW(gnu_dev_major(makedev(8, 300))), SHOW(gnu_dev_minor(makedev(8, 300)));
  SHOW(strlen(gnu_get_libc_version()) > 3);
}

static void system_values(void) {
  unsigned char random[16] = {0};
  struct timespec now;
  struct timeb old;
  struct tm tm = {.tm_year = 100, .tm_mday = 3};
  time_t when = 86400 * 365;
  char text[64], mount[] = "rw,noexec,size=5";
  SHOW(getauxval(AT_PAGESZ)), SHOW(getauxval(AT_CLKTCK)), SHOW(getauxval(AT_SECURE)), SHOW(getauxval(999)), SHOW(getauxval(AT_RANDOM) != 0), SHOW(getpagesize()), SHOW(getentropy(random, sizeof random)), CALL(getentropy(random, 1000));
  SHOW(get_nprocs() > 0), SHOW(get_nprocs_conf() >= get_nprocs()), SHOW(get_phys_pages() > 0), SHOW(get_avphys_pages() > 0);
  SHOW(timespec_get(&now, TIME_UTC)), SHOW(ftime(&old)), SHOW_TEXT(ctime_r(&when, text)), SHOW(tzname[0] != NULL), SHOW(timezone), SHOW(daylight);
  struct mntent entry = {.mnt_opts = mount};
  SHOW(hasmntopt(&entry, "noexec") == mount + 3), SHOW(hasmntopt(&entry, "ro") == NULL);
  SHOW(mlock(text, 1)), SHOW(munlock(text, 1));
  SHOW(gethostname(text, sizeof text));
  SHOW(strlen(ctermid(text)) > 0), SHOW(nice(0) >= -20 && nice(0) < 20);
  SHOW(group_member(getegid()) != 0);
  environ = NULL;
  SHOW(getenv("PATH") == NULL), SHOW(setenv("NEW", "1", 0)), SHOW_TEXT(environ[0]);
  SHOW(arc4random_uniform(1)), arc4random_buf(random, 4), SHOW(arc4random_uniform(10) < 10);
}

int main(void) {
  mathematics();
  strings();
  system_values();
  atexit(at_exit);
  at_quick_exit(second), at_quick_exit(first);
  warnx("a warning %d", 5);
  fflush(stdout);
  quick_exit(21);
}
