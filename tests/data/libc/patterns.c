// Patterns of names: each with each text and all flags, as sums of the answers.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const patterns[] = {
    "", "a", "*", "?", "a*", "*a", "*.c", "a*b", "[!a-c]x", "[^a]", "[]-]", "[[:digit:][:upper:]]", "[[.a.]]",
    "[[=a=]]", "[[:nope:]]", "[a", "[", "[]", "[!]", "a[", "\\*", "\\", "a\\", "\\a", "[\\a]", "[a\\]", "[a-",
    "[a-]", "[-a]", "[z-a]", "[a-c]", "[[.a.]-c]", "[[.hyphen.]]", "[[.-.]]", "[[.space.]]", "[a-[.c.]]",
    "[[=a=]b]", "[[=", "[[.", "[[:", "[[:alpha:", "[[:alpha:]", "[:alpha:]", "@(ab|cd)", "+(a|b)c", "!(x*)",
    "?(a)b", "*(ab)", "*(a|b)", "@(a", "@()", "!()", "+()", "?(", "!(a)", "!(a|b)*", "*(*(a)b)", "@(a|@(b|c))",
    "@([a)]|b)", "@(\\)|b)", "*(?)", "?*", "**", "*?", "***a", "ABC", "[A-C]", "[[:upper:]]", "[[:lower:]]",
    "usr", "usr*", "[/]", "[.]", "*/b", "?b", ".*", "*.*", "[!.]b", "@(.a|b)", "*(.)a", "!(.)", "!(*.c)", "a/*",
    "a?b", "\xc3\xa4", "?\xc3", "\xc3*", "[\xc3\xa4]", "[\xc3]", "[a-\xc3\xbc]", "[[:alpha:]]", "[![:alpha:]]",
    "\xff", "[\xff]", "+(\xc3\xa4)", "@(a/b|c)", "*@(a)*", "a!(b)c", "!(!(a))", "[a/b]", "[!/]", "[[:space:]]",
    "@(a|*)b", "*[!a]",
};
static const char *const texts[] = {
    "", "a", "b", "c", "x", "ab", "abc", "abbac", "cd", "ababa", "yx", "x.c", ".c", "a/b", "dx", "-", "]", "Q",
    "7", "[a", "[", "[]", "*", "\\", "\\x", "a\\", "a[", "a]", "/", "usr/lib", "usr", ".a/b", ".a", ".b",
    "b/.a", "a.c", "abc.c", "A", "ABC", "B", "z", "aa", "aab", "\xc3\xa4", "\xc3\xa4\xc3\xa4", "\xc3\x84",
    "\xc3", "a\xc3", "\xff", " ", "=", "[:alpha:", "alpha", "p:", "@(ab|cd)", "@(a", "!(a)", "ac", "abbc",
    "a/.b", "a/b/c", ")", "//b", "a.b", "..", ".",
};

int main(void) {
  int step = getenv("EVERY") ? 1 : 19;
  for (int l = 0; l < 2; l++) {
    setlocale(LC_ALL, l ? "C.UTF-8" : "C");
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
      unsigned long sum = 0, matches = 0;
      for (unsigned j = 0; j < sizeof texts / sizeof *texts; j++)
        for (int flags = j % step; flags < 64; flags += step) {
          int result = fnmatch(patterns[i], texts[j], flags);
          sum = sum * 31 + result, matches += !result;
        }
      printf("%s %lu %lx\n", patterns[i], matches, sum);
    }
  }
  return 0;
}
