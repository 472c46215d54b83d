// What calls leave behind, refuse, or say about themselves, where libraries differ.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tokens(void) {
  char text[] = "a,b", *rest;
  for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) printf("%s|%s\n", word, rest);
  printf("%ld\n", (long)(rest - text));
}

static void versions(void) {
  static const char *const texts[] = {"", "a", "a0", "a00", "a01", "a1", "a09", "a9", "a10", "a*", "ab", "b", "0", "00", "1", "010", "1.2",
    "1.10", "a0b", "000", "a.", "a0.1"};
  enum { COUNT = sizeof texts / sizeof *texts };
  for (int i = 0; i < COUNT * COUNT; i++) {
    int order = strverscmp(texts[i / COUNT], texts[i % COUNT]);
    printf("%c", "<=>"[(order > 0) - (order < 0) + 1]);
  }
  printf("\n");
}

static void pushed_back(void) {
  FILE *file = tmpfile();
  fputs("abc", file);
  rewind(file);
  ungetc('x', file);
  errno = 0;
  printf("%ld %d\n", ftell(file), errno);
  fgetc(file);
  fgetc(file);
  ungetc('y', file);
  printf("%ld\n", ftell(file));
  fclose(file);
}

int main(void) {
  char text[40];
  pthread_key_t key;
  tokens();
  versions();
  pushed_back();
  printf("[%s] [%s] [%s]\n", basename("/"), basename("a/b/"), basename("a/b"));
  size_t length = confstr(_CS_GNU_LIBC_VERSION, text, sizeof text);
  printf("%zu %d\n", length, strncmp(text, "glibc 2.", 8));
  length = confstr(_CS_GNU_LIBPTHREAD_VERSION, text, sizeof text);
  printf("%zu %d\n", length, strncmp(text, "NPTL 2.", 7));
  printf("%d %d\n", ttyname_r(99, text, 3), ttyname_r(99, text, sizeof text));
  printf("%d %d\n", pthread_key_delete(9999), pthread_setspecific(9999, text));
  printf("%d %d %d\n", pthread_key_create(&key, NULL), pthread_key_delete(key), pthread_key_delete(key));
  psignal(SIGTERM, "");
  psignal(99, NULL);
  psignal(SIGINT, "name");
  return 0;
}
