// fnmatch with classes, equivalents, names of characters and the patterns of ksh; versions compared.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <fnmatch.h>
#include <string.h>

static const char *const patterns[] = {"+(a|b)", "!(a|b)c", "*(ab)", "?(a)b", "@(ab|c)", "[[.a.]]b", "[[=a=]]*", "[[:alpha:]]?",
  "[!a]*", "[]a]b", "[a-", "a\\*", "*b", "?b", "[a-c][^b]"};
static const char *const names[] = {"ab", "a*", ".b", "b"};

int main(void) {
  unsigned char letter;
  take(&letter, 1);
  int pattern = letter & 15, name = letter >> 4 & 3;
  if (pattern == 15) {
    int order = strverscmp(names[name], letter & 64 ? "a09" : "a1");
    return each(200 + (order > 0) * 2 + (order < 0));
  }
  int flags = letter & 128 ? FNM_EXTMATCH : letter & 64 ? FNM_PERIOD : 0, status = 0;
  if (fnmatch(patterns[pattern], names[name], flags) == 0) status = 1;
  if (fnmatch(patterns[pattern], names[name], flags | FNM_NOESCAPE) == 0) status += 2;
  return each(status * 16 + pattern);
}
