// Names are kept once: equal ones are compared by address, as long as both were looked up.
// input: 3
// alphabet: 61 62 63 00
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

struct name {
  struct name *next;
  char text[3];
};
static struct name *names[8];

static const char *intern(const char *text) {
  unsigned hash = (unsigned char)text[0] * 31u + (text[0] ? (unsigned char)text[1] : 0);
  struct name **at = &names[hash & 7];
  for (; *at; at = &(*at)->next)
    if (!strcmp((*at)->text, text)) return (*at)->text;
  if (!(*at = calloc(1, sizeof **at))) _exit(249);
  strcpy((*at)->text, text);
  return (*at)->text;
}

int main(void) {
  char one[3] = {0}, two[3] = {0};
  take(one, 2);
  take(two, 1);
  const char *keyword = intern("ab"), *other = intern("c");
  const char *first = intern(one), *second = intern(two);
  if ((first == second) != (strcmp(one, two) == 0)) return 100;
  if (first == keyword) return each(second == other ? 41 : 42);
  if (first == other) return each(second == keyword ? 43 : 44);
  return each(first == second ? 45 : 46);
}
