/* What is left of the library's surface: the machine, accounts in a row, message catalogues, variables of the library, ends by err. */
#include <aio.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmtmsg.h>
#include <gnu/libc-version.h>
#include <grp.h>
#include <link.h>
#include <malloc.h>
#include <math.h>
#include <mcheck.h>
#include <monetary.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <nl_types.h>
#include <obstack.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void out_of_memory(void) { exit(obstack_exit_failure); }

static void machine(void) {
  void *frames[4];
  int depth = backtrace(frames, 4);
  char **names = backtrace_symbols(frames, depth);
  printf("%d %d\n", depth >= 0 && depth <= 4, depth == 0 || names != 0);
  free(names);
  int nowhere = open("/dev/null", O_WRONLY);
  backtrace_symbols_fd(frames, depth, nowhere);
  struct mallinfo2 info = mallinfo2();
  struct mallinfo old = mallinfo();
  printf("%d %d\n", (long)info.arena >= 0, old.ordblks >= 0);
  fflush(stderr);
  int kept = dup(2);
  dup2(nowhere, 2), malloc_stats(), dup2(kept, 2), close(kept), close(nowhere);
  mtrace(), muntrace();
  unsigned cpu = 77, node = 77;
  printf("%d\n", getcpu(&cpu, &node));
  printf("%d %d\n", cpu != 77, node != 77);
  printf("%s %d\n", gnu_get_libc_release(), gnu_get_libc_version()[0]);
  printf("%d %d %lx\n", major(gnu_dev_makedev(8, 1)), minor(gnu_dev_makedev(8, 1)), (long)gnu_dev_makedev(0x12345, 0x6789a));
  double load[3];
  int loads = getloadavg(load, 3);
  printf("%d %d\n", loads > 0 && loads <= 3, load[0] >= 0);
  printf("%d\n", sbrk(0) != (void *)-1);
  struct statx sx;
  printf("%d\n", statx(AT_FDCWD, "host.txt", 0, STATX_SIZE | STATX_MODE, &sx));
  printf("%d %o\n", (int)sx.stx_size, sx.stx_mode);
  printf("%d\n", statx(AT_FDCWD, "absent", 0, STATX_ALL, &sx));
  printf("%d\n", errno == ENOENT);
  struct rlimit limit;
  printf("%d\n", prlimit(0, RLIMIT_CORE, 0, &limit));
  printf("%d\n", limit.rlim_cur <= limit.rlim_max);
}

static int count_object(struct dl_phdr_info *info, size_t size, void *count) { ++*(int *)count; return size == 0 || info->dlpi_phnum == 0; }
static void objects(void) {
  int count = 0;
  printf("%d ", dl_iterate_phdr(count_object, &count));
  printf("%d\n", count >= 0);
  void *self = dlopen(0, RTLD_NOW);
  printf("%d\n", self == 0 || dlclose(self) == 0);
}

static void accounts(void) {
  setpwent();
  while (getpwent()) continue;
  endpwent();
  setgrent();
  while (getgrent()) continue;
  endgrent();
  struct group g, *found;
  char buffer[1000];
  printf("%d\n", getgrnam_r("nobody-there", &g, buffer, sizeof buffer, &found) == 0 && !found);
  utmpname("users.none");
  setutent();
  printf("%d\n", getutent() == 0);
  struct utmp user = {.ut_type = USER_PROCESS, .ut_line = "tty9"};
  printf("%d %d\n", getutid(&user) == 0, getutline(&user) == 0);
  endutent();
}

static void catalogues(void) {
  nl_catd catalogue = catopen("no-such-catalogue", 0);
  printf("%d %s\n", catalogue == (nl_catd)-1, catgets(catalogue, 1, 2, "the default"));
  char money[40];
  locale_t c = newlocale(LC_ALL_MASK, "C", 0);
  printf("%zd\n", strfmon_l(money, sizeof money, c, "[%10.2n]", 1234.567));
  printf("%s\n", money);
  freelocale(c);
  printf("%d\n", fmtmsg(MM_NULLMC, "homi:test", MM_ERROR, "a message", "do nothing", "homi:test:001"));
}

static void variables(void) {
  fflush(stdout);
  error_one_per_line = 1;
  error_at_line(0, 0, "file.c", 10, "once"), error_at_line(0, 0, "file.c", 10, "twice"), error_at_line(0, ENOENT, "file.c", 11, "other");
  printf("%u\n", error_message_count);
  setenv("TZ", "XYZ-2ABC,M3.5.0,M10.5.0", 1);
  tzset();
  printf("%s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
  double value = lgamma(-0.5);
  printf("%.6f %d\n", value, signgam);
  obstack_alloc_failed_handler = out_of_memory;
  obstack_exit_failure = 9;
  struct obstack stack;
  obstack_init(&stack);
  printf("%s\n", (char *)obstack_copy0(&stack, "text", 4));
  obstack_free(&stack, 0);
  unsigned short seed[7] = {1, 2, 3, 0xe66d, 0xdeec, 5, 11};
  lcong48(seed);
  printf("%ld\n", lrand48());
  printf("%ld\n", mrand48());
  h_errno = 3;
  char address[64];
  printf("%d\n", h_errno);
  printf("%s\n", inet_ntop(AF_INET6, &in6addr_any, address, sizeof address));
  printf("%s\n", inet_ntop(AF_INET6, &in6addr_loopback, address, sizeof address));
  struct ether_addr ether;
  char host[50];
  printf("%d\n", ether_line("01:02:03:0a:b:c name.example # text", &ether, host));
  printf("%s %x\n", host, ether.ether_addr_octet[4]);
  setvbuf(stdin, 0, _IONBF, 0);
}

static int nothing(void *p) { return p != 0; }
static void threads_and_processes(void) {
  thrd_t thread;
  printf("%d\n", thrd_create(&thread, nothing, 0) == thrd_success);
  printf("%d\n", thrd_detach(thread) == thrd_success);
  thrd_yield();
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attributes);
  printf("%d\n", pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST));
  pthread_mutex_init(&mutex, &attributes);
  printf("%d\n", pthread_mutex_consistent(&mutex) == EINVAL);
  posix_spawnattr_t spawn;
  struct sched_param parameter = {0};
  int policy = 5;
  posix_spawnattr_init(&spawn);
  printf("%d\n", posix_spawnattr_setschedpolicy(&spawn, SCHED_OTHER));
  printf("%d\n", posix_spawnattr_getschedpolicy(&spawn, &policy));
  printf("%d\n", posix_spawnattr_setschedparam(&spawn, &parameter));
  printf("%d\n", posix_spawnattr_getschedparam(&spawn, &parameter));
  printf("%d\n", policy);
  posix_spawnattr_destroy(&spawn);
  printf("%d\n", system(0) != 0);
  printf("%d\n", syscall(SYS_ioprio_get, 1, 0) >= 0);
  printf("%ld\n", syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4));
  int status;
  printf("%d\n", wait(&status));
  printf("%d\n", errno == ECHILD);
}

static void files(void) {
  int from = open("host.txt", O_RDONLY), to = open("copied", O_RDWR | O_CREAT, 0600);
  off64_t at = 5;
  ssize_t copied = copy_file_range(from, &at, to, 0, 100, 0);
  char text[20] = {0};
  printf("%zd %ld\n", copied, (long)at);
  printf("%zd\n", pread(to, text, 19, 0));
  printf("%s", text);
  printf("%d\n", fallocate(to, 0, 0, 100));
  printf("%ld\n", (long)lseek(to, 0, SEEK_END));
  char name[] = "tempXXXXXX.c";
  int made = mkostemps64(name, 2, O_CLOEXEC);
  printf("%d %d %s\n", made >= 0, (fcntl(made, F_GETFD) & FD_CLOEXEC) != 0, name + 10);
  close(made), unlink(name), close(from), close(to), unlink("copied");
  utmpname("users");
  struct utmpx entry = {.ut_type = LOGIN_PROCESS, .ut_user = "somebody"};
  updwtmpx("wtmp", &entry);
  printf("%d\n", access("wtmp", F_OK) == 0 || errno == ENOENT);
}

static void ended(const char *format, ...) {
  va_list list;
  va_start(list, format);
  verrx(21, format, list);
}

int main(void) {
  machine();
  objects();
  accounts();
  catalogues();
  variables();
  threads_and_processes();
  files();
  fflush(stdout);
  ended("the end: %d", 5);
}
