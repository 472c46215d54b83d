/* A program with an outcome for each value of two bytes, from 0 to 255. Natively it prints the outcomes that there are, of
 * fresh files each time; in homi the bytes are symbolic and the outcome is the exit status. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "data.txt"

#ifndef ALONE
#define ALONE 0
#endif

int outcome(unsigned char a, unsigned char b);

/* An outcome for each errno that the calls here have. */
static inline int failed(void) {
  switch (errno) {
  case EINVAL: return 1;
  case EBADF: return 2;
  case EFAULT: return 3;
  case ENXIO: return 4;
  case ENOENT: return 5;
  case EEXIST: return 6;
  case ECHILD: return 7;
  case EACCES: return 8;
  default: return 9;
  }
}

#ifdef NATIVE
#include <sys/wait.h>

static void fresh(void) {
  int file = open(NAME, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (write(file, "abcdef", 6) != 6) exit(1);
  close(file);
  unlink("new");
}

/* In a process of its own where the program changes more than files. */
static int outcome_alone(unsigned char a, unsigned char b) {
  int status;
  pid_t process = fork();
  if (process == 0) _exit(outcome(a, b));
  if (waitpid(process, &status, 0) != process || !WIFEXITED(status)) exit(1);
  return WEXITSTATUS(status);
}

int main(void) {
  static char counts[256];
  umask(022);
  for (int a = 0; a < 256; a++)
    for (int b = 0; b < 256; b++) {
      fresh();
      counts[ALONE ? outcome_alone((unsigned char)a, (unsigned char)b) : outcome((unsigned char)a, (unsigned char)b) & 255] = 1;
      close_range(3, ~0u, 0);
    }
  for (int i = 0; i < 256; i++)
    if (counts[i]) printf("%d\n", i);
  return 0;
}
#else
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[2];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  int status = 0;
  /* A path for each outcome. */
  for (int result = outcome(bytes[0], bytes[1]) & 255; status != result; status++) {}
  return status;
}
#endif
