/* wordexp: quotes, parameters, sums, names of files, and what is no word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

static const char *const words[] = {
    "a b  c", "$A", "\"$A\"", "'$A'", "${B:-x}", "${C-def}", "${A:+yes}", "${#A}", "$((1+2*3))", "~", "~/x",
    "a$B b", "\\a\\ b", "x|y", "\"a", "${A", "$((1/0))", "{a,b}", "$UNDEF", "${UNDEF:?msg}", "$1", "${A%o}",
    "${A#o}", "${A%%w*}", "${A=z}", "a=\"b c\"d", "'it''s'", "\"\\$A\"", "$((A))", "$(( (1 << 3) | 1 ))", "a\nb",
    "<", ";", "&", "(", ")", "{", "}", "\t", "#x", "a#b", "$P", "\"$P\"", "x$A", "x${A}y", "$A$A", "\"\"", "''",
    "\"\"x", "$", "a$", "$ a", "\"$\"", "$-", "${}", "${-}", "${#}", "${1}", "${10}", "$10", "$((  ))",
    "$((2*(3+4)))", "$((-5))", "$((7/2))", "$((1+))", "$((5 5))", "$((0x10))", "$((B))", "a~", "a ~", "\"~\"",
    "~nosuch", "~/", "~:x", "\\~", "*nosuch*", "\"*\"", "\\*", "[abc", "'a", "\\", "${A:0:1}", "${A/x/y}",
    "${A-${B-c}}", "${B-c}", "${B+c}", "${C+c}", "${N-e}${V+f}", "${N:=q}$N", "${B:=r}$B", "a  ", "  a", "", "   ",
    "a'b'\"c\"d", "$A\"$A\"", "\"a\\b\"", "\"a\\\"b\"", "\"a\\\nb\"", "a\\\nb", "${V#a}", "${V##*}", "${V%%*}",
    "${V%b}", "${V#'a '}", "${V:?}", "a`", "$((1", "$((1)", "$(a", "~+", "a:~", "${#1}", "${#UNDEF}", "$*",
    "$@", "$#", "$?", "$!", "$A/", "\"${A}\"", "\"${B:-'x'}\"", "${B:-\"x y\"}", "${B:-x y}", "\"${B:-x y}\"",
    "${C:-$A}",
    "*.none", "mad[e]", "m*e", "'m'*", "\"m*\"",
};

static void show(const char *text, int flags) {
  wordexp_t found;
  memset(&found, 0, sizeof found);
  setenv("B", "", 1);
  unsetenv("N");
  int error = wordexp(text, &found, WRDE_NOCMD | flags);
  printf("[%s] %d:", text, error);
  for (size_t i = 0; !error && i < found.we_wordc; i++) printf(" <%s>", found.we_wordv[i]);
  puts("");
  if (!error) wordfree(&found);
}

int main(void) {
  wordexp_t found = {.we_offs = 2};
  fclose(fopen("made", "w"));
  setenv("HOME", "/h", 1), setenv("A", "one two", 1), setenv("P", "m*", 1), setenv("V", "a b", 1);
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) show(words[i], 0), show(words[i], WRDE_UNDEF);
  printf("%d", wordexp("a b", &found, WRDE_DOOFFS));
  printf(" %d", wordexp("c", &found, WRDE_DOOFFS | WRDE_APPEND));
  printf(" %d", wordexp("d |", &found, WRDE_DOOFFS | WRDE_APPEND));
  printf(" %zu %d %s\n", found.we_wordc, found.we_wordv[0] == NULL, found.we_wordv[4]);
  printf("%d", wordexp("e", &found, WRDE_DOOFFS | WRDE_REUSE));
  printf(" %zu %s\n", found.we_wordc, found.we_wordv[2]);
  setenv("IFS", ":", 1), setenv("A", "x:y z:", 1);
  show("$A b:c", 0), show("\"$A\"", 0);
  wordfree(&found);
  return 0;
}
