/* For programs whose output is compared between a native run and homi: each line shows an expression and its
 * value; a call that fails shows errno's number. Nothing printed may depend on the machine or the time. */
#ifndef SHOW_H
#define SHOW_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW(expression) printf("%s = %ld\n", #expression, (long)(expression))
#define SHOW_TEXT(expression) show_text(#expression, (expression))
#define SHOW_REAL(expression) printf("%s = %.12g\n", #expression, (double)(expression))
/* A call that returns -1 (or null) when it fails. */
#define CALL(expression) (errno = 0, show_call(#expression, (long)(expression)))

static inline void show_text(const char *expression, const char *text) {
  if (text) printf("%s = \"%s\"\n", expression, text);
  else printf("%s = null\n", expression);
}

static inline long show_call(const char *expression, long result) {
  if (result == -1) printf("%s fails with %d\n", expression, errno);
  else printf("%s = %ld\n", expression, result);
  return result;
}

#endif
