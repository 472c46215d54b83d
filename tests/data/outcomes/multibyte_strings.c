// A string of up to two bytes is counted and converted in a locale with UTF-8, then a character is read byte by byte.
// input: 2
#define _GNU_SOURCE
#include "outcome.h"
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t wide[4], c;
  mbstate_t state = {0};
  char *text = malloc(3);
  if (!setlocale(LC_ALL, "C.UTF-8") || !text) return 90;
  take(text, 2);
  text[2] = 0;
  size_t count = mbstowcs(0, text, 0);
  if (count != mbstowcs(wide, text, 4)) return 91;
  if (count == (size_t)-1) return mbrtowc(&c, text, 1, &state) == (size_t)-2 ? 10 : 11;
  if (count == 1 && text[1]) return iswlower(wide[0]) ? 3 : iswalpha(wide[0]) ? 4 : 5;
  return (int)count;
}
