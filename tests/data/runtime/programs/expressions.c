/* Regular expressions by POSIX's and by GNU's interface, of all syntaxes, on patterns that implementations see differently. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <string.h>

static void posix(const char *pattern, const char *text, int flags) {
  regex_t r; regmatch_t m[4]; char message[100];
  int e = regcomp(&r, pattern, flags);
  regerror(e, &r, message, sizeof message);
  printf("%s /%s/ %d: %d %s", text, pattern, flags, e, message);
  if (!e) {
    printf(" nsub %zu", r.re_nsub);
    e = regexec(&r, text, 4, m, 0);
    printf(" -> %d", e);
    if (!e) for (int i = 0; i < 4; i++) printf(" %d-%d", (int)m[i].rm_so, (int)m[i].rm_eo);
    regfree(&r);
  }
  printf("\n");
}

int main(void) {
  const char *patterns[] = {"a", "(a", "\\(a\\)\\1", "(a|b)*c", "a\\|b", "a\\+b", "[[:alpha:]]+", "[a", "a{2,1}", "a{1,2}", "\\w\\b", "*a", "+a", "^a$", "x*", "(a)(b)?(c)", "\\<a", "[[.a.]]", "[b-a]", "a\\", "()", "a||b", "[[=a=]b]", "\\d", "a{,2}", "{1}", "[]a]", "[^]a]", "(^a)", "a**", "\\(\\)", "(\\w+) \\1"};
  const char *texts[] = {"a", "aab", "abc", "xx aa aa", "", "A]b\n", "foo foo"};
  int flags[] = {0, REG_EXTENDED, REG_ICASE, REG_EXTENDED | REG_NEWLINE};
  for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++)
    for (unsigned t = 0; t < 7; t++)
      for (int f = 0; f < 4; f++) posix(patterns[p], texts[t], flags[f]);
  struct re_pattern_buffer b; struct re_registers regs;
  memset(&b, 0, sizeof b); memset(&regs, 0, sizeof regs);
  reg_syntax_t syntaxes[] = {RE_SYNTAX_EMACS, RE_SYNTAX_GREP, RE_SYNTAX_EGREP, RE_SYNTAX_AWK, RE_SYNTAX_POSIX_BASIC, RE_SYNTAX_ED};
  for (unsigned s = 0; s < 6; s++)
    for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
      re_set_syntax(syntaxes[s]);
      memset(&b, 0, sizeof b);
      const char *error = re_compile_pattern(patterns[p], strlen(patterns[p]), &b);
      if (error) { printf("%u %s: %s\n", s, patterns[p], error); continue; }
      for (unsigned t = 0; t < 7; t++)
        printf("%u %s %s: %d %d\n", s, patterns[p], texts[t], (int)re_search(&b, texts[t], strlen(texts[t]), 0, strlen(texts[t]), &regs), (int)re_match(&b, texts[t], strlen(texts[t]), 0, &regs));
      regfree(&b);
    }
  printf("%zu %zu\n", sizeof(regex_t), sizeof(regmatch_t));
}
