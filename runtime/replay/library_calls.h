/* Records of library calls, as library_calls.c writes them and src/native/replay/library_calls.rs reads them. */
#ifndef HOMI_LIBRARY_CALLS_H
#define HOMI_LIBRARY_CALLS_H
#include <stdint.h>

enum { MOST_CALLS = 16384, MOST_FUNCTIONS = 2048, NAME_BYTES = 40, ARGUMENTS = 6, TEXT_BYTES = 48 };

/* 752 bytes; all zero after the last call. */
struct call {
  char name[NAME_BYTES];
  uint64_t stack;                      /* the stack pointer at the call */
  uint64_t arguments[ARGUMENTS];       /* the integer registers */
  uint64_t result, float_result;       /* rax, and the low half of xmm0 */
  uint64_t return_address;
  uint8_t has_returned;
  uint8_t known_before, known_after;   /* by argument: it points to memory */
  uint8_t has_result_text;
  uint8_t unused[4];
  char before[ARGUMENTS][TEXT_BYTES];  /* the bytes that each argument points to, at the call */
  char after[ARGUMENTS][TEXT_BYTES];   /* and when it returned */
  char result_text[TEXT_BYTES];        /* the bytes that the result points to */
};
#endif
