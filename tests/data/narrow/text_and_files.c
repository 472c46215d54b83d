// What programs call of libc with types that are others on i386: long, size_t, time_t, off_t, struct stat.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <signal.h>
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static jmp_buf jb;
static void vf(const char *f, ...) { va_list a, b; va_start(a, f); va_copy(b, a); vprintf(f, a); vprintf(f, b); va_end(a); va_end(b); }
struct s { char c; double d; long long l; char *p; };
static volatile int got;
static void handler(int n) { got = n; }
int main(int argc, char **argv) {
  printf("%d %u %ld %lu %lld %llx %zu %p\n", -1, 3u, LONG_MAX, ULONG_MAX, LLONG_MIN, 0x123456789abcdefLL, sizeof(struct s), (void *)16);
  printf("%s %c %5.3f %g %Lg %e\n", "text", 'x', 3.14159, 1e100, 1.5L, 2.5);
  int a[] = {5, 3, 9, -2, 7};
  qsort(a, 5, sizeof *a, cmp);
  for (int i = 0; i < 5; i++) printf("%d ", a[i]);
  puts("");
  char buf[64]; snprintf(buf, sizeof buf, "%08lx|%-6s|%+d", 0xbeefUL, "ab", 7); puts(buf);
  printf("%ld %lu %lld %g\n", strtol("-123456", 0, 10), strtoul("0xffffffff", 0, 0), strtoll("9999999999", 0, 10), strtod("1.25e3", 0));
  errno = 0; long big = strtol("99999999999", 0, 10); printf("%ld %d\n", big, errno == ERANGE);
  vf("<%d %s %lld %f>\n", 1, "two", 3LL, 4.0);
  if (setjmp(jb) == 0) longjmp(jb, 3); else puts("jumped");
  char *h = strdup("heap"); h = realloc(h, 100); strcat(h, "ed"); puts(h); free(h);
  int fd = open("file.txt", O_CREAT | O_RDWR | O_TRUNC, 0644);
  printf("%d\n", write(fd, "hello world", 11) == 11);
  printf("%ld\n", (long)lseek(fd, -5, SEEK_END));
  char r[16] = {0}; printf("%d %s\n", (int)read(fd, r, 15), r);
  struct stat st; fstat(fd, &st); printf("%ld %o %d\n", (long)st.st_size, st.st_mode & 07777, (int)st.st_nlink);
  close(fd);
  FILE *f = fopen("file.txt", "r"); fseek(f, 6, SEEK_SET); fgets(r, 16, f); printf("%s %ld\n", r, ftell(f)); fclose(f);
  printf("%d\n", stat("missing", &st)); printf("%s\n", strerror(errno));
  unlink("file.txt");
  time_t t = 86400 * 365; struct tm *tm = gmtime(&t); printf("%d-%d-%d\n", tm->tm_year, tm->tm_mon, tm->tm_mday);
  struct timespec ts; printf("%d\n", clock_gettime(CLOCK_MONOTONIC, &ts)); printf("%d\n", ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000);
  ts.tv_sec = 0; ts.tv_nsec = 1000; printf("%d\n", nanosleep(&ts, 0));
  signal(SIGUSR1, handler); raise(SIGUSR1); printf("%d\n", got == SIGUSR1);
  printf("%f %f %d\n", sqrt(2.0), pow(2, 0.5), (int)floor(-1.5));
  printf("%d %d\n", isalpha('a') != 0, toupper('b'));
  uint64_t q = 1; for (int i = 1; i < 21; i++) q *= i; printf("%llu %llu %lld\n", (unsigned long long)q, (unsigned long long)(q / 7 % 1000), -9000000000LL / 7);
  char *e = getenv("HOME"); printf("%d\n", e != 0);
  int x, y; printf("%d", sscanf("12 34", "%d %d", &x, &y)); printf(" %d\n", x + y);
  return argc > 1 ? 9 : 42;
}
