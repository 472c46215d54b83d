// What is in a stream's buffer and what in the file: sizes, full buffers, changes between reading and writing, closing, reopening.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOLD(call) (errno = 0, told(#call, (long)(call)))

static void told(const char *call, long result) { printf("%s = %ld errno %d\n", call, result, errno); }

static void make(const char *text) {
  int fd = open("made", O_CREAT | O_TRUNC | O_WRONLY, 0644);
  write(fd, text, strlen(text));
  close(fd);
}

static void show(const char *when) {
  char text[60] = "";
  struct stat file;
  int fd = open("made", O_RDONLY);
  fstat(fd, &file);
  read(fd, text, sizeof text - 1);
  close(fd);
  printf("  %s: %ld [%s]\n", when, (long)file.st_size, text);
}

static void filling(void) {
  char *many = malloc(20000);
  memset(many, 'm', 20000);
  static const int sizes[] = {1, 100, 1024, 4095, 4096, 4097, 5000, 9000, 20000};
  for (int i = 0; i < 9; i++)
    for (int before = 0; before < 5000; before += 1700) {
      make("");
      FILE *f = fopen("made", "w");
      TOLD(fwrite(many, 1, before, f));
      TOLD(fwrite(many, 1, sizes[i], f)), TOLD(__fpending(f)), TOLD(lseek(fileno(f), 0, SEEK_CUR));
      TOLD(fputc('x', f)), TOLD(__fpending(f)), TOLD(fclose(f));
    }
  FILE *f = fopen("made", "w");
  for (int i = 0; i < 4096; i++) fputc('c', f);
  TOLD(__fpending(f)), TOLD(fputc('d', f)), TOLD(__fpending(f)), TOLD(fprintf(f, "%5000d", 7)), TOLD(__fpending(f)), TOLD(fclose(f));
  free(many);
}

static void sizes(void) {
  static char room[9000];
  for (int mode = 0; mode < 2; mode++)
    for (int size = 1; size < 9000; size = size * 4 + 1) {
      make("");
      FILE *f = fopen("made", "w");
      TOLD(setvbuf(f, room, mode, size));
      fputs("ab", f), show("two"), fputs("c\nd", f), show("five"), fputs("0123456789abcdef", f), show("more");
      TOLD(fclose(f));
    }
  make("0123456789abcdefghijklmnop");
  for (int size = 1; size < 30; size += 7) {
    FILE *f = fopen("made", "r");
    TOLD(setvbuf(f, room, _IOFBF, size));
    TOLD(fgetc(f)), TOLD(lseek(fileno(f), 0, SEEK_CUR)), TOLD(fread(room + 100, 1, 10, f)), TOLD(lseek(fileno(f), 0, SEEK_CUR)), TOLD(ftell(f));
    TOLD(fclose(f));
  }
}

static void changes(void) {
  make("0123456789");
  FILE *f = fopen("made", "r+");
  TOLD(fgetc(f)), TOLD(fputc('X', f)), TOLD(fgetc(f)), TOLD(fputc('Y', f)), TOLD(ftell(f)), TOLD(fclose(f)), show("changed");
  f = fopen("made", "r+");
  TOLD(fgetc(f)), TOLD(ungetc('q', f)), TOLD(fputc('W', f)), TOLD(fclose(f)), show("pushed back");
  int fd = open("made", O_RDWR);
  f = fdopen(dup(fd), "r");
  TOLD(fgetc(f)), TOLD(lseek(fd, 0, SEEK_CUR)), TOLD(fflush(f)), TOLD(lseek(fd, 0, SEEK_CUR)), TOLD(fgetc(f)), TOLD(fclose(f)), TOLD(lseek(fd, 0, SEEK_CUR));
  TOLD(lseek(fd, 2, SEEK_SET));
  f = fdopen(dup(fd), "a");
  TOLD(ftell(f)), TOLD(fputs("zz", f)), TOLD(fclose(f)), TOLD(lseek(fd, 0, SEEK_CUR)), show("appended");
  close(fd);
}

static void reopening(void) {
  make("0123456789");
  FILE *f = fopen("made", "r");
  TOLD(fgetc(f)), TOLD((f = freopen(NULL, "r", f)) != NULL), TOLD(fgetc(f)), TOLD((f = freopen(NULL, "r+", f)) != NULL), TOLD(fputs("w", f));
  TOLD((f = freopen(NULL, "a", f)) != NULL), TOLD(fputs("e", f)), TOLD(ftell(f)), show("before"), TOLD(fclose(f)), show("after");
  f = fopen("made", "w"), fputs("hello", f);
  TOLD((f = freopen("made", "r", f)) != NULL), TOLD(fgetc(f)), TOLD(fputc('x', f)), TOLD(fclose(f)), show("read");
}

int main(void) {
  filling();
  sizes();
  changes();
  reopening();
  return 0;
}
