// Messages found by number in one long literal, in a table of literals, and one that is written to.
// input: 2
// alphabet: 00 01 02 03 04 05 06 07 0d 61
#include "outcome.h"
#include <string.h>

static const char all[] = "none\0again\0no such file\0range\0";
static const unsigned char offset[] = {0, 5, 11, 24};
static char *const words[] = {"zero", "one", "two", 0, "four"};
static char changeable[] = "zero";

int main(void) {
  unsigned char in[2];
  take(in, sizeof in);
  const char *message = all + offset[in[0] & 3];
  if (in[0] >= 64) {
    char *word = in[0] == 64 ? changeable : words[in[0] % 5];
    if (in[1] == 'a') word[0] = 'Z';
    if (in[0] == 64) return each(changeable[0] == 'Z' ? 70 : 71);
    return each(60 + (int)strlen(word));
  }
  if (in[1] < 30 && strcmp(message, all + in[1]) == 0) return each(20 + in[1]);
  return each((int)strlen(message));
}
