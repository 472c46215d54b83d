/* Families of functions that glibc has and musl has not: random numbers with glibc's values, argz and envz, fts. */
#include <argz.h>
#include <dirent.h>
#include <envz.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void random_numbers(void) {
  for (int i = 0; i < 5; i++) printf("%ld ", random());
  for (int i = 0; i < 5; i++) printf("%d ", rand());
  printf("\n");
  static const unsigned seeds[] = {0, 1, 5, 12345, 2147483647, 4294967295u};
  for (int i = 0; i < 6; i++) {
    srand(seeds[i]);
    unsigned own = seeds[i];
    for (int k = 0; k < 40; k++) rand();
    printf("%d ", rand());
    printf("%d ", rand_r(&own));
    printf("%d ", rand_r(&own));
    printf("%u\n", own);
  }
  static char memory[5][256];
  static const int sizes[] = {8, 32, 64, 128, 256};
  char *first = 0;
  for (int i = 0; i < 5; i++) {
    char *old = initstate(7 + i, memory[i], sizes[i]);
    if (!i) first = old;
    printf("%d ", i ? old == memory[i - 1] : old != 0);
    for (int k = 0; k < 70; k++) random();
    printf("%ld\n", random());
  }
  for (int i = 0; i < 5; i++) {
    printf("%d ", setstate(memory[i]) == memory[i ? i - 1 : 4]);
    printf("%ld\n", random());
  }
  setstate(first);
  printf("%ld\n", random());
  errno = 0;
  struct random_data data = {0};
  static char state[128];
  printf("%d\n", initstate_r(99, state, 4, &data));
  printf("%d ", errno == EINVAL);
  printf("%d ", initstate_r(99, state, sizeof state, &data));
  int32_t value;
  for (int i = 0; i < 3; i++) random_r(&data, &value), printf("%d ", value);
  srandom_r(3, &data), random_r(&data, &value), printf("%d ", value);
  printf("%d\n", setstate_r(state, &data));
  random_r(&data, &value), printf("%d\n", value);
  struct drand48_data d = {0};
  double real;
  long whole;
  unsigned short x[3] = {1, 2, 3}, words[7] = {1, 2, 3, 4, 5, 6, 7};
  srand48_r(42, &d);
  drand48_r(&d, &real), printf("%.12f ", real);
  lrand48_r(&d, &whole), printf("%ld ", whole);
  mrand48_r(&d, &whole), printf("%ld ", whole);
  erand48_r(x, &d, &real), printf("%.12f ", real);
  nrand48_r(x, &d, &whole), printf("%ld ", whole);
  jrand48_r(x, &d, &whole), printf("%ld\n", whole);
  seed48_r(x, &d), mrand48_r(&d, &whole), printf("%ld ", whole);
  lcong48_r(words, &d), lrand48_r(&d, &whole), printf("%ld ", whole);
  srand48(9), printf("%.9f ", drand48());
  printf("%ld\n", lrand48());
}

static void show(const char *argz, size_t length) {
  printf("%zu %zu:", length, argz_count(argz, length));
  for (const char *word = 0; (word = argz_next(argz, length, word));) printf(" [%s]", word);
  printf("\n");
}

static void word_vectors(void) {
  char *words[] = {"one", "two", "", "four", 0}, *argz, *out[20];
  size_t length;
  argz_create(words, &argz, &length), show(argz, length);
  argz_add(&argz, &length, "five"), argz_add_sep(&argz, &length, ":six::seven:", ':'), show(argz, length);
  argz_append(&argz, &length, "a\0b", 4), show(argz, length);
  argz_delete(&argz, &length, argz_next(argz, length, argz)), show(argz, length);
  printf("%d ", argz_insert(&argz, &length, argz + 5, "new"));
  printf("%d ", argz_insert(&argz, &length, argz, "front"));
  printf("%d ", argz_insert(&argz, &length, 0, "back"));
  printf("%d\n", argz_insert(&argz, &length, argz + length, "no") == EINVAL);
  show(argz, length);
  unsigned count = 2;
  printf("%d ", argz_replace(&argz, &length, "e", "EE", &count));
  printf("%u ", count), show(argz, length);
  argz_extract(argz, length, out);
  printf("%s %s\n", out[0], out[1]);
  argz_stringify(argz, length, ','), printf("%s\n", argz), free(argz);
  argz_create_sep("  a b   c ", ' ', &argz, &length), show(argz, length), free(argz);
  argz_create_sep("", ' ', &argz, &length), printf("%d %zu\n", argz == 0, length);
  char *envz = 0;
  size_t size = 0;
  envz_add(&envz, &size, "A", "1"), envz_add(&envz, &size, "BB", 0), envz_add(&envz, &size, "C", ""), envz_add(&envz, &size, "A", "2=3"), show(envz, size);
  printf("%s %s %d %d\n", envz_get(envz, size, "A"), envz_entry(envz, size, "BB"), envz_get(envz, size, "BB") == 0, envz_entry(envz, size, "B") == 0);
  envz_merge(&envz, &size, "A=9\0D=4", 8, 0), show(envz, size);
  envz_merge(&envz, &size, "A=9\0BB=x", 9, 1), show(envz, size);
  envz_add(&envz, &size, "E", 0), envz_strip(&envz, &size), show(envz, size);
  envz_remove(&envz, &size, "C"), show(envz, size);
}

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }
static int backwards(const FTSENT **a, const FTSENT **b) { return by_name(b, a); }

static void walk(const char *title, char **roots, int options, int (*compare)(const FTSENT **, const FTSENT **)) {
  printf("%s\n", title);
  FTS *walk = fts_open(roots, options, compare);
  for (FTSENT *entry; (entry = fts_read(walk));) {
    struct stat status;
    printf("%d %d %s %s %s %d %d %d", entry->fts_info, entry->fts_level, entry->fts_path, entry->fts_name, entry->fts_accpath, entry->fts_namelen, entry->fts_pathlen, lstat(entry->fts_accpath, &status));
    printf(" %d %d %s\n", entry->fts_errno, entry->fts_info == FTS_F ? (int)entry->fts_statp->st_size : 0, entry->fts_parent->fts_level >= 0 ? entry->fts_parent->fts_name : "-");
    if (entry->fts_info == FTS_D && !strcmp(entry->fts_name, "skipped")) fts_set(walk, entry, FTS_SKIP);
    if (entry->fts_info == FTS_SL && !strcmp(entry->fts_name, "to-b") && options & FTS_NOCHDIR) fts_set(walk, entry, FTS_FOLLOW);
    if (entry->fts_info == FTS_D && !strcmp(entry->fts_name, "b"))
      for (FTSENT *child = fts_children(walk, 0); child; child = child->fts_link) printf("  %s %d\n", child->fts_name, child->fts_info), child->fts_number = 5;
    if (entry->fts_number) printf("  noted\n");
  }
  printf("%d %d\n", errno, fts_close(walk));
}

static void trees(void) {
  static char *const directories[] = {"tree", "tree/a", "tree/b", "tree/b/deep", "tree/skipped", "tree/empty"}, *const files[] = {"tree/a/one", "tree/a/two", "tree/b/three", "tree/b/deep/four", "tree/skipped/five", "tree/.six"};
  for (int i = 0; i < 6; i++) mkdir(directories[i], 0755);
  for (int i = 0; i < 6; i++) {
    int file = open(files[i], O_CREAT | O_WRONLY, 0644);
    write(file, "contents", i + 1), close(file);
  }
  symlink("b", "tree/to-b"), symlink("nowhere", "tree/dangling"), symlink("..", "tree/b/up");
  char *one[] = {"tree", 0}, *several[] = {"tree/b", "host.txt", "absent", "tree/a/", "tree/to-b", 0};
  walk("physical", one, FTS_PHYSICAL, by_name);
  walk("physical, paths", one, FTS_PHYSICAL | FTS_NOCHDIR, backwards);
  walk("logical", one, FTS_LOGICAL, by_name);
  walk("several", several, FTS_PHYSICAL, 0 ? by_name : by_name);
  walk("links of the command line", several, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_XDEV, backwards);
  walk("dots", one, FTS_PHYSICAL | FTS_SEEDOT | FTS_NOSTAT | FTS_NOCHDIR, by_name);
  char here[200];
  printf("%d %s\n", access("tree", F_OK), strrchr(getcwd(here, sizeof here), '/') != 0 ? "back" : "lost");
  char *none[] = {0};
  printf("%d\n", fts_open(one, -1, 0) == 0 && errno == EINVAL);
  FTS *early = fts_open(one, FTS_PHYSICAL, by_name);
  fts_read(early), fts_read(early);
  printf("%d\n", fts_close(early));
}

int main(void) {
  random_numbers();
  word_vectors();
  trees();
  static const char *const dates[][2] = {{"2021-03-04", "%Y-%m-%d"}, {"12 Mar 2024", "%d %b %Y"}, {"2000 366", "%Y %j"}, {"Mon 5 Jan 1970", "%a %d %b %Y"}, {"23:59", "%H:%M"}, {"99", "%y"}, {"7/4/76", "%D"}, {" 5 Jan 2022", "%e %b %Y"}, {"2024-12-31", "%F"}, {"1700000000", "%s"}, {"3 2021", "%u %Y"}, {"9:07", "%k:%M"}, {"2020 W53", "%G W%V"}, {"1 EST x", "%d %Z x"}, {"2021-05-06T07:08:09+05:30", "%FT%T%z"}, {"10 -0830", "%H %z"}, {"10 Z", "%H %z"}, {"10 +15", "%H %z"}, {"13", "%l"}};
  for (int i = 0; i < 19; i++) {
    struct tm tm = {.tm_year = 100, .tm_mon = 1, .tm_mday = 3, .tm_wday = 4, .tm_yday = 44};
    char *end = strptime(dates[i][0], dates[i][1], &tm);
    printf("%ld ", tm.tm_gmtoff);
    printf("%d %d %d %d %d %d\n", end && !*end, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_wday, tm.tm_yday);
  }
  return 0;
}
