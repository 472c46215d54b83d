// Registries in sections of which one may be empty, with weak ends, alignments and removal of entries at run time.
// input: 1
#include "outcome.h"
#include <stddef.h>
#include <string.h>

struct command {
  const char *name;
  int (*run)(int);
  int flags;
} __attribute__((aligned(8)));
#define COMMAND(word, function, bits)                                                              \
  static const struct command command_##function                                                   \
      __attribute__((section("commands"), used)) = {word, function, bits}

static int twice(int value) { return 2 * value; }
static int next(int value) { return value + 1; }
static int same(int value) { return value; }
COMMAND("twice", twice, 1);
COMMAND("next", next, 2);
COMMAND("same", same, 4);

extern const struct command __start_commands[], __stop_commands[];
extern const struct command __start_nothing[] __attribute__((weak)), __stop_nothing[] __attribute__((weak));
extern void absent(void) __attribute__((weak));

int main(void) {
  unsigned char in;
  int value = 3, count = 0;
  take(&in, 1);
  if (absent) absent();
  for (const struct command *at = __start_nothing; at < __stop_nothing; at++) return 90;
  if (__stop_commands - __start_commands != 3) return 91;
  for (const struct command *at = __start_commands; at != __stop_commands; at++) {
    if (!(at->flags & in)) continue;
    value = at->run(value);
    count++;
  }
  return each(10 * count + value);
}
