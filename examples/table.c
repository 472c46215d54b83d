// A day's number as a word. The upper bound is checked, the lower one is forgotten.
//
// What homi finds: a negative number, with which the read lies before the table. One question says
// whether the index can leave the table; no test per index is needed.
//
// run: --sym-arg 2
// finds: ptr line 18

#include <stdio.h>
#include <stdlib.h>

static const char *const days[7] = {"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"};

int main(int argc, char **argv) {
  int day = argc > 1 ? atoi(argv[1]) : 0;
  if (day >= 7)
    return 1;
  puts(days[day]);
  return 0;
}
