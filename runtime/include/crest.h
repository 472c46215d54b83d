/* For programs that were written for CREST: its macros in terms of klee/klee.h.
 *
 * Each makes one variable an input of the run. The input is named by the text of the argument, so a program that
 * is replayed takes the values in the order of the calls. */
#ifndef HOMI_CREST_H
#define HOMI_CREST_H

#include "klee/klee.h"

/* The input is an object of its own, so that the variable may be part of a larger one. */
#define HOMI_CREST_INPUT(type, variable)                                       \
  do {                                                                         \
    type homi_crest_input, *homi_crest_variable = &(variable);                 \
    klee_make_symbolic(&homi_crest_input, sizeof homi_crest_input, #variable); \
    *homi_crest_variable = homi_crest_input;                                   \
  } while (0)

#define CREST_unsigned_char(variable) HOMI_CREST_INPUT(unsigned char, variable)
#define CREST_unsigned_short(variable) HOMI_CREST_INPUT(unsigned short, variable)
#define CREST_unsigned_int(variable) HOMI_CREST_INPUT(unsigned int, variable)
#define CREST_char(variable) HOMI_CREST_INPUT(char, variable)
#define CREST_short(variable) HOMI_CREST_INPUT(short, variable)
#define CREST_int(variable) HOMI_CREST_INPUT(int, variable)

#endif
