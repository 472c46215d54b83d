// Sorting, searching, regular expressions, patterns, obstacks, exits, jumps.
#define _GNU_SOURCE
#include <error.h>
#include <errno.h>
#include <fnmatch.h>
#include <obstack.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

struct pair { int key, order; };
static int comparisons;

static int by_key(const void *a, const void *b) {
  comparisons++;
  return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

static void match(const char *pattern, int flags, const char *text) {
  regex_t regex;
  regmatch_t matches[3];
  char message[100];
  int code = regcomp(&regex, pattern, flags);
  if (code) {
    printf("'%s': no pattern\n", pattern);
    return;
  }
  code = regexec(&regex, text, 3, matches, 0);
  printf("'%s' '%s' groups %zu: %d", pattern, text, regex.re_nsub, code);
  if (!code)
    for (size_t i = 0; i <= regex.re_nsub && i < 3; i++) printf(" %d-%d", (int)matches[i].rm_so, (int)matches[i].rm_eo);
  regerror(code, &regex, message, sizeof message);
  printf("\n");
  regfree(&regex);
}

static void leave(int status, void *text) { printf("on_exit %d %s\n", status, (char *)text); }
static void say_bye(void) { printf("atexit\n"); }
__attribute__((constructor)) static void before(void) { printf("constructor\n"); }
__attribute__((destructor)) static void after(void) { printf("destructor\n"); }

int main(void) {
  for (int n = 0; n < 40; n += 3) {
    struct pair pairs[40];
    for (int i = 0; i < n; i++) pairs[i] = (struct pair){(i * 7 + 3) % 5, i};
    comparisons = 0;
    qsort(pairs, n, sizeof *pairs, by_key);
    printf("%d comparisons:", comparisons);
    for (int i = 0; i < n; i++) printf(" %d.%d", pairs[i].key, pairs[i].order);
    printf("\n");
  }
  match("a(b*)c", REG_EXTENDED, "xxabbc");
  match("a\\(b*\\)c", 0, "xxac");
  match("^[[:digit:]]+$", REG_EXTENDED, "123");
  match("^[[:digit:]]+$", REG_EXTENDED, "12x");
  match("(a|b)(c|d)", REG_EXTENDED | REG_ICASE, "zzBD");
  match("[", 0, "x");
  match("x{2,3}", REG_EXTENDED, "axxxxb");
  printf("%d %d %d %d\n", fnmatch("*.c", "a.c", 0), fnmatch("*.c", "a.h", 0), fnmatch("[a-c]?", "bz", 0), fnmatch("*", ".x", FNM_PERIOD));

  struct obstack stack;
  obstack_init(&stack);
  char *first = obstack_copy0(&stack, "first", 5);
  for (int i = 0; i < 3000; i++) obstack_grow(&stack, "0123456789", 10);
  obstack_1grow(&stack, 0);
  int size = obstack_object_size(&stack);
  char *second = obstack_finish(&stack);
  obstack_printf(&stack, "%d-%s", 42, "x");
  obstack_1grow(&stack, 0);
  char *third = obstack_finish(&stack);
  printf("%s %d %zu %s\n", first, size, strlen(second), third);
  obstack_free(&stack, second);
  printf("%s\n", first);
  obstack_free(&stack, NULL);

  jmp_buf buffer;
  volatile int round = 0;
  int value = setjmp(buffer);
  printf("setjmp %d\n", value);
  if (round++ < 3) longjmp(buffer, round - 1);

  atexit(say_bye);
  on_exit(leave, "with text");
  error(0, ENOENT, "message %d", 1);
  error(0, 0, "plain");
  error_at_line(0, EACCES, "file.c", 12, "at line");
  fflush(stdout);
  error(7, EINVAL, "the end");
}
