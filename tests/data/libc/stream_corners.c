// Streams in each mode: results, errno and positions of every operation, memory streams that are full, orientation.
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define TOLD(call) (errno = 0, told(#call, (long)(call)))

static void told(const char *call, long result) {
  printf("%s = %ld", call, result);
  if (errno) printf(" errno %d", errno);
  puts("");
}

static void state(FILE *f) {
  printf("  end %d error %d at %ld readable %d writable %d waiting %d\n", feof(f) != 0, ferror(f) != 0, ftell(f), __freadable(f) != 0, __fwritable(f) != 0, (int)__fpending(f));
}

static void make(const char *text) {
  int fd = open("made", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  TOLD(write(fd, text, strlen(text)));
  close(fd);
}

static void show(void) {
  char text[200] = "";
  int fd = open("made", O_RDONLY);
  read(fd, text, sizeof text - 1);
  close(fd);
  printf("  file [%s]\n", text);
}

static void reading(FILE *f) {
  char many[20];
  TOLD(fgetc(f)), state(f);
  TOLD(fseek(f, 3, SEEK_SET)), TOLD(fgetc(f)), TOLD(ungetc('v', f)), TOLD(ungetc('w', f)), TOLD(ftell(f)), TOLD(fgetc(f)), state(f);
  TOLD(fseek(f, 0, SEEK_END)), TOLD(fgetc(f)), state(f);
  TOLD(ungetc('e', f)), TOLD(feof(f) != 0), TOLD(fgetc(f)), TOLD(fgetc(f));
  rewind(f), state(f);
  TOLD(fread(many, 1, 20, f)), state(f);
  clearerr(f);
  TOLD(fread(many, 3, 0, f)), TOLD(ungetc(EOF, f)), TOLD(fgets(many, 1, f) != 0), TOLD(fgets(many, 0, f) != 0);
}

static void writing(FILE *f) {
  TOLD(fputc('A', f)), state(f);
  TOLD(fflush(f)), TOLD(fseek(f, 2, SEEK_SET)), TOLD(fputs("xyz", f)), TOLD(ftell(f)), state(f);
  TOLD(ftruncate(fileno(f), 5)), TOLD(ftell(f)), TOLD(fflush(f)), TOLD(ftell(f));
  TOLD(fseek(f, -1, SEEK_SET)), TOLD(fseek(f, 0, 9)), TOLD(fseek(f, -100, SEEK_CUR)), TOLD(ftell(f));
  TOLD(fwrite("q", 0, 1, f)), TOLD(fwrite("pq", 1, 2, f));
  TOLD(setvbuf(f, NULL, _IONBF, 0)), show(), TOLD(fputs("!", f)), show(), state(f);
}

static void modes(void) {
  static const char *const all[] = {"r", "w", "a", "r+", "w+", "a+", "rb", "w+b", "ab+", "x", "wx", "re", "", "z", "rw", "+r"};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    make("0123456789");
    errno = 0;
    FILE *f = fopen("made", all[i]);
    printf("mode '%s': %d errno %d\n", all[i], f != NULL, errno);
    if (!f) continue;
    state(f);
    if (__freadable(f)) reading(f);
    TOLD(fseek(f, 0, SEEK_CUR));
    writing(f);
    if (!__freadable(f)) TOLD(fgetc(f));
    TOLD(fclose(f));
    show();
  }
}

static void memory(void) {
  static const char *const all[] = {"r", "w", "a", "r+", "w+", "a+", ""};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    for (int size = 9; size < 13; size += 3) {
      char room[13] = "hello\0world";
      errno = 0;
      FILE *f = fmemopen(room, size, all[i]);
      printf("memory '%s' %d: %d errno %d\n", all[i], size, f != NULL, errno);
      if (!f) continue;
      TOLD(fgetc(f)), TOLD(fseek(f, 0, SEEK_END)), TOLD(ftell(f));
      TOLD(fputs("XY", f)), TOLD(fflush(f)), state(f);
      TOLD(fseek(f, 2, SEEK_SET)), TOLD(fputs("Z", f)), TOLD(fflush(f));
      TOLD(fseek(f, 20, SEEK_SET)), TOLD(fseek(f, -1, SEEK_SET)), TOLD(fclose(f));
      for (int k = 0; k < 13; k++) putchar(room[k] ? room[k] : '~');
      puts("");
    }
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  for (int i = 0; i < 900; i++) fprintf(f, "%d,", i);
  TOLD(ftell(f)), TOLD(fflush(f)), TOLD(fseek(f, -1, SEEK_SET)), TOLD(fclose(f));
  printf("%zu %zu\n", size, strlen(text));
  free(text);
}

static void orientations(void) {
  FILE *f = fopen("made", "w+");
  TOLD(fwide(f, 0)), TOLD(fprintf(f, "narrow ")), TOLD(fwide(f, 1)), TOLD(fwprintf(f, L"x")), TOLD(fputws(L"x", f)), TOLD(fputwc(L'x', f));
  TOLD(fclose(f)), show();
  f = fopen("made", "w+");
  TOLD(fwprintf(f, L"wide %5d %s %g %c ", 42, "text", 2.5, 'c')), TOLD(fwide(f, -1)), TOLD(fprintf(f, "x")), TOLD(fputs("x", f)), TOLD(fwrite("x", 1, 1, f));
  TOLD(fputws(L"end", f)), TOLD(fclose(f)), show();
  f = fopen("made", "r");
  wchar_t word[9];
  int number;
  char letter;
  TOLD(fwscanf(f, L"%8ls %d", word, &number)), TOLD(fscanf(f, "%c", &letter)), TOLD(fclose(f));
  printf("%ls %d\n", word, number);
}

static void wide_characters(void) {
  wchar_t line[9];
  make("a\xc3\xa4\xff" "b\n");
  FILE *f = fopen("made", "r");
  TOLD(fgetwc(f)), TOLD(ftell(f)), TOLD(fgetwc(f)), TOLD(ftell(f)), TOLD(fgetwc(f)), TOLD(ftell(f)), TOLD(fgetwc(f));
  rewind(f);
  TOLD(fgetws(line, 9, f) != 0), TOLD(ferror(f) != 0), TOLD(fclose(f));
  make("zz");
  f = fopen("made", "r");
  TOLD(ungetwc(0x20ac, f)), TOLD(fgetwc(f)), TOLD(ungetwc(WEOF, f));
  TOLD(fgetws(line, 1, f) != 0), TOLD(fgetws(line, 2, f) != 0), TOLD(fgetws(line, 9, f) != 0), TOLD(fgetws(line, 9, f) != 0), TOLD(fclose(f));
}

static void full_memory(void) {
  static const char *const all[] = {"w", "w+", "a", "r+"};
  for (int i = 0; i < 4; i++) {
    for (int count = 6; count < 11; count++) {
      char room[9] = "ab";
      FILE *f = fmemopen(room, 8, all[i]);
      for (int put = 0; put < count; put++) fputc('0' + put, f);
      TOLD(fflush(f)), TOLD(ferror(f)), TOLD(ftell(f)), TOLD(room[7]);
      clearerr(f);
      TOLD(fputc('z', f)), TOLD(fflush(f)), TOLD(ferror(f)), TOLD(fclose(f)), TOLD(room[7]);
    }
  }
}

static void descriptors(void) {
  TOLD(fdopen(99, "r") != 0);
  int fd = open("made", O_RDONLY);
  TOLD(fdopen(fd, "w") != 0), TOLD(fdopen(fd, "a") != 0), TOLD(fdopen(fd, "r+") != 0), TOLD(fdopen(fd, "q") != 0);
  FILE *f = fdopen(fd, "r");
  TOLD(f != 0), TOLD(close(fd)), TOLD(fgetc(f)), TOLD(fseek(f, 0, SEEK_SET)), TOLD(ftell(f)), TOLD(fclose(f));
  TOLD(fopen("none/made", "w") != 0), TOLD(fopen(".", "w") != 0);
  f = fopen(".", "r");
  TOLD(f != 0), TOLD(fgetc(f)), TOLD(fclose(f));
  TOLD(puts("counted")), TOLD(puts(""));
}

int main(void) {
  modes();
  memory();
  full_memory();
  setlocale(LC_ALL, "C.UTF-8");
  orientations();
  wide_characters();
  descriptors();
  return 0;
}
