/* Environment, identity, limits, jumps, the end of the process. */
#include <sched.h>
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show.h"

extern char **environ;

static jmp_buf place;
static int calls;

__attribute__((constructor)) static void before_main(void) { calls += 100; }
static void first(void) { printf("registered first, runs last\n"); }
static void second(void) { printf("registered second, runs first\n"); }

static int jump(int n) {
  volatile int kept = n * 2;
  int result = setjmp(place);
  if (result == 0) longjmp(place, n);
  return kept * 1000 + result;
}

int main(int argc, char **argv) {
  struct utsname names;
  struct rlimit limit;
  SHOW(argc);
  SHOW(argv[argc] == NULL);
  SHOW(calls);
  SHOW_TEXT(getenv("PATH"));
  SHOW_TEXT(getenv("NONE"));
  CALL(setenv("NEW", "value", 0));
  CALL(setenv("NEW", "other", 0));
  SHOW_TEXT(getenv("NEW"));
  CALL(setenv("NEW", "other", 1));
  SHOW_TEXT(getenv("NEW"));
  CALL(setenv("A=B", "x", 1));
  static char put[] = "PUT=1";
  CALL(putenv(put));
  SHOW_TEXT(getenv("PUT"));
  CALL(unsetenv("NEW"));
  SHOW_TEXT(getenv("NEW"));
  int count = 0;
  while (environ[count]) count++;
  SHOW(count);
  CALL(clearenv());
  SHOW(environ == NULL || environ[0] == NULL);

  SHOW(getpid() > 0);
  SHOW(getpgrp() >= 0);
  SHOW(getuid() == geteuid());
  SHOW(getgid() == getegid());
  CALL(setuid(getuid()));
  CALL(waitpid(-1, NULL, 0));
  CALL(uname(&names));
  SHOW_TEXT(names.sysname);
  SHOW_TEXT(names.machine);
  SHOW(sysconf(_SC_PAGESIZE));
  SHOW(sysconf(_SC_CLK_TCK));
  SHOW(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
  CALL(sysconf(-1));
  CALL(getrlimit(RLIMIT_STACK, &limit));
  SHOW(limit.rlim_cur >= 1 << 20);
  CALL(getrlimit(99, &limit));
  SHOW(getpriority(PRIO_PROCESS, 0) >= -20);
  CALL(sched_yield());
  SHOW(pathconf(".", _PC_NAME_MAX));
  for (int i = 1; i < 4; i++) SHOW(jump(i));
  atexit(first);
  atexit(second);
  fflush(stdout);
  exit(300 + 7);
}
