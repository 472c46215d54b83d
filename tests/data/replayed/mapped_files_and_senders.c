// Files in memory, senders of signals, threads and processes that are none, and functions by name: natively as in the engine.
// run: --sym-stdin 1
// statuses: 1 2 3 4 5 6
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, BOTH = PROT_READ | PROT_WRITE };

/* Stores, writes, advice, another length and another place of a shared mapping. */
static int shared(void) {
  char byte;
  int file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600), reader = open("mapped", O_RDONLY);
  if (write(file, "shared", 6) != 6) return 90;
  char *a = mmap(0, PAGE, BOTH, MAP_SHARED, file, 0), *b = mmap(0, PAGE, PROT_READ, MAP_SHARED, reader, 0);
  if (a == MAP_FAILED || b == MAP_FAILED) return 91;
  a[0] = 'S';
  if (b[0] != 'S' || pread(file, &byte, 1, 0) != 1 || byte != 'S') return 92;
  if (pwrite(file, "X", 1, 1) != 1 || b[1] != 'X') return 93;
  if (madvise(a, PAGE, MADV_DONTNEED) || a[0] != 'S') return 94;
  if (ftruncate(file, 2 * PAGE)) return 95;
  a = mremap(a, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
  if (a == MAP_FAILED) return 96;
  a[PAGE + 5] = 'e';
  if (pread(file, &byte, 1, PAGE + 5) != 1 || byte != 'e') return 97;
  if (mprotect(b, PAGE, BOTH) != -1 || errno != EACCES) return 98;
  if (ftruncate(file, 3) || a[3] || b[2] != 'a') return 99;
  return 1;
}

/* A page of a private mapping is the file's until the program writes to it. */
static int private(void) {
  int file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (write(file, "private", 7) != 7) return 90;
  char *a = mmap(0, PAGE, BOTH, MAP_PRIVATE, file, 0), *b = mmap(0, PAGE, PROT_READ, MAP_PRIVATE, file, 0);
  if (pwrite(file, "PR", 2, 0) != 2 || a[0] != 'P' || b[1] != 'R') return 91;
  a[0] = 'x';
  if (pwrite(file, "YZ", 2, 0) != 2 || a[1] != 'R' || b[0] != 'Y') return 92;
  if (ftruncate(file, 1) || b[2] || a[2] != 'i') return 93;
  if (madvise(a, PAGE, MADV_DONTNEED) || a[0] != 'Y' || a[1]) return 94;
  char *hidden = mmap(0, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return write(1, hidden, 1) == -1 && errno == EFAULT ? 2 : 95;
}

static volatile siginfo_t seen;

static void see(int number, siginfo_t *about, void *context) { seen = *about; }

static int is_own(int code) { return seen.si_code == code && seen.si_uid == getuid() && seen.si_pid == getpid(); }

static int senders(void) {
  struct sigaction action = {.sa_sigaction = see, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  kill(getpid(), SIGUSR1);
  if (!is_own(SI_USER)) return 90;
  raise(SIGUSR1);
  if (!is_own(SI_TKILL)) return 91;
  sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 7});
  if (!is_own(SI_QUEUE) || seen.si_value.sival_int != 7) return 92;
  sigaction(SIGALRM, &action, 0);
  alarm(1), pause();
  return seen.si_code == SI_KERNEL && !seen.si_pid ? 3 : 93;
}

static int child(void) {
  struct sigaction action = {.sa_sigaction = see, .sa_flags = SA_SIGINFO};
  int status;
  sigaction(SIGCHLD, &action, 0);
  pid_t other = fork();
  if (!other) _exit(6);
  if (wait(&status) != other || seen.si_pid != other) return 90;
  if (WIFEXITED(status)) return seen.si_code == CLD_EXITED && seen.si_status == WEXITSTATUS(status) ? 4 : 91;
  return seen.si_code == CLD_KILLED && seen.si_status == WTERMSIG(status) ? 4 : 92;
}

static int names(void) {
  size_t (*length)(const char *) = (size_t (*)(const char *))dlsym(RTLD_DEFAULT, "strlen");
  void *library = dlopen("libm.so.6", RTLD_LAZY);
  double (*root)(double) = library ? (double (*)(double))dlsym(library, "sqrt") : 0;
  if (getsid(-1) != -1 || getpgid(99999999) != -1) return 90;
  return length && length("four") == 4 && root && root(9) == 3 && pathconf("/", _PC_LINK_MAX) > 1000 ? 5 : 91;
}

int main(void) {
  char which;
  if (read(0, &which, 1) != 1) return 80;
  switch (which) {
  case 's': return shared();
  case 'p': return private();
  case 'k': return senders();
  case 'c': return child();
  case 'n': return names();
  default: return 6;
  }
}
