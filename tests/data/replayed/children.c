// Both sides of forks, by each way to start a process: what a parent sees of its child, and a child of its parent.
// run: --sym-args 0 1 1
// underapproximations: kernel
// statuses: 3 4 10 20 21 22 23 24 30 33 34 35 127
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int told;

static void on_child(int number) { told += number == SIGCHLD; }

static int as_child(int *ends, pid_t before, int has_argument) {
  char byte;
  if (getpid() == before || getppid() != before) return 50;
  if (write(ends[1], "hi", 2) != 2) return 51;
  close(ends[1]);
  /* What the child wrote itself, then the end. */
  if (read(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 0) return 52;
  return has_argument ? 4 : 3;
}

static int after_pipes(void) {
  FILE *stream = popen("cat", "r");
  int status;
  if (!stream || fgetc(stream) != EOF) return 60;
  status = pclose(stream);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 5) return 33;
  stream = popen("cat", "w");
  if (!stream || fputs("hello", stream) < 0) return 61;
  if (pclose(stream)) return 34;
  return 35;
}

int main(int argc, char **argv) {
  pid_t before = getpid(), child, found;
  int ends[2], status;
  char bytes[4];
  signal(SIGCHLD, on_child);
  if (pipe(ends)) return 70;
  child = fork();
  if (child < 0) return 71;
  if (child == 0) _exit(as_child(ends, before, argc > 1));
  close(ends[1]);
  if (kill(child, 0)) return 72;
  if (argc > 1 && argv[1][0] == 'k') {
    if (kill(child, SIGUSR1)) return 73;
    while ((found = waitpid(-1, &status, 0)) < 0 && errno == EINTR) {}
    return found == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1 && told ? 30 : 74;
  }
  if (read(ends[0], bytes, sizeof bytes) < 0 && errno != EINTR) return 75;
  while ((found = waitpid(child, &status, 0)) < 0 && errno == EINTR) {}
  if (found != child || !told) return 76;
  if (waitpid(-1, &status, 0) != -1 || errno != ECHILD) return 77;
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGTERM ? 10 : 79;
  if (WEXITSTATUS(status) == 0) return 20;
  if (WEXITSTATUS(status) == 77) return 21;
  status = system("exit 3");
  if (status == -1) return 78;
  if (WIFSIGNALED(status)) return 22;
  if (WEXITSTATUS(status) == 127) return 23;
  return argc > 1 ? 24 : after_pipes();
}
