// Starting programs as far as one process goes: what fails before it, attributes of a start, scheduling, limits, names of threads.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static void attributes(void) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t set, got;
  struct sched_param priority = {0}, found = {9};
  short flags;
  pid_t group;
  int policy = 9;
  sigemptyset(&set), sigaddset(&set, SIGINT);
  SHOW(posix_spawnattr_init(&attributes)), SHOW(posix_spawnattr_getflags(&attributes, &flags)), SHOW(flags), SHOW(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP)), SHOW(posix_spawnattr_getflags(&attributes, &flags)), SHOW(flags), SHOW(posix_spawnattr_setflags(&attributes, 0x4000));
  SHOW(posix_spawnattr_getpgroup(&attributes, &group)), SHOW(group), SHOW(posix_spawnattr_setpgroup(&attributes, 77)), posix_spawnattr_getpgroup(&attributes, &group), SHOW(group);
  SHOW(posix_spawnattr_setsigmask(&attributes, &set)), posix_spawnattr_getsigmask(&attributes, &got), SHOW(sigismember(&got, SIGINT)), SHOW(sigismember(&got, SIGTERM)), SHOW(posix_spawnattr_setsigdefault(&attributes, &set)), posix_spawnattr_getsigdefault(&attributes, &got), SHOW(sigismember(&got, SIGINT));
  SHOW(posix_spawnattr_destroy(&attributes));
  SHOW(posix_spawn_file_actions_init(&actions)), SHOW(posix_spawn_file_actions_addopen(&actions, 5, "host.txt", O_RDONLY, 0)), SHOW(posix_spawn_file_actions_adddup2(&actions, 5, 6)), SHOW(posix_spawn_file_actions_addclose(&actions, 5)), SHOW(posix_spawn_file_actions_addchdir_np(&actions, "sub")), SHOW(posix_spawn_file_actions_addfchdir_np(&actions, 0));
  SHOW(posix_spawn_file_actions_addopen(&actions, -1, "x", 0, 0)), SHOW(posix_spawn_file_actions_adddup2(&actions, -1, 1)), SHOW(posix_spawn_file_actions_addclose(&actions, -1)), SHOW(posix_spawn_file_actions_destroy(&actions));
}

/* Programs that cannot be started. */
static void starts(void) {
  char *const arguments[] = {"none", NULL}, *const environment[] = {"A=1", NULL};
  CALL(execl("./none", "none", NULL)), CALL(execle("./none", "none", NULL, environment)), CALL(execlp("no-such-program", "none", NULL)), CALL(execv("sub", arguments)), CALL(execve("host.txt", arguments, environment)), CALL(execvp("no-such-program", arguments)), CALL(execvpe("sub/none", arguments, environment)), CALL(execv("", arguments)), CALL(execvp("", arguments)), CALL(execv("host.txt/x", arguments)), CALL(execv("loop", arguments));
}

static void classes(void) {
  struct sched_param priority = {5};
  struct timespec slice;
  cpu_set_t cpus;
  SHOW(sched_getscheduler(0) == SCHED_OTHER), SHOW(sched_getscheduler(getpid()) == SCHED_OTHER), CALL(sched_getscheduler(-1)), SHOW(sched_getparam(0, &priority)), SHOW(priority.sched_priority), priority.sched_priority = 5, CALL(sched_setparam(0, &priority)), CALL(sched_setscheduler(0, SCHED_OTHER, &priority)), CALL(sched_setscheduler(0, 99, &priority)), priority.sched_priority = 0, CALL(sched_setscheduler(0, SCHED_OTHER, &priority)), CALL(sched_setscheduler(0, SCHED_FIFO, &priority)), CALL(sched_setparam(0, NULL));
  SHOW(sched_get_priority_max(SCHED_FIFO)), SHOW(sched_get_priority_min(SCHED_RR)), SHOW(sched_get_priority_max(SCHED_OTHER)), SHOW(sched_get_priority_min(SCHED_BATCH)), CALL(sched_get_priority_max(99)), SHOW(sched_rr_get_interval(0, &slice)), SHOW(slice.tv_sec), SHOW(sched_yield());
  CPU_ZERO(&cpus);
  SHOW(sched_getaffinity(0, sizeof cpus, &cpus)), SHOW(CPU_COUNT(&cpus) > 0), SHOW(sched_getcpu() >= 0), SHOW(sched_setaffinity(0, sizeof cpus, &cpus)), SHOW(pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus)), SHOW(pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus));
}

static void *nothing(void *argument) { return argument; }

static void threads(void) {
  pthread_t self = pthread_self(), other;
  pthread_attr_t attributes;
  pthread_barrierattr_t barrier;
  pthread_condattr_t condition;
  pthread_mutexattr_t mutex;
  pthread_rwlockattr_t lock;
  struct sched_param priority = {0};
  char name[20];
  void *stack, *result;
  size_t size;
  clockid_t clock;
  int policy, value;
  SHOW(pthread_setname_np(self, "a name")), SHOW(pthread_getname_np(self, name, sizeof name)), SHOW_TEXT(name), SHOW(pthread_setname_np(self, "sixteen letters.")), SHOW(pthread_getname_np(self, name, 4)), SHOW(prctl(PR_GET_NAME, name)), SHOW_TEXT(name);
  SHOW(pthread_getschedparam(self, &policy, &priority)), SHOW(policy), SHOW(priority.sched_priority), SHOW(pthread_setschedparam(self, SCHED_OTHER, &priority)), SHOW(pthread_setschedprio(self, 0)), SHOW(pthread_getcpuclockid(self, &clock));
  SHOW(pthread_attr_init(&attributes)), SHOW(pthread_attr_setschedpolicy(&attributes, SCHED_RR)), pthread_attr_getschedpolicy(&attributes, &policy), SHOW(policy), priority.sched_priority = 1, SHOW(pthread_attr_setschedparam(&attributes, &priority)), priority.sched_priority = 0, SHOW(pthread_attr_setstack(&attributes, malloc(1 << 20), 1 << 20)), SHOW(pthread_attr_getstack(&attributes, &stack, &size)), SHOW(size), pthread_attr_destroy(&attributes);
  SHOW(pthread_getattr_np(self, &attributes)), SHOW(pthread_attr_getdetachstate(&attributes, &value)), SHOW(value), pthread_attr_destroy(&attributes), SHOW(pthread_getattr_default_np(&attributes)), SHOW(pthread_setattr_default_np(&attributes)), pthread_attr_destroy(&attributes);
  pthread_barrierattr_init(&barrier), SHOW(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED)), pthread_barrierattr_getpshared(&barrier, &value), SHOW(value), pthread_condattr_init(&condition), SHOW(pthread_condattr_setpshared(&condition, 1)), pthread_condattr_getpshared(&condition, &value), SHOW(value), SHOW(pthread_barrierattr_setpshared(&barrier, 7)), SHOW(pthread_condattr_setpshared(&condition, 7));
  pthread_rwlockattr_init(&lock), SHOW(pthread_rwlockattr_setpshared(&lock, 1)), pthread_mutexattr_init(&mutex), SHOW(pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST)), SHOW(pthread_mutexattr_setrobust(&mutex, 9)), SHOW(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_NONE)), SHOW(pthread_mutexattr_setprotocol(&mutex, 9));
  pthread_create(&other, NULL, nothing, "joined"), usleep(50000), SHOW(pthread_tryjoin_np(other, &result)), SHOW_TEXT(result);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit), limit.tv_sec += 5, pthread_create(&other, NULL, nothing, "in time"), SHOW(pthread_timedjoin_np(other, &result, &limit)), SHOW_TEXT(result);
}

static void limits(void) {
  struct rlimit limit;
  SHOW(prlimit(0, RLIMIT_CORE, NULL, &limit)), SHOW(limit.rlim_cur <= limit.rlim_max), CALL(prlimit(0, 99, NULL, &limit)), CALL(getrlimit(99, &limit)), SHOW(setgroups(0, NULL) == 0 || errno == EPERM), CALL(killpg(getpgrp(), 0)), CALL(killpg(-5, 0)), CALL(getdtablesize() > 2);
  SHOW(setpgrp()), CALL(wait3(NULL, 0, NULL)), CALL(getsid(0) >= 0), SHOW(clock_getcpuclockid(0, &(clockid_t){0})), CALL(syscall(SYS_gettid) == getpid()), CALL(tgkill(getpid(), getpid(), 0)), CALL(tgkill(getpid(), 1, 0)), CALL(setfsuid(geteuid()) == geteuid()), CALL(setfsgid(getegid()) == getegid());
}

int main(void) {
  attributes(), starts(), classes(), threads(), limits();
  return 0;
}
