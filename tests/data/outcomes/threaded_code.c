// A small machine whose instructions are distances between labels.
// input: 3
// alphabet: 00 01 02 03 04 ff
#include "outcome.h"

int main(void) {
  unsigned char in[3];
  static const int distances[] = {&&push - &&halt, &&add - &&halt, &&twice - &&halt, &&swap - &&halt};
  take(in, 3);
  int stack[8] = {1, 2}, top = 2, at = 0;
#define NEXT \
  do { \
    if (at == 3 || in[at] > 3) goto halt; \
    goto *(&&halt + distances[in[at++]]); \
  } while (0)
  NEXT;
push:
  stack[top++] = at * 5;
  NEXT;
add:
  if (top < 2) return 90;
  top--;
  stack[top - 1] += stack[top];
  NEXT;
twice:
  if (top < 1) return 91;
  stack[top - 1] *= 2;
  NEXT;
swap:
  if (top < 2) return 92;
  int kept = stack[top - 1];
  stack[top - 1] = stack[top - 2];
  stack[top - 2] = kept;
  NEXT;
halt:
  return top ? stack[top - 1] + 40 * (at < 3) : 93;
}
