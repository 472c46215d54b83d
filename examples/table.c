// Prints the abbreviation of a day number. The upper bound is checked, but not the lower one.
//
// homi finds a negative number, which reads before the table. A single query decides if the index
// can leave the table, so homi needs no test per index.
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
