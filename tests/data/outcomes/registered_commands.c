// Commands that register themselves in a section; the table is walked and searched.
// input: 2
// alphabet: 61 64 6d 72 73 78
#include "outcome.h"
#include <string.h>

struct command {
  char name[2];
  short cost;
  int (*run)(int);
};
#define COMMAND(letters, price) \
  static int run_##letters(int x); \
  static const struct command command_##letters __attribute__((used, section("commands"), aligned(8))) = {#letters, price, run_##letters}; \
  static int run_##letters(int x)
extern const struct command __start_commands[], __stop_commands[];
COMMAND(a, 3) { return x + 1; }
COMMAND(s, 4) { return x - 1; }
COMMAND(m, 5) { return x * 3; }
COMMAND(d, 6) { return x ? 60 / x : 99; }
extern const struct command absent_start[] __attribute__((weak));

int main(void) {
  unsigned char in[2];
  take(in, 2);
  int value = 10, total = 0;
  if (absent_start) return 90;
  if (__stop_commands - __start_commands != 4) return 91;
  for (int i = 0; i < 2; i++) {
    const struct command *found = 0;
    for (const struct command *at = __start_commands; at < __stop_commands; at++)
      if (at->name[0] == in[i] && !at->name[1]) found = at;
    if (!found) return 80 + i;
    value = found->run(value);
    total += found->cost;
  }
  return value + total;
}
