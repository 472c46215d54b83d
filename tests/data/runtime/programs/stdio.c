/* Formatted output and input, streams on files and on memory. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "show.h"

static void formats(void) {
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%i]\n", 42, 42, 42, 42, 42, 42, 42, -42);
  printf("[%u] [%o] [%x] [%X] [%#x] [%#o] [%08x]\n", 42u, 42u, 0xbeefu, 0xbeefu, 0xbeefu, 8u, 0xbeefu);
  printf("[%hhd] [%hd] [%ld] [%lld] [%zu] [%jd] [%td]\n", 300, 70000, -5L, 1LL << 40, (size_t)7, (intmax_t)-8, (ptrdiff_t)9);
  printf("[%s] [%10s] [%-10s] [%.2s] [%*s] [%-*s] [%.*s]\n", "text", "text", "text", "text", 6, "ab", 6, "ab", 1, "xyz");
  printf("[%c] [%5c] [%%] [%p]\n", 'x', 'y', (void *)0x1234);
  printf("[%f] [%.0f] [%.3f] [%10.2f] [%-10.2f] [%+.1f] [%#.0f]\n", 3.14159, 2.5, 2.0005, -1.005, 1.5, 0.05, 3.0);
  printf("[%e] [%.2E] [%g] [%g] [%g] [%G] [%#g]\n", 12345.678, 0.00012, 100000.0, 1000000.0, 0.0001, 1e-10, 1.0);
  printf("[%a] [%.2a] [%Lf] [%Le] [%Lg]\n", 1.0, 3.999, 1.25L, 1e300L, 0.1L);
  printf("[%f] [%F] [%5.1f] [%g]\n", 1.0 / 0.0, -1.0 / 0.0, -0.0, 0.0 / 0.0 > 0 ? 1.0 : 2.0);
  printf("[%2$s %1$s]\n", "world", "hello");
  printf("[%.17g] [%.20f] [%.40g]\n", 0.1, 1.0 / 3, 1e22);
  int position;
  printf("12345%n\n", &position);
  SHOW(position);
  char small[5];
  SHOW(snprintf(small, sizeof small, "%s", "overflow"));
  SHOW_TEXT(small);
  SHOW(snprintf(NULL, 0, "%d%d", 123, 456));
  char *made;
  SHOW(asprintf(&made, "<%d>", 77));
  SHOW_TEXT(made);
  SHOW(dprintf(99, "x"));
}

static void scanning(void) {
  int a = 0, b = 0, c = 0;
  unsigned x = 0;
  long big = 0;
  double real = 0;
  float single = 0;
  char word[20] = "", set[20] = "", ch = 0;
  SHOW(sscanf("12 -7 0x1f", "%d %d %i", &a, &b, &c));
  printf("%d %d %d\n", a, b, c);
  SHOW(sscanf("ff 077 9999999999", "%x %o %ld", &x, (unsigned *)&a, &big));
  printf("%u %d %ld\n", x, a, big);
  SHOW(sscanf("  word 3.5e2 1.25", "%s %lf %f", word, &real, &single));
  printf("%s %g %g\n", word, real, single);
  SHOW(sscanf("abc123", "%[a-z]%n%d", set, &a, &b));
  printf("%s %d %d\n", set, a, b);
  SHOW(sscanf("x,y", "%c,%c", &ch, word));
  SHOW(sscanf("12345", "%2d%3d", &a, &b));
  printf("%d %d\n", a, b);
  SHOW(sscanf("nope", "%d", &a));
  SHOW(sscanf("", "%d", &a));
  SHOW(sscanf("7 skipped 8", "%d %*s %d", &a, &b));
  SHOW(sscanf("100%", "%d%%", &a));
  SHOW(sscanf("]x", "%[]x]", set));
  SHOW_TEXT(set);
  SHOW(sscanf("a b", "%[^ ]", set));
  SHOW_TEXT(set);
}

static void streams(void) {
  char text[100];
  FILE *file = fopen("s", "w+");
  SHOW(fprintf(file, "line one\nline two\n\nlast"));
  SHOW(ftell(file));
  rewind(file);
  SHOW_TEXT(fgets(text, sizeof text, file));
  SHOW_TEXT(fgets(text, 5, file));
  SHOW(fgetc(file));
  SHOW(ungetc('Q', file));
  SHOW(fgetc(file));
  SHOW(fseek(file, -4, SEEK_END));
  SHOW(fread(text, 1, 10, file));
  SHOW(feof(file) != 0);
  SHOW(ferror(file));
  clearerr(file);
  SHOW(feof(file));
  SHOW(fseek(file, 5, SEEK_SET));
  SHOW(fwrite("ONE", 1, 3, file));
  SHOW(fseeko(file, 0, SEEK_SET));
  char *line = NULL;
  size_t room = 0;
  ssize_t n;
  while ((n = getline(&line, &room, file)) >= 0) printf("%zd %s|\n", n, line);
  rewind(file);
  n = getdelim(&line, &room, 't', file);
  printf("%zd %s|\n", n, line);
  SHOW(fclose(file));
  file = fopen("s", "a");
  fputs("+", file);
  SHOW(ftell(file));
  fclose(file);
  SHOW(fopen("none", "r") == NULL);
  SHOW(errno);
  SHOW(fopen("s", "zz") == NULL);
  file = fopen("s", "r");
  SHOW(fputc('x', file));
  SHOW(ferror(file) != 0);
  SHOW(fseek(file, -1, SEEK_SET));
  int count = 0, ch;
  while ((ch = getc(file)) != EOF) count += ch;
  SHOW(count);
  file = freopen("host.txt", "r", file);
  SHOW_TEXT(fgets(text, sizeof text, file));
  SHOW(fileno(file));
  fclose(file);
  file = tmpfile();
  SHOW(file != NULL);
  if (file) {
    setvbuf(file, NULL, _IONBF, 0);
    fputs("abc", file);
    rewind(file);
    SHOW(getc(file));
    fclose(file);
  }
  SHOW(fopen("nowhere/x", "wx") == NULL);
  SHOW(fopen("s", "wx") == NULL);
  file = fopen("/dev/full", "w");
  SHOW(fputs("x", file) >= 0);
  SHOW(fflush(file));
  SHOW(errno);
  fclose(file);
}

static void memory_streams(void) {
  char area[20] = "prefilled", *made = NULL;
  size_t size = 0;
  FILE *file = fmemopen(area, sizeof area, "r+");
  SHOW(fgetc(file));
  rewind(file);
  fprintf(file, "%d", 12345);
  fflush(file);
  SHOW_TEXT(area);
  fclose(file);
  file = open_memstream(&made, &size);
  for (int i = 0; i < 50; i++) fprintf(file, "%d,", i);
  fclose(file);
  SHOW(size);
  SHOW_TEXT(made);
}

static int variadic(const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int sum = vprintf(format, list) + vprintf(format, again);
  va_end(list);
  va_end(again);
  return sum;
}

int main(void) {
  formats();
  scanning();
  streams();
  memory_streams();
  SHOW(variadic("%s %d %g %Lg %c\n", "mixed", 1, 2.5, 3.5L, 'z'));
  SHOW(putchar('p') + puts("uts") >= 0);
  fprintf(stderr, "to standard error\n");
  errno = ENOENT;
  perror("perror");
  return 0;
}
