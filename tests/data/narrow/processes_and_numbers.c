// Threads, directories, limits, mappings, patterns and numbers on i386.
#include <stdio.h>
#include <pthread.h>
#include <dirent.h>
#include <string.h>
#include <stdlib.h>
#include <wchar.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <regex.h>
#include <getopt.h>
#include <inttypes.h>
#include <sys/stat.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int total;
static void *w(void *p) { pthread_mutex_lock(&m); total += (int)(long)p; pthread_mutex_unlock(&m); return (void *)((long)p * 2); }
int main(int argc, char **argv) {
  pthread_t t[3]; void *r; int s = 0;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)(long)(i + 1));
  for (int i = 0; i < 3; i++) { pthread_join(t[i], &r); s += (int)(long)r; }
  printf("%d %d\n", total, s);
  mkdir("d", 0755); close(open("d/a", O_CREAT | O_WRONLY, 0600)); close(open("d/b", O_CREAT | O_WRONLY, 0600));
  DIR *d = opendir("d"); struct dirent *e; int n = 0, len = 0; while ((e = readdir(d))) n++, len += strlen(e->d_name); closedir(d); printf("%d %d\n", n, len);
  unlink("d/a"); unlink("d/b"); rmdir("d");
  struct timeval tv; int g = gettimeofday(&tv, 0); printf("%d %d\n", g, tv.tv_usec < 1000000);
  struct rlimit rl; g = getrlimit(RLIMIT_NOFILE, &rl); printf("%d %d\n", g, rl.rlim_cur > 10);
  int p[2]; pipe(p); struct iovec v[2] = {{"ab", 2}, {"cde", 3}}; printf("%d\n", (int)writev(p[1], v, 2)); char b[8] = {0}; g = read(p[0], b, 8); printf("%d %s\n", g, b);
  struct pollfd pf = {p[0], POLLIN, 0}; printf("%d\n", poll(&pf, 1, 0));
  char *mm = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); mm[8191] = 3; printf("%d %d\n", mm != MAP_FAILED, mm[8191]); munmap(mm, 8192);
  wchar_t wb[16]; swprintf(wb, 16, L"%d-%ls", 5, L"w"); printf("%ls\n", wb);
  regex_t re; printf("%d\n", regcomp(&re, "^a+(b|c)$", REG_EXTENDED)); printf("%d %d\n", regexec(&re, "aaac", 0, 0, 0), regexec(&re, "aaad", 0, 0, 0)); regfree(&re);
  printf("%" PRId64 " %" PRIu32 "\n", INT64_MIN, UINT32_MAX);
  FILE *f = tmpfile(); fprintf(f, "12345"); rewind(f); int x; fscanf(f, "%d", &x); printf("%d\n", x); fclose(f);
  struct drand48_data; srand(1); printf("%d\n", rand() >= 0); qsort(b, 5, 1, (int (*)(const void *, const void *))strcmp);
  double dd = 0; for (int i = 1; i < 10; i++) dd += 1.0 / i; printf("%.15f\n", dd);
  long double ld = 1; ld /= 3; printf("%.18Lf %zu\n", ld, sizeof ld);
  void *q = 0; g = posix_memalign(&q, 64, 100); printf("%d %d\n", g, (int)((unsigned long)q % 64)); free(q);
  char *big = malloc(5000000); big[4999999] = 1; free(big); printf("ok\n");
  return 0;
}
