// What a fuzzer calls is known without an option.
//
// klee: --output-dir=out %p
// status: 0
// says: ASSERTION FAIL
// counts: out .assert.err 1
#include <assert.h>
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (size > 1 && data[0] == 'o' && data[1] == 'k') assert(0);
  return 0;
}
