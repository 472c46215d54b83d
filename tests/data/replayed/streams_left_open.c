// A stream that the program never closes is written at its exit, and what replays leave is what was predicted.
// run: --sym-stdin 1
// statuses: 1 2
#include <stdio.h>

int main(void) {
  int letter = getchar();
  FILE *left = fopen("left", "w");
  if (!left) return 9;
  fputs(letter == 'a' ? "much\n" : "little\n", left);
  return letter == 'a' ? 1 : 2;
}
