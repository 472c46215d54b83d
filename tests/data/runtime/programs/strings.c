/* Strings and blocks of memory. */
#include <strings.h>
#include <unistd.h>

#include "show.h"

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
  char text[64], other[64], *rest, *token;
  const char *sample = "the quick brown fox";
  SHOW(strlen(""));
  SHOW(strnlen(sample, 4));
  SHOW_TEXT(strcpy(text, sample));
  SHOW(stpcpy(text, "abc") - text);
  SHOW_TEXT(strcat(text, "def"));
  SHOW_TEXT(strncat(text, "ghijkl", 2));
  memset(text, '#', sizeof text);
  strncpy(text, "ab", 4);
  SHOW(text[3]);
  SHOW(text[4]);
  SHOW(sign(strcmp("a", "b")));
  SHOW(sign(strcmp("\xff", "a")));
  SHOW(sign(strncmp("abc", "abd", 2)));
  SHOW(strcasecmp("HeLLo", "hEllO"));
  SHOW(sign(strncasecmp("abX", "ABy", 3)));
  SHOW(sign(strcoll("a", "B")));
  SHOW(strxfrm(text, "sorted", sizeof text));
  SHOW(strchr(sample, 'q') - sample);
  SHOW(strchr(sample, 'z') == NULL);
  SHOW(strchr(sample, 0) - sample);
  SHOW(strrchr(sample, 'o') - sample);
  SHOW(strchrnul(sample, 'z') - sample);
  SHOW(strstr(sample, "brown") - sample);
  SHOW(strstr(sample, "") - sample);
  SHOW(strstr(sample, "browns") == NULL);
  SHOW(strcasestr(sample, "QUICK") - sample);
  SHOW(strspn(sample, "eht "));
  SHOW(strcspn(sample, "xyz"));
  SHOW(strpbrk(sample, "xq") - sample);
  strcpy(text, ",a,,b;c,");
  for (token = strtok_r(text, ",;", &rest); token; token = strtok_r(NULL, ",;", &rest)) SHOW_TEXT(token);
  strcpy(text, "x::y");
  rest = text;
  while ((token = strsep(&rest, ":"))) SHOW_TEXT(token);
  SHOW_TEXT(strdup("copied"));
  SHOW_TEXT(strndup("copied", 3));
  SHOW_TEXT(basename("/usr/lib/x"));
  SHOW(memcmp("abc", "abd", 2));
  SHOW(sign(memcmp("abc\0x", "abc\0y", 5)));
  SHOW((char *)memchr(sample, 'k', 10) - sample);
  SHOW(memchr(sample, 'k', 5) == NULL);
  SHOW((char *)memrchr(sample, 'o', 19) - sample);
  SHOW((char *)rawmemchr(sample, 'w') - sample);
  SHOW((char *)memmem(sample, 19, "fox", 3) - sample);
  memcpy(text, "0123456789", 11);
  SHOW_TEXT(memmove(text + 2, text, 5) ? text : "");
  memcpy(text, "0123456789", 11);
  SHOW_TEXT(memmove(text, text + 2, 5) ? text : "");
  SHOW((char *)mempcpy(other, "xyz", 4) - other);
  SHOW((char *)memccpy(other, sample, 'u', 64) - other);
  SHOW(strverscmp("file10", "file9") > 0);
  SHOW(strverscmp("1.01", "1.1") < 0);
  SHOW(ffs(0x50));
  SHOW(ffsl(0));
  SHOW(bcmp("a", "b", 1) != 0);
  bzero(text, 4);
  SHOW(text[3]);
  swab("badc", text, 4);
  text[4] = 0;
  SHOW_TEXT(text);
  for (int i = 0; i < 40; i++) SHOW_TEXT(strerror(i));
  SHOW_TEXT(strerror(9999));
  return 0;
}
