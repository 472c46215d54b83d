// Tables of differences of labels, of indirect functions and of functions in read-only data.
// input: 2
// alphabet: 00 01 02 03 04
#include "outcome.h"

static int run(const unsigned char *code, int count) {
  static const int places[] = {&&stop - &&stop, &&add - &&stop, &&twice - &&stop, &&minus - &&stop};
  int value = 1;
  for (int at = 0; at < count; at++) {
    if (code[at] > 3) return 90;
    goto *(&&stop + places[code[at]]);
  add:
    value += 5;
    continue;
  twice:
    value *= 2;
    continue;
  minus:
    value -= 3;
    continue;
  stop:
    return value + 20;
  }
  return value + 30;
}

static int plain(int x) { return x + 1; }
static int fast(int x) { return x + 2; }
static int (*choose(void))(int) { return sizeof(long) == 8 ? fast : plain; }
int chosen(int) __attribute__((ifunc("choose")));
static int (*const table[])(int) = {plain, chosen, fast};

int main(void) {
  unsigned char in[2];
  take(in, 2);
  int value = run(in, 2);
  if (value == 90) return 90;
  return each(value + table[in[0] % 3](100) - 100);
}
