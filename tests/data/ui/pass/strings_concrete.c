// expect: exits 1
// level: -O0
#include <klee/klee.h>
#include <string.h>
int main(void) {
  const char *s = "hello, world";
  char buffer[20];
  klee_assert(strlen(s) == 12 && strlen("") == 0 && strnlen(s, 4) == 4 && strnlen(s, 40) == 12);
  klee_assert(strcmp(s, "hello, world") == 0 && strcmp(s, "hello") > 0 && strcmp("hello", s) < 0);
  klee_assert(strncmp(s, "help", 3) == 0 && strncmp(s, "help", 4) < 0);
  klee_assert(strchr(s, 'o') == s + 4 && strchr(s, 'z') == 0 && strchr(s, 0) == s + 12);
  klee_assert(memchr(s, 'w', 12) == s + 7 && memchr(s, 'w', 7) == 0);
  klee_assert(strcpy(buffer, s) == buffer && strcmp(buffer, s) == 0);
  return 0;
}
