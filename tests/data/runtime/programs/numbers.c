/* Conversions between text and numbers, sorting and searching, arithmetic helpers. */
#include <inttypes.h>
#include <limits.h>
#include <search.h>

#include "show.h"

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int compare_plain(const void *a, const void *b) { return strcmp(a, b); }
static int compare_with(const void *a, const void *b, void *factor) {
  return (*(const int *)a - *(const int *)b) * *(int *)factor;
}
static void visit(const void *node, VISIT when, int depth) {
  (void)depth;
  if (when == postorder || when == leaf) printf("node %s\n", *(char *const *)node);
}

static void integers(void) {
  static const char *const texts[] = {"0", "42", "-42", "+7", "  12x", "0x1F", "077", "0b1", "z", "", "-", "99999999999999999999",
                                      "-99999999999999999999", "9223372036854775807", "0x", "1_000"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
    for (unsigned j = 0; j < sizeof bases / sizeof bases[0]; j++) {
      char *end;
      errno = 0;
      long value = strtol(texts[i], &end, bases[j]);
      printf("%s base %d: %ld rest %s errno %d", texts[i], bases[j], value, end, errno);
      errno = 0;
      unsigned long plain = strtoul(texts[i], &end, bases[j]);
      printf(" | %lu errno %d\n", plain, errno);
    }
  errno = 0;
  SHOW(strtol("1", NULL, 1));
  SHOW(errno);
  SHOW(atoi("123abc"));
  SHOW(atol("-5"));
  SHOW(strtoll("-8", NULL, 10));
  SHOW(strtoull("18446744073709551615", NULL, 10) == ULLONG_MAX);
  SHOW(strtoimax("77", NULL, 8));
  SHOW(div(-7, 2).quot);
  SHOW(div(-7, 2).rem);
  SHOW(ldiv(7, -2).rem);
  SHOW(labs(-9) + abs(-1) + llabs(-3));
  printf("%" PRId64 " %" PRIx32 "\n", INT64_MIN, UINT32_MAX);
}

static void reals(void) {
  static const char *const texts[] = {"0", "1.5", "-2.5e3", ".5", "5.", "1e400", "1e-400", "inf", "-INFINITY", "0x1.8p1", "1e", "abc",
                                      "3.14159265358979323846264338327950288", "1.7976931348623157e308", "  7 x"};
  for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    char *end;
    errno = 0;
    double value = strtod(texts[i], &end);
    printf("%s: %.17g rest %s errno %d", texts[i], value, end, errno);
    printf(" %.9g %.21Lg\n", strtof(texts[i], NULL), strtold(texts[i], NULL));
  }
  SHOW_REAL(atof("2.25x"));
}

static void sorting(void) {
  int numbers[200], wanted = 0, factor = -1;
  char *words[] = {"pear", "apple", "fig", "banana", "cherry", "date", "apple"};
  unsigned seed = 12345;
  for (int i = 0; i < 200; i++) {
    seed = seed * 1103515245 + 12345;
    numbers[i] = (int)(seed >> 16 & 0xfff);
  }
  wanted = numbers[77];
  qsort(numbers, 200, sizeof numbers[0], compare_ints);
  for (int i = 0; i < 200; i += 13) printf("%d ", numbers[i]);
  printf("\n");
  SHOW(*(int *)bsearch(&wanted, numbers, 200, sizeof numbers[0], compare_ints) == wanted);
  wanted = -5;
  SHOW(bsearch(&wanted, numbers, 200, sizeof numbers[0], compare_ints) == NULL);
  qsort_r(numbers, 200, sizeof numbers[0], compare_with, &factor);
  SHOW(numbers[0] >= numbers[199]);
  qsort(words, 7, sizeof words[0], compare_texts);
  for (int i = 0; i < 7; i++) printf("%s ", words[i]);
  printf("\n");
  qsort(words, 0, sizeof words[0], compare_texts);

  void *root = NULL;
  for (int i = 0; i < 7; i++) tsearch(words[i], &root, compare_plain);
  SHOW(tfind("fig", &root, compare_plain) != NULL);
  SHOW(tfind("kiwi", &root, compare_plain) != NULL);
  tdelete("fig", &root, compare_plain);
  twalk(root, visit);
  SHOW(hcreate(20) != 0);
  hsearch((ENTRY){"one", words}, ENTER);
  SHOW(hsearch((ENTRY){"one", NULL}, FIND)->data == (void *)words);
  SHOW(hsearch((ENTRY){"two", NULL}, FIND) == NULL);
  hdestroy();
  size_t count = 3;
  int list[5] = {4, 9, 2}, key = 9;
  SHOW((int *)lfind(&key, list, &count, sizeof key, compare_ints) - list);
  key = 11;
  lsearch(&key, list, &count, sizeof key, compare_ints);
  SHOW(count);
}

int main(void) {
  integers();
  reals();
  sorting();
  srand(1);
  int first = rand();
  srand(1);
  SHOW(first == rand());
  SHOW(first >= 0);
  unsigned state = 7, same = 7;
  SHOW(rand_r(&state) == rand_r(&same));
  unsigned short short_state[3] = {1, 2, 3};
  SHOW(nrand48(short_state));
  srand48(5);
  SHOW(lrand48());
  SHOW_REAL(drand48());
  return 0;
}
