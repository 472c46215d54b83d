/* The native side, in front of a case, whose main it renames.
 *
 *   program               the case itself
 *   program INPUTS SIZE   the case once for each input, one child process each
 *
 * INPUTS is a file of inputs of SIZE bytes one after another. Each is the standard input of one
 * child. For each a line says how the child ended, in `homi replay`'s words. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int case_main(void);

/* Read by AddressSanitizer. Finding the names for its reports would take longer than all else. */
const char *__asan_default_options(void) {
  return "symbolize=0:abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:"
         "detect_stack_use_after_return=1";
}

/* gcc's library of checks lacks it. */
__attribute__((weak)) void __ubsan_handle_function_type_mismatch(void *check, unsigned long function) {}

static void native_child(const unsigned char *input, size_t size) {
  int silent = open("/dev/null", O_WRONLY), file = memfd_create("input", 0);
  if (write(file, input, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0) _exit(252);
  dup2(file, 0);
  dup2(silent, 1);
  dup2(silent, 2);
  close(file);
  close(silent);
  alarm(10);
  exit(case_main());
}

int main(int count, char **words) {
  struct rlimit none = {0, 0};
  if (count < 3) return case_main();
  size_t size = (size_t)atoi(words[2]);
  unsigned char *input = malloc(size);
  /* No stream: a child that exits would move the position that it shares with this process. */
  int inputs = open(words[1], O_RDONLY);
  if (!size || !input || inputs < 0 || setrlimit(RLIMIT_CORE, &none)) return 1;
  while (read(inputs, input, size) == (ssize_t)size) {
    int status;
    pid_t child = fork();
    if (child == 0) native_child(input, size);
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (WIFEXITED(status)) dprintf(1, "exit %d\n", WEXITSTATUS(status));
    else dprintf(1, "signal SIG%s\n", sigabbrev_np(WTERMSIG(status)));
  }
  /* What the case registered to run at exit is its children's. */
  _exit(0);
}
#define main case_main
