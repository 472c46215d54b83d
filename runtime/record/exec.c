/* Programs that any process of the recorded command starts: their environment gets the recorder even if it
 * was emptied (env -i), or does not show the recorder, as in a recorded program. */
#define _GNU_SOURCE
#include "recorder.h"
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* The environment for what is started, in room of the caller's stack: the caller may be a child of vfork. */
#define WITH(envp) homi_with_variables(envp, __builtin_alloca((homi_count(envp) + HOMI_EXTRA) * sizeof(char *)))

SHOWN int execve(const char *path, char *const argv[], char *const envp[]) {
  int (*real)(const char *, char *const *, char *const *) = homi_next("execve");
  return real(path, argv, WITH(envp));
}

SHOWN int execvpe(const char *file, char *const argv[], char *const envp[]) {
  int (*real)(const char *, char *const *, char *const *) = homi_next("execvpe");
  return real(file, argv, WITH(envp));
}

SHOWN int fexecve(int fd, char *const argv[], char *const envp[]) {
  int (*real)(int, char *const *, char *const *) = homi_next("fexecve");
  return real(fd, argv, WITH(envp));
}

SHOWN int execv(const char *path, char *const argv[]) {
  return execve(path, argv, environ);
}

SHOWN int execvp(const char *file, char *const argv[]) {
  return execvpe(file, argv, environ);
}

/* The words of a call, on the caller's stack. */
#define WORDS(words, first, list)                                   \
  char **words;                                                     \
  size_t count_##words = 1, index_##words;                          \
  va_list list;                                                     \
  va_start(list, first);                                            \
  while (va_arg(list, char *)) count_##words++;                     \
  va_end(list);                                                     \
  words = __builtin_alloca((count_##words + 1) * sizeof(char *));   \
  words[0] = (char *)first;                                         \
  va_start(list, first);                                            \
  for (index_##words = 1; index_##words <= count_##words; index_##words++) words[index_##words] = va_arg(list, char *)

SHOWN int execl(const char *path, const char *first, ...) {
  WORDS(words, first, list);
  va_end(list);
  return execve(path, words, environ);
}

SHOWN int execlp(const char *file, const char *first, ...) {
  WORDS(words, first, list);
  va_end(list);
  return execvpe(file, words, environ);
}

SHOWN int execle(const char *path, const char *first, ...) {
  char *const *envp;
  WORDS(words, first, list);
  envp = va_arg(list, char *const *);
  va_end(list);
  return execve(path, words, envp);
}

SHOWN int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
  int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
              char *const *) = homi_next("posix_spawn");
  return real(process, path, actions, attributes, argv, WITH(envp));
}

SHOWN int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
  int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
              char *const *) = homi_next("posix_spawnp");
  return real(process, file, actions, attributes, argv, WITH(envp));
}

/* libc starts the shell of these two itself, with the environment as it stands. */
SHOWN int system(const char *command) {
  int (*real)(const char *) = homi_next("system"), status;
  char **own = environ;
  environ = (char **)WITH(own);
  status = real(command);
  environ = own;
  return status;
}

SHOWN FILE *popen(const char *command, const char *mode) {
  FILE *(*real)(const char *, const char *) = homi_next("popen"), *stream;
  char **own = environ;
  environ = (char **)WITH(own);
  stream = real(command, mode);
  environ = own;
  return stream;
}
