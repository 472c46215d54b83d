// printf's less known lengths and flags, conversions that there are not, and formats that end too early.
// input: 1
#define _GNU_SOURCE
#include "outcome.h"
#include <stdio.h>
#include <string.h>

static const char *const formats[] = {"%Ld|%d", "%qd|%d", "%Zu|%d", "%Id|%d", "%b|%d", "%#b|%d", "%5%|%d", "%y|%d", "%k%d",
  "%d|%", "%-+ 5d|%d", "%.0d|%d", "%'d|%d", "%hhd|%d", "%td|%jd", "%ll", "%5", "%#.3x|%d", "%+.3o|%d", "%08.3d|%d", "%1$d|%1$x",
  "%2$d|%1$d", "%-08d|%d", "%+d|% d", "%lX|%p", "%!|%d", "%.|%d", "%.-3d|%d", "%hLd|%d", "%w|%d"};

int main(void) {
  unsigned char letter;
  char text[80];
  take(&letter, 1);
  if (letter >= sizeof formats / sizeof *formats) return 240;
  memset(text, 0, sizeof text);
  int length = snprintf(text, sizeof text, formats[letter], 300L, 7L, 0L);
  unsigned sum = (unsigned)length;
  for (int i = 0; text[i]; i++) sum = sum * 31 + (unsigned char)text[i];
  return each(sum % 239);
}
