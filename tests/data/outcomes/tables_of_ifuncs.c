// Functions that are chosen at the start, in tables of constants, compared, and handed on.
// input: 2
// alphabet: 00 01 02 03 ff
#include "outcome.h"
#include <stdlib.h>

static int plain(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int clever(const void *a, const void *b) { return *(const unsigned char *)b - *(const unsigned char *)a; }
static int chosen_by = 1;
static void *choose(void) { return chosen_by ? (void *)clever : (void *)plain; }
int compare(const void *a, const void *b) __attribute__((ifunc("choose")));
static int fixed(void) { return 7; }
static void *choose_fixed(void) { return (void *)fixed; }
int number(void) __attribute__((ifunc("choose_fixed")));

static const struct {
  int (*compare)(const void *, const void *);
  int (*number)(void);
} operations[] = {{plain, number}, {compare, fixed}};

int main(void) {
  unsigned char in[3];
  take(in, 2);
  in[2] = 9;
  int which = in[0] & 1;
  if (operations[0].number() != 7 || operations[1].number() != 7) return 90;
  if (operations[1].compare != compare) return 91;
  qsort(in, 3, 1, operations[which].compare);
  if (which ? in[0] < in[1] || in[1] < in[2] : in[0] > in[1] || in[1] > in[2]) return 92;
  return in[0] == 9 ? 1 : in[2] == 9 ? 2 : 3;
}
