// scanf, strtol and strtod on numbers that break off, fields that are short, and names of no number.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {"12", "0x", "0xz", "0x1p", "1.0e+!", "1e", ".e1", "nan(12)", "nan(", "infinit", "-inf.", "+5x",
  "0x.p0", "0x1.8p3q", "  7", "08", "-", ""};

static int scanned(const char *text) {
  char rest[70] = "................";
  int number = -9, count = sscanf(text, "%i %63c", &number, rest);
  return count * 7 + number + (rest[0] == '.' ? 0 : rest[0]);
}

static int real(const char *text) {
  char *end, rest[8] = ".";
  double first = -3, second = strtod(text, &end);
  int count = sscanf(text, "%lf%1s", &first, rest);
  int whole = first == first && first > -1e9 && first < 1e9 ? (int)first : 5;
  int other = second == second && second > -1e9 && second < 1e9 ? (int)second : 6;
  return count * 11 + whole + 3 * other + (int)(end - text) * 5 + rest[0];
}

int main(void) {
  unsigned char letter;
  take(&letter, 1);
  int way = letter >> 6, which = letter & 63;
  if (which >= (int)(sizeof texts / sizeof *texts) || way > 2) return 240;
  const char *text = texts[which];
  if (way == 0) return each((unsigned)scanned(text) % 239);
  if (way == 1) return each((unsigned)real(text) % 239);
  char *end;
  errno = 0;
  long value = strtol(text, &end, 0);
  return each((unsigned)(value * 13 + (end - text) * 3 + errno) % 239);
}
