// Older and rarer functions: warnings, number formats, tables, names of files, addresses, sets of signals.
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int visits;
static int visit(const char *path, const struct stat *info, int kind) { return visits++, kind == FTW_NS; }

static void messages(void) {
  errno = ENOENT;
  warn("warned %d", 1), warnx("plain %s", "x");
  psignal(SIGINT, "signal"), perror("perror");
}

static void numbers(void) {
  int point, sign;
  char text[50];
  printf("%s", ecvt(-12.345, 4, &point, &sign)), printf(" %d %d", point, sign);
  printf(" %s", fcvt(0.0125, 3, &point, &sign)), printf(" %d %d %s\n", point, sign, gcvt(1e10, 5, text));
  printf("%s %ld %s\n", l64a(123456), a64l("./zz"), index("abc", 'b'));
  printf("%s %d %d %d\n", rindex("a.b.c", '.'), ffs(8), ffsl(1L << 40), ffsll(3));
  lldiv_t both = lldiv(-17, 5);
  imaxdiv_t greatest = imaxdiv(17, -5);
  printf("%lld %lld %jd %jd %jd\n", both.quot, both.rem, greatest.quot, greatest.rem, imaxabs(-4));
  printf("%ld %lld %u %u %u\n", atol("12x"), atoll("-3"), major(makedev(8, 3)), minor(makedev(8, 3)), (unsigned)isascii(200));
  char from[] = "0123456789", to[20];
  bcopy(from, from + 2, 5), printf("%s", from), bzero(from, 3), explicit_bzero(from + 3, 1);
  printf(" %d %s", bcmp(from, "\0\0\0\0", 4), stpncpy(to, "ab", 4) - 2);
  printf(" %s\n", (char *)mempcpy(to, "end", 4) - 4);
  initstate(7, to, 8), setstate(to), srandom(5);
  long first = random();
  srandom(5);
  printf("%d\n", first == random());
  unsigned short seed[3] = {1, 2, 3};
  printf("%ld", jrand48(seed)), printf(" %ld", nrand48(seed)), printf(" %g\n", erand48(seed));
  srand48(9);
  printf("%ld\n", mrand48());
}

struct linked { struct linked *next, *back; int value; };
static void nothing(void *node) {}
static int compare(const void *a, const void *b) { return strcmp(a, b); }

static void tables(void) {
  struct hsearch_data table = {0};
  ENTRY item = {"key", "data"}, *found;
  printf("%d", hcreate_r(10, &table)), printf("%d", hsearch_r(item, ENTER, &found, &table));
  item.data = NULL;
  printf("%d %s", hsearch_r(item, FIND, &found, &table), (char *)found->data), hdestroy_r(&table);
  struct linked a = {NULL, NULL, 1}, b = {NULL, NULL, 2};
  insque(&a, NULL), insque(&b, &a);
  printf(" %d %d", a.next->value, b.back->value), remque(&b), printf(" %d\n", a.next == NULL);
  void *root = NULL;
  tsearch("b", &root, compare), tsearch("a", &root, compare);
  printf("%s\n", *(char **)tfind("a", &root, compare)), tdestroy(root, nothing);
  char list[] = "ro,size=5,ro", *options = list, *value, *const known[] = {"ro", "size", NULL};
  while (*options) printf("%d", getsubopt(&options, known, &value)), printf(" %s;", value ? value : "-");
  printf("\n");
}

static void names(void) {
  char path[] = "/usr/lib/x.c", again[] = "/usr/lib/", template[] = "tXXXXXX", suffixed[] = "tXXXXXX.c", flagged[] = "fXXXXXX", *own;
  printf("%s", dirname(path)), printf(" %s", basename(again));
  own = get_current_dir_name(), printf(" %d", own[0] == '/');
  own = canonicalize_file_name("sub/../link"), printf(" %s\n", strrchr(own, '/'));
  printf("%d %zu", mkdtemp(template) != NULL, strlen(template)), printf(" %d %s", mkstemps(suffixed, 2) > 2, suffixed + 7), printf(" %d\n", mkostemp(flagged, O_CLOEXEC) > 2);
  printf("ftw %d", ftw("sub", visit, 4)), printf(" %d\n", visits);
  printf("%d %d %d %ld\n", eaccess("host.txt", R_OK), euidaccess("none", F_OK), getpagesize(), sysconf(_SC_ARG_MAX) > 0 ? 1L : 0L);
  int file = open("host.txt", O_RDWR);
  struct timeval both[2] = {{10, 0}, {20, 0}};
  struct stat info;
  printf("%d", futimes(file, both)), fstat(file, &info), printf(" %ld %ld", (long)info.st_atime, (long)info.st_mtime), printf(" %d\n", lutimes("link", both));
  printf("%d", lockf(file, F_TEST, 0)), printf(" %d", tcgetpgrp(file)), printf(" %s\n", strerror(errno));
  DIR *directory = opendir("sub");
  printf("%d", dirfd(directory) > 2);
  int count = 0;
  long start = telldir(directory);
  while (readdir(directory)) count++;
  rewinddir(directory);
  while (readdir(directory)) count++;
  seekdir(directory, start);
  while (readdir(directory)) count++;
  printf(" %d %d\n", count, closedir(directory));
  printf("%d %s\n", versionsort(&(const struct dirent *){&(struct dirent){.d_name = "a9"}}, &(const struct dirent *){&(struct dirent){.d_name = "a10"}}) < 0, secure_getenv("NONE") ? "?" : "-");
  char buffer[100];
  printf("%zu %d %ld\n", confstr(_CS_PATH, buffer, sizeof buffer) > 0 ? (size_t)1 : (size_t)0, get_nprocs() > 0, pathconf(".", _PC_NAME_MAX));
  FILE *f = fopen("users", "w+");
  fputs("alice:x:1000:1001:Alice:/home/alice:/bin/sh\nstaff:x:7:alice,bob\n", f), rewind(f);
  struct passwd *user = fgetpwent(f);
  printf("%s %d %d %s %s", user->pw_name, user->pw_uid, user->pw_gid, user->pw_dir, user->pw_shell);
  struct group *group = fgetgrent(f);
  printf(" %s %d %s\n", group->gr_name, group->gr_gid, group->gr_mem[1]);
  fflush(stdout), putpwent(user, stdout), fclose(f);
}

static void addresses(void) {
  struct in_addr four;
  struct in6_addr six;
  char text[60];
  printf("%x %x %x %x", htons(0x1234), htonl(0x12345678), ntohs(0x3412), ntohl(1));
  printf(" %d", inet_pton(AF_INET, "10.1.2.3", &four)), printf(" %s %s", inet_ntoa(four), inet_ntop(AF_INET, &four, text, sizeof text));
  printf(" %d %d %x\n", inet_aton("1.2", &four), inet_pton(AF_INET, "1.2.3", &four), inet_addr("1.2.3.4"));
  printf("%d", inet_pton(AF_INET6, "fe80::1:2", &six)), printf(" %s", inet_ntop(AF_INET6, &six, text, sizeof text)), printf(" %d\n", inet_pton(AF_INET6, "1::2::3", &six));
  printf("%x\n", inet_network("10.1.2.3"));
  struct ether_addr *ether = ether_aton("0:1:2:a:b:ff");
  printf("%d %d\n", ether->ether_addr_octet[3], ether->ether_addr_octet[5]);
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM, .ai_family = AF_INET}, *list;
  printf("%d", getaddrinfo("127.0.0.1", "80", &hints, &list));
  struct sockaddr_in *address = (void *)list->ai_addr;
  printf(" %s %d", inet_ntoa(address->sin_addr), ntohs(address->sin_port));
  printf(" %d", getnameinfo(list->ai_addr, list->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST)), printf(" %s\n", text), freeaddrinfo(list);
  printf("%d\n", getaddrinfo("not numeric", NULL, &hints, &list) == EAI_NONAME);
}

static void settings(void) {
  struct termios terminal = {0};
  cfmakeraw(&terminal), cfsetispeed(&terminal, B9600), cfsetospeed(&terminal, B9600);
  printf("%d %d", cfgetispeed(&terminal) == B9600, cfgetospeed(&terminal) == B9600), printf(" %d", cfsetspeed(&terminal, B38400));
  printf(" %d", tcsetattr(0, TCSANOW, &terminal)), printf(" %d", tcflush(0, TCIFLUSH)), printf(" %d", tcdrain(0)), printf(" %d\n", tcsendbreak(0, 0));
  sigset_t a, b, c;
  sigemptyset(&a), sigaddset(&a, SIGINT), sigfillset(&b), sigdelset(&b, SIGTERM);
  printf("%d", sigandset(&c, &a, &b)), printf("%d", sigismember(&c, SIGINT)), printf(" %d", sigorset(&c, &a, &b)), printf("%d", sigismember(&c, SIGTERM));
  sigemptyset(&c), printf(" %d %d\n", sigisemptyset(&c), sigismember(&b, SIGTERM));
  sigprocmask(SIG_BLOCK, &a, NULL);
  int got = 0;
  printf("%d", kill(getpid(), SIGINT)), printf(" %d", sigwait(&a, &got)), printf(" %d\n", got);
  siginfo_t info;
  kill(getpid(), SIGINT), printf("%d", sigwaitinfo(&a, &info)), printf(" %d\n", info.si_signo);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  short flags = 1;
  printf("%d", posix_spawnattr_init(&attributes)), printf(" %d", posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP)), posix_spawnattr_getflags(&attributes, &flags);
  printf(" %d %d", flags, posix_spawn_file_actions_init(&actions)), printf(" %d\n", posix_spawn_file_actions_addclose(&actions, 3));
  posix_spawn_file_actions_destroy(&actions), posix_spawnattr_destroy(&attributes);
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("%d", posix_madvise(memory, 4096, POSIX_MADV_NORMAL)), printf(" %d %d\n", munmap(memory, 4096), malloc_trim(0) >= 0);
  char *aligned = valloc(10), *page = pvalloc(10);
  printf("%d %d\n", (long)aligned % 4096 == 0, (long)page % 4096 == 0);
  time_t when = 86400 * 365;
  char text[40];
  struct tm *utc = gmtime(&when), parts;
  printf("%d %s", utc->tm_year, asctime_r(utc, text)), printf("%s", ctime(&when)), gmtime_r(&when, &parts), printf("%ld", (long)timegm(&parts)), printf(" %ld\n", (long)timelocal(&parts));
}

static void streams(void) {
  FILE *f = fopen("odds.txt", "w+");
  setbuffer(f, NULL, 0), setlinebuf(f), flockfile(f);
  fputs_unlocked("12 word 3.5\n", f), fputc_unlocked('x', f), fwrite_unlocked("yz", 1, 2, f), fflush_unlocked(f), funlockfile(f);
  rewind(f);
  int number;
  char word[20], line[20];
  float fraction;
  fpos_t place;
  printf("%d", fscanf(f, "%d %19s %f ", &number, word, &fraction)), printf(" %d %s %g", number, word, fraction), fgetpos(f, &place);
  printf(" %d%d", fgetc_unlocked(f), fileno_unlocked(f) > 2), printf(" %s", fgets_unlocked(line, 20, f));
  printf(" %d", feof_unlocked(f)), clearerr_unlocked(f), printf(" %d", ferror_unlocked(f)), fsetpos(f, &place), printf(" %c", getc(f));
  printf(" %ld", (long)ftello(f)), printf(" %zu\n", fread_unlocked(word, 1, 2, f));
  putw(77, f), fseeko(f, -4, SEEK_END), printf("%d\n", getw(f)), fclose(f);
  f = fdopen(open("odds.txt", O_RDONLY), "r"), setbuf(f, NULL), printf("%d %d\n", getc_unlocked(f), __freading(f) != 0), fclose(f);
}

int main(void) {
  messages(), numbers(), tables(), names(), addresses(), settings(), streams();
  fflush(stdout);
  errno = EACCES;
  err(9, "the %s", "end");
}
