// Where the descriptor of a stream is after reads, seeks, flushes and the end; wide streams with every buffer; streams of functions.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static void at(const char *what, FILE *f) {
  printf("%s: descriptor %ld, stream %ld\n", what, (long)lseek(fileno(f), 0, SEEK_CUR), ftell(f));
}

static void reading(void) {
  char line[100];
  FILE *f = fopen("lines", "r");
  fgets(line, sizeof line, f), at("one line", f);
  fseek(f, 0, SEEK_CUR), at("nowhere", f);
  fseek(f, 100, SEEK_SET), at("first seek", f);
  fseek(f, 50, SEEK_SET), at("back in the buffer", f);
  fgets(line, sizeof line, f), printf("%s", line), at("a line there", f);
  fseek(f, 5000, SEEK_SET), at("another page", f);
  fseek(f, -3, SEEK_CUR), at("back", f);
  ungetc('?', f), fseek(f, 0, SEEK_CUR), printf("%c\n", fgetc(f));
  fseek(f, -5, SEEK_END), at("near the end", f);
  while (fgetc(f) != EOF) {}
  at("the end", f), fseek(f, 4200, SEEK_SET), at("from the end", f);
  rewind(f), at("rewound", f), fgets(line, sizeof line, f);
  printf("%d ", fflush(f)), at("flushed", f);
  fseek(f, 20, SEEK_CUR), at("and on", f);
  fgetc(f);
  int other = dup(fileno(f));
  fclose(f);
  printf("closed %ld\n", (long)lseek(other, 0, SEEK_CUR));
  close(other);
}

static void both(void) {
  char line[100];
  FILE *f = fopen("lines", "r+");
  fgets(line, sizeof line, f), fseek(f, 0, SEEK_CUR), fputs("LINE", f), at("written", f);
  fflush(f), at("flushed", f);
  fseek(f, 4100, SEEK_SET), fgets(line, sizeof line, f), printf("%s", line), at("read", f);
  fclose(f);
}

/* Nothing of a pipe can be read again, so a flush keeps it. */
static void piped(void) {
  int ends[2];
  char line[20] = "";
  if (pipe(ends)) return;
  write(ends[1], "one\ntwo\n", 8);
  close(ends[1]);
  FILE *f = fdopen(ends[0], "r");
  fgets(line, sizeof line, f);
  int flushed = fflush(f);
  printf("%d %s", flushed, fgets(line, sizeof line, f) ? line : "nothing\n");
  fclose(f);
}

static void wide(void) {
  wchar_t text[20] = L"", *words;
  static char small[16];
  size_t size;
  FILE *f = fopen("lines", "r");
  setvbuf(f, NULL, _IONBF, 0);
  int found = fwscanf(f, L"%10ls %l[0-9]", text, text + 8);
  printf("%d %x %x\n", found, text[0], text[8]);
  fclose(f), f = fopen("wide", "w");
  setvbuf(f, small, _IOFBF, sizeof small), fputws(L"abc\n", f), at("wide text", f);
  errno = 0, found = fwscanf(f, L"%d", &found), printf("%d %d %d\n", found, errno, ferror(f) != 0);
  fclose(f), f = open_wmemstream(&words, &size);
  fwprintf(f, L"%d\x20ac", 5), fclose(f);
  printf("%zu %x\n", size, words[1]);
  f = fopen("wide", "w");
  printf("%d %d\n", ungetc('p', f), fgetc(f));
  fclose(f);
}

static ssize_t three(void *cookie, char *to, size_t n) {
  static int calls;
  printf("asked for %zu\n", n);
  memset(to, 'a' + calls, 3);
  return calls++ < 3 ? 3 : 0;
}

static void functions(void) {
  char text[20] = "";
  FILE *f = fopencookie(NULL, "r", (cookie_io_functions_t){.read = three});
  int c = fgetc(f);
  size_t n = fread(text, 1, 7, f);
  printf("%c %zu %s\n", c, n, text);
  fclose(f);
}

static void addresses(void) {
  static const unsigned char all[][16] = {{[7] = 1, [15] = 1}, {[0] = 1, [15] = 1}, {[3] = 1}, {[10] = 255, 255, 1, 2, 3, 4}, {[15] = 9},
      {[12] = 1}, {[1] = 1, [5] = 1, [9] = 1, [13] = 1}, {0}};
  char text[50], *end = text + 3;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) printf("%s\n", inet_ntop(AF_INET6, all[i], text, sizeof text));
  strcpy(text, "kept");
  printf("%d %s\n", inet_ntop(AF_INET, all[3], text, 5) != 0, text);
  memset(text, '-', 10);
  printf("%zu %.5s %c\n", strxfrm(text, "abc", 2), text, *end);
}

int main(void) {
  FILE *f = fopen("lines", "w");
  for (int i = 0; i < 1000; i++) fprintf(f, "line %d\n", i);
  fclose(f);
  reading(), both(), piped(), wide(), functions(), addresses();
  return 0;
}
