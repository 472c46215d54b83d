// Calls through pointers of another type, which -fsanitize=function reports and which go on.
// input: 1
// flags: -fsanitize=function
// report: function-type-mismatch
// undefined: function_type_mismatch
#include "outcome.h"
#include <stdlib.h>

typedef int unary(int);
typedef int binary(int, int);

static int next(int value) { return value + 1; }
static int sum(int a, int b) { return a + b; }
static int compare(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static long wide(long value) { return value + 2; }

int main(void) {
  unsigned char in, bytes[3] = {3, 1, 2};
  void *table[] = {(void *)next, (void *)sum, (void *)wide, (void *)abs};
  take(&in, 1);
  qsort(bytes, 3, 1, compare);
  if (bytes[0] != 1) return 90;
  unary *chosen = (unary *)table[in & 3];
  binary *other = (binary *)table[1];
  if (other(2, 3) != 5) return 91;
  /* With the registers of this processor the others get the word, too. */
  if ((in & 3) == 1) return ((binary *)chosen)(4, 5);
  return chosen(6);
}
