// Hooks that are weak until somebody defines them, other names, names that are not there, tables of them.
// input: 1
#include "outcome.h"
#include <stddef.h>

__attribute__((weak)) int hook(int value) { return value; }
static int real(int value) { return value + 3; }
extern int other(int value) __attribute__((alias("real_name")));
int real_name(int value) { return real(value); }
extern int absent(int value) __attribute__((weak));
extern int absent_word __attribute__((weak));
static int __attribute__((noinline)) twice(int value) { return 2 * value; }
extern int weak_twice(int value) __attribute__((weak, alias("twice_name")));
int twice_name(int value) { return twice(value); }

static int (*const table[])(int) = {hook, other, absent, weak_twice};

int main(void) {
  unsigned char in;
  take(&in, 1);
  int (*chosen)(int) = table[in & 3];
  if (&absent_word) return 90;
  if (!chosen) return absent ? 92 : 1;
  return chosen(10);
}
