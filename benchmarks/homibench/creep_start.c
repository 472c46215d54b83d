/* Preloaded into homi under callgrind: what starts /proc/self/exe starts HOMI_FILE instead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>

static const char *file(const char *path) {
  const char *homi = getenv("HOMI_FILE");
  return homi && strcmp(path, "/proc/self/exe") == 0 ? homi : path;
}

int posix_spawnp(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const words[], char *const variables[]) {
  int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
              char *const[], char *const[]) = dlsym(RTLD_NEXT, "posix_spawnp");
  return real(child, file(path), actions, attributes, words, variables);
}

int execvp(const char *path, char *const words[]) {
  int (*real)(const char *, char *const[]) = dlsym(RTLD_NEXT, "execvp");
  return real(file(path), words);
}
