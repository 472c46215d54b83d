// Options and operands in any order: operands are moved behind the options, as getopt does.
// input: 6
// alphabet: 2d 61 62 78 00
#include "outcome.h"
#include <string.h>

static char **words;
static int first_operand, at;

/* Exchanges the operands [first_operand, from) with the options [from, to). */
static void exchange(int from, int to) {
  while (from < to) {
    char *option = words[from];
    memmove(words + first_operand + 1, words + first_operand,
            (from - first_operand) * sizeof *words);
    words[first_operand++] = option;
    from++;
  }
}

int main(void) {
  static char text[3][3];
  char *list[5] = {"program", text[0], text[1], text[2], 0};
  int flags = 0;
  for (int i = 0; i < 3; i++) take(text[i], 2);
  words = list;
  first_operand = 1;
  for (at = 1; words[at]; at++) {
    char *word = words[at];
    if (word[0] != '-' || !word[1]) continue;
    if (!strcmp(word, "--")) {
      exchange(at, at + 1);
      break;
    }
    if (word[1] == 'a') flags |= 1;
    else if (word[1] == 'b') flags |= 2;
    else return 77;
    exchange(at, at + 1);
  }
  int rest = 0;
  while (words[first_operand + rest]) rest++;
  if (rest == 3 && flags) return 99;
  if (rest && words[first_operand][0] == 'x') flags |= 4;
  return each(flags * 8 + rest);
}
