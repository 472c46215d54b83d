/* Regular expressions and option parsing. */
#include <getopt.h>
#include <regex.h>

#include "show.h"

static void match(const char *pattern, const char *text, int flags) {
  regex_t compiled;
  regmatch_t found[4];
  int error = regcomp(&compiled, pattern, flags);
  if (error) {
    printf("%s: bad\n", pattern);
    return;
  }
  printf("%s on %s: groups %zu", pattern, text, compiled.re_nsub);
  if (regexec(&compiled, text, 4, found, 0) == 0)
    for (int i = 0; i < 4; i++)
      if (found[i].rm_so >= 0) printf(" [%d,%d)", (int)found[i].rm_so, (int)found[i].rm_eo);
  printf("\n");
  regfree(&compiled);
}

static void options(int argc, char **argv) {
  static const struct option longs[] = {{"all", no_argument, NULL, 'a'}, {"file", required_argument, NULL, 'f'},
                                        {"level", optional_argument, NULL, 'l'}, {0, 0, 0, 0}};
  int c, index = -1;
  optind = 0;
  opterr = 1;
  while ((c = getopt_long(argc, argv, "ab:c::f:", longs, &index)) != -1) {
    printf("option %d '%c' argument %s index %d\n", c, c > 32 ? c : ' ', optarg ? optarg : "none", index);
    index = -1;
  }
  for (int i = optind; i < argc; i++) printf("left %s\n", argv[i]);
}

int main(void) {
  match("a.c", "xabcx", REG_EXTENDED);
  match("(a+)(b*)", "caabbd", REG_EXTENDED);
  match("^$", "", REG_EXTENDED);
  match("[[:alpha:]]+[0-9]{2,3}", "__ab1234", REG_EXTENDED);
  match("(foo|bar)+baz", "xfoobarbaz", REG_EXTENDED);
  match("HELLO", "say hello", REG_EXTENDED | REG_ICASE);
  match("\\(a\\)\\1", "baab", 0);
  match("a\\{2\\}", "baab", 0);
  match("a+", "a+", 0);
  match("^b", "a\nb", REG_EXTENDED | REG_NEWLINE);
  match("[^a-c]", "abcd", REG_EXTENDED);
  match("a|", "b", REG_EXTENDED);
  match("(", "x", REG_EXTENDED);
  match("[a", "x", REG_EXTENDED);
  match("a{3,1}", "x", REG_EXTENDED);
  match("x*", "aaa", REG_EXTENDED);
  match("\\.", "a.b", REG_EXTENDED);
  match("(a)|(b)", "b", REG_EXTENDED);
#define OPTIONS(...)                                                       \
  do {                                                                     \
    char *argv[] = {"prog", __VA_ARGS__, NULL};                            \
    options((int)(sizeof argv / sizeof argv[0]) - 1, argv);                \
  } while (0)
  OPTIONS("-a", "-b", "x", "file", "-cy", "--all", "--file=z", "--", "-a");
  OPTIONS("--level", "--level=3", "--fi", "v", "-ab");
  OPTIONS("-z", "--nonsense", "--all=5", "--file");
  OPTIONS("one", "-a", "two", "-f", "three", "four");
  return 0;
}
