// A walk through a maze. Each byte of the standard input is a step: u, d, l or r.
//
// homi finds the steps that lead from X to the exit #, as the test of a failed assertion. It forks
// at each field, so it explores all ways together.
//
// run: --sym-stdin 12
// finds: assert line 37

#include <assert.h>
#include <unistd.h>

enum { WIDTH = 7, HEIGHT = 5, STEPS = 12 };

static const char maze[HEIGHT][WIDTH + 1] = {
    "+-----+",
    "|X|   |",
    "| | | |",
    "|   |#|",
    "+-----+",
};

int main(void) {
  char steps[STEPS];
  ssize_t count = read(0, steps, sizeof steps);
  int row = 1, column = 1;
  for (ssize_t i = 0; i < count; i++) {
    int next_row = row, next_column = column;
    switch (steps[i]) {
    case 'u': next_row--; break;
    case 'd': next_row++; break;
    case 'l': next_column--; break;
    case 'r': next_column++; break;
    default: return 1;
    }
    char field = maze[next_row][next_column];
    if (field == '#')
      assert(!"the exit is never reached");
    if (field != ' ')
      return 2;
    row = next_row;
    column = next_column;
  }
  return 0;
}
