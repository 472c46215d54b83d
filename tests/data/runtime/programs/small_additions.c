/* Small functions of glibc's that musl lacks. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void each(const void *node, VISIT when, void *sum) { if (when == leaf || when == postorder) *(int *)sum = *(int *)sum * 10 + **(int *const *)node; }

int main(void) {
  char text[60], *end;
  printf("%a\n", (double)strtof32("0.1x", &end)), printf("%s\n", end);
  printf("%a\n", strtof64("0x1p-3", 0)), printf("%La\n", strtof64x("0.1", 0));
  locale_t c = newlocale(LC_ALL_MASK, "C", 0);
  wchar_t *rest;
  printf("%ld ", wcstol_l(L"-12z", &rest, 10, c)), printf("%ls ", rest), printf("%g\n", wcstod_l(L"1.5", 0, c));
  struct tm tm = {0};
  strptime_l("2020-02-29", "%F", &tm, c), printf("%d %d\n", tm.tm_yday, tm.tm_wday);
  printf("%d ", strfromd(text, sizeof text, "%.3e", 1234.5)), printf("%s\n", text);
  printf("%d ", strfromf(text, 4, "%f", 2.5f)), printf("%s\n", text);
  printf("%d ", strfroml(text, sizeof text, "%.20g", 0.1L)), printf("%s\n", text);
  printf("%a %a %a\n", nextup(1.0), nextdown(0.0), (double)nextupf(-INFINITY));
  printf("%d %d %d\n", dysize(2000), dysize(1900), dysize(2021));
  memfrob(strcpy(text, "Frob"), 4), printf("%x ", text[0]), printf("%s\n", (char *)memfrob(text, 4));
  int keys[] = {5, 2, 8, 1}, sum = 0;
  void *root = 0;
  for (int i = 0; i < 4; i++) tsearch(&keys[i], &root, by_number);
  twalk_r(root, each, &sum), printf("%d\n", sum);
  printf("%s %s %d\n", sigabbrev_np(SIGSEGV), sigdescr_np(SIGUSR1), sigabbrev_np(0) == 0);
  printf("%d\n", getwd(text) != 0 || errno == ERANGE);
  signal(SIGUSR2, SIG_IGN), printf("%d\n", gsignal(SIGUSR2));
  printf("%d\n", ssignal(SIGUSR2, SIG_DFL) == SIG_IGN);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now), now.tv_nsec += 20000000;
  if (now.tv_nsec >= 1000000000) now.tv_nsec -= 1000000000, now.tv_sec++;
  printf("%d ", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &now)), printf("%d ", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &now));
  struct timespec after;
  clock_gettime(CLOCK_MONOTONIC, &after), printf("%d ", after.tv_sec > now.tv_sec || (after.tv_sec == now.tv_sec && after.tv_nsec >= now.tv_nsec));
  printf("%d\n", pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &now));
  return 0;
}
