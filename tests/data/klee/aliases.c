// Functions that stand for others: what is told, and what is refused.
//
// klee: --output-dir=one --function-alias=three:four %p
// status: 0
// says: KLEE: function-alias: replaced @three with @four
// holds: one/messages.txt: KLEE: function-alias: replaced @three with @four
// prints: 4 7
//
// klee: --output-dir=two --function-alias=t.*:four %p
// status: 0
// says: KLEE: WARNING: function-alias: @two could not be replaced with @four: number of parameters differs
// says: KLEE: function-alias: replaced @three (matching 't.*') with @four
//
// klee: --output-dir=self --function-alias=(three|four):four %p
// status: 0
// says: KLEE: WARNING: function-alias: do not replace @four (matching '(three|four)') with @four: cannot replace itself
//
// klee: --function-alias=:four %p
// status: 1
// says: KLEE: ERROR: function-alias: name or pattern cannot be empty
//
// klee: --function-alias=three: %p
// status: 1
// says: KLEE: ERROR: function-alias: replacement cannot be empty
//
// klee: --function-alias=three:three %p
// status: 1
// says: KLEE: ERROR: function-alias: @three cannot replace itself
//
// klee: --function-alias=three:nine %p
// status: 1
// says: KLEE: ERROR: function-alias: replacement function @nine could not be found
//
// klee: --function-alias=two:four %p
// status: 1
// says: KLEE: WARNING: function-alias: @two could not be replaced with @four: number of parameters differs
// says: KLEE: ERROR: function-alias: no (replacable) match for 'two' found
//
// klee: --output-dir=other --function-alias=three:another_name %p
// status: 0
// says: KLEE: function-alias: replaced @three with @another_name
// prints: 4 7
#include <stdio.h>

int two(int add) { return 2 + add; }
int three(void) { return 3; }
int four(void) { return 4; }
int another_name(void) __attribute__((alias("four")));

int main(void) {
  printf("%d %d\n", three(), two(5));
  return 0;
}
