// iconv: names of sets, marks at the beginning, what a target lacks, input that is wrong or ends early, little room.
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static void hexadecimal(const char *from, const char *end) {
  for (; from < end; from++) printf(" %02x", *from & 255);
}

static void convert(const char *to, const char *from, const char *text, size_t size, size_t room) {
  char bytes[100], *in = (char *)text, *out = bytes, *start;
  iconv_t set = iconv_open(to, from);
  printf("%s <- %s [%zu, %zu]:", to, from, size, room);
  if (set == (iconv_t)-1) {
    printf(" errno %d\n", errno);
    return;
  }
  for (int again = 0; again < 2; again++) {
    errno = 0;
    start = out;
    long result = iconv(set, &in, &size, &out, &room);
    printf(" %ld errno %d left %zu room %zu", result, result < 0 ? errno : 0, size, room);
    hexadecimal(start, out);
  }
  start = out;
  printf("; reset %zd", iconv(set, NULL, NULL, &out, &room));
  hexadecimal(start, out);
  in = "A\0\0";
  size = 4;
  start = out;
  printf("; then %zd", iconv(set, &in, &size, &out, &room));
  hexadecimal(start, out);
  puts("");
  iconv_close(set);
}

static const char *const sets[] = {"UTF-8", "utf8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32BE", "UCS-2", "UCS-2BE", "UNICODE",
  "UCS-4", "WCHAR_T", "ASCII", "ANSI_X3.4-1968", "ISO-8859-1", "latin1", "ISO8859-15", "CP1252", "KOI8-R", "IBM850", "MACINTOSH", "IBM037",
  "ASCII//TRANSLIT", "ASCII//IGNORE", "ISO-8859-1//TRANSLIT//IGNORE", "none", "", "//TRANSLIT", "UTF_8", "UTF-8,x", "utf8 ", "ASCII//FOO", "char",
  "INTERNAL", "ISO-10646/UCS2", "437"};

int main(void) {
  static const char word[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
  setlocale(LC_ALL, "C");
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    convert(sets[i], "UTF-8", word, sizeof word - 1, 90);
    convert(sets[i], "UTF-8", "a\xff" "b\xe2\x82", 5, 90);
    convert(sets[i], "UTF-16LE", "\0\xd8" "a\0", 4, 90);
    convert("UTF-8", sets[i], "\xff\xfe" "a\0\0\xe4", 6, 90);
    convert("UTF-8", sets[i], "\xfe\xff\0a", 4, 90);
    convert("UTF-16LE", sets[i], "ab\xe4", 3, 90);
  }
  for (size_t room = 0; room < 8; room++) {
    convert("UTF-16", "UTF-8", word, 3, room);
    convert("UTF-32", "UTF-8", word, 3, room);
    convert("ASCII//TRANSLIT", "UTF-8", word, 6, room);
    convert("ASCII//IGNORE", "ISO-8859-1", "\xe4" "a\xf6\xfc" "b\xdf", 6, room);
  }
  convert("ASCII//TRANSLIT", "UTF-8", "\xe2\x80\x9cx\xe2\x80\x9d\xc3\x9f\xe2\x80\xa6\xef\xac\x81\xe2\x85\xa7\xef\xbb\xbf", 22, 90);
  convert("UTF-8", "UTF-8", "\xc0\x80", 2, 90);
  convert("UTF-8", "UTF-8", "\xed\xa0\x80", 3, 90);
  convert("UTF-8", "UTF-8", "\xf4\x90\x80\x80", 4, 90);
  convert("UTF-8//IGNORE", "UTF-8", "x\xf8\x88\x80y\xe2(\xa1z", 9, 90);
  convert("UTF-8", "EUC-JP", "\xa4\xa2z", 3, 90);
  convert("SHIFT_JIS", "UTF-8", "\xe3\x81\x82z", 4, 90);
  return 0;
}
