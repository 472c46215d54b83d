// Memory, strings, characters, texts of errors.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  for (int c = -1; c < 256; c++)
    printf("%d:%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", c, !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c),
        !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
  for (int c = 0; c < 300; c++)
    printf("%d:%d%d%d%d%d%d%d%d %u %u %d\n", c, !!iswalnum(c), !!iswalpha(c), !!iswcntrl(c), !!iswgraph(c), !!iswlower(c),
        !!iswprint(c), !!iswpunct(c), !!iswspace(c), (unsigned)towlower(c), (unsigned)towupper(c), wcwidth(c));
  for (int i = -1; i < 140; i++) printf("%d %s\n", i, strerror(i));
  for (int i = 0; i < 70; i++) printf("%d %s\n", i, strsignal(i));
  char buffer[100];
  printf("%s|%s\n", strerror_r(2, buffer, sizeof buffer), strerror_r(999, buffer, sizeof buffer));
  static const char *const words[] = {"", "a", "ab", "abc", "abd", "b", "ABC", "a\xff", "banana", "anan"};
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) {
      const char *found = strstr(words[i], words[j]);
      printf("%d%d%d%d %ld %ld %zu %zu\n", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)),
          sign(strcasecmp(words[i], words[j])), sign(strcoll(words[i], words[j])), found ? found - words[i] : -1L,
          (long)(strchrnul(words[i], words[j][0]) - words[i]), strspn(words[i], words[j]), strcspn(words[i], words[j]));
    }
  char text[] = ",a,,b,c,", *rest = text, *word, *save;
  while ((word = strsep(&rest, ","))) printf("[%s]", word);
  strcpy(text, ",a,,b,c,");
  for (word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) printf("<%s>", word);
  printf("\n%s %s %d\n", (char *)memmem("haystack", 8, "st", 2), (char *)memrchr("banana", 'a', 6), sign(strverscmp("a9", "a10")));
  printf("%s %s %s\n", strdup("dup"), strndup("dupdup", 3), basename("/usr/lib/x"));
  stpcpy(stpcpy(buffer, "one"), "two");
  printf("%s %zu %zu\n", buffer, strnlen(buffer, 3), strlen(buffer));
  mbstate_t state = {0};
  wchar_t wide;
  for (int b = 0; b < 256; b++) {
    char byte = b;
    memset(&state, 0, sizeof state);
    printf("%zd ", mbrtowc(&wide, &byte, 1, &state));
  }
  printf("%zu %zu %d\n", MB_CUR_MAX, wcslen(L"wide"), wcscmp(L"a", L"a"));
  return 0;
}
