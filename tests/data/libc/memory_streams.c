// Streams in memory that are read, moved and closed in the middle, and a buffer that is taken away.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void moved(void) {
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  fputs("hello", stream);
  rewind(stream);
  int first = getc(stream), second = getc(stream);
  printf("%c%c\n", first, second);
  fputc('J', stream);
  fflush(stream);
  printf("%s %zu\n", text, size);
  fseek(stream, 3, SEEK_SET);
  fclose(stream);
  printf("%s %zu\n", text, size);
  free(text);
}

static void unbuffered(void) {
  char read[32] = "";
  FILE *stream = fopen("unbuffered", "w");
  setvbuf(stream, NULL, _IONBF, 0);
  fputs("abc", stream);
  setvbuf(stream, NULL, _IOFBF, 10);
  fputs("0123456789", stream);
  FILE *other = fopen("unbuffered", "r");
  printf("%s\n", fgets(read, sizeof read, other));
  fclose(other);
  fclose(stream);
  printf("%d\n", __fsetlocking(stdout, FSETLOCKING_QUERY));
}

static void stacks(void) {
  static char room[16384];
  stack_t stack = {.ss_sp = room, .ss_size = 100, .ss_flags = 77};
  int result = sigaltstack(&stack, NULL);
  printf("%d %d\n", result, errno);
  stack.ss_flags = 0;
  result = sigaltstack(&stack, NULL);
  printf("%d %d\n", result, errno);
  stack.ss_size = sizeof room;
  printf("%d\n", sigaltstack(&stack, NULL));
  printf("%d\n", brk(0));
}

int main(void) {
  moved();
  unbuffered();
  stacks();
  return 0;
}
