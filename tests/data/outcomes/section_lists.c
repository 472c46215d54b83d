// Lists that the linker puts together, of records, pointers and bytes; constructors in order.
// input: 2
// alphabet: 61 62 63 00 64
#include "outcome.h"
#include <string.h>

struct command {
  char name[4];
  int (*run)(int);
};
#define COMMAND(name)                                                                              \
  static int run_##name(int value);                                                                \
  static struct command command_##name                                                             \
      __attribute__((used, section("commands"), aligned(8))) = {#name, run_##name};                \
  static int run_##name(int value)

COMMAND(a) { return 10 + value; }
COMMAND(b) { return 20 + value; }
COMMAND(ab) { return 30 + value; }

extern struct command __start_commands[], __stop_commands[];

static const char *const words[] __attribute__((used, section("word_list"))) = {"x", "yz"};
static const char *const more __attribute__((used, section("word_list"))) = "more";
extern const char *const __start_word_list[], *const __stop_word_list[];

static unsigned char marks[3] __attribute__((used, section("mark_list"))) = {1, 2, 3};
extern unsigned char __start_mark_list[], __stop_mark_list[];

static int order;
__attribute__((constructor(300))) static void third(void) { order = order * 10 + 3; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor)) static void last(void) { order = order * 10 + 4; }
static void listed(void) { order = order * 10 + 5; }
static void (*const entry)(void) __attribute__((used, section(".init_array"))) = listed;

int main(void) {
  unsigned char in[2];
  char name[3] = {0};
  take(in, 2);
  if (order != 12345 && order != 12354) return 90;
  if (__stop_commands - __start_commands != 3 || __stop_word_list - __start_word_list != 3) return 91;
  if (__stop_mark_list - __start_mark_list != 3 || strcmp(__start_word_list[2], "more")) return 92;
  for (unsigned char *mark = __start_mark_list; mark < __stop_mark_list; mark++) *mark += 1;
  if (marks[2] != 4) return 93;
  memcpy(name, in, 2);
  for (struct command *at = __start_commands; at < __stop_commands; at++)
    if (strcmp(name, at->name) == 0) return at->run((int)(at - __start_commands));
  return 2;
}
