// glob: braces, tildes, slashes at the end, directories that there are not, links that lead nowhere, results that are added.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int told(const char *path, int error) { return printf("  error %s %d\n", path, error) < 0; }
static int stops(const char *path, int error) { return printf("  stops at %s %d\n", path, error) > 0; }
static int calls;
static struct stat asked;
static void *open_none(const char *path) { return calls++, printf("  opens %s\n", path), errno = ENOENT, NULL; }
static void close_none(void *stream) { calls++; }
static struct dirent *read_none(void *stream) { return NULL; }
static int stat_any(const char *path, struct stat *to) { return *to = asked, printf("  looks at %s\n", path), 0; }

static void show(int result, const glob_t *found) {
  printf(" %d %zu", result, found->gl_pathc);
  for (size_t i = 0; result == 0 && i < found->gl_pathc; i++) printf(" <%s>", found->gl_pathv[found->gl_offs + i]);
  puts("");
}

static const char *const patterns[] = {"e/{x,z}", "{e,f}/*", "e/{", "e/{x,*}", "~none/x", "*/x", "e/[!x]*", "e//x", "e/\\x", "e/{x}", "{,e/x}",
  "e/x{,y}", "{e,{f,g}}/x", "\\{e,f\\}", "{e,f", "{}", "{e/x,e/x}", "[", "e/*/", "f/*/", "*/", "e/x/", "//", "./e/x", "e/../f/*", "f/.*",
  "f/[.]hid", "f/\\[q\\]", "\\*", "~", "~/", "~/x", "~t", "", "none/*", "f/link/*", "f/dang*", "*/*/*", "{x,y}",
  "[[:upper:]]", "e/{\\{y\\},x}", "{nope,e/x}"};
static const int flags[] = {0, GLOB_BRACE, GLOB_BRACE | GLOB_NOCHECK, GLOB_TILDE, GLOB_TILDE_CHECK, GLOB_MARK, GLOB_NOMAGIC, GLOB_PERIOD,
  GLOB_ONLYDIR, GLOB_NOESCAPE, GLOB_NOCHECK, 1 << 20, GLOB_TILDE | GLOB_BRACE | GLOB_MARK};

static void make(const char *name) { close(open(name, O_CREAT | O_WRONLY, 0644)); }

int main(void) {
  mkdir("g", 0755), chdir("g");
  mkdir("e", 0755), make("e/x"), make("e/{y}"), make("e/xy");
  mkdir("f", 0755), make("f/a b"), make("f/[q]"), make("f/.hid"), mkdir("f/sub", 0755), make("f/sub/x");
  symlink("none", "f/dangling"), symlink("sub", "f/link"), make("*"), make("Q"), make("~t");
  setenv("HOME", "/home/h", 1);
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
      glob_t found = {.gl_offs = 0};
      int result = glob(patterns[i], flags[k], told, &found);
      printf("%s %x:", patterns[i], flags[k]), show(result, &found);
      if (result == 0) globfree(&found);
    }
  glob_t all = {.gl_offs = 2};
  show(glob("e/*", GLOB_DOOFFS, NULL, &all), &all);
  show(glob("f/*", GLOB_DOOFFS | GLOB_APPEND, NULL, &all), &all);
  show(glob("zzz", GLOB_DOOFFS | GLOB_APPEND, NULL, &all), &all);
  show(glob("{zzz,q*}", GLOB_DOOFFS | GLOB_APPEND | GLOB_NOCHECK | GLOB_BRACE, NULL, &all), &all);
  printf("%d\n", all.gl_pathv[0] == NULL && all.gl_pathv[1] == NULL);
  globfree(&all);
  show(glob("none/*", GLOB_ERR, told, &all), &all);
  show(glob("*/*", 0, stops, &all), &all);
  all.gl_opendir = open_none, all.gl_closedir = close_none, all.gl_readdir = read_none, all.gl_stat = stat_any, all.gl_lstat = stat_any;
  asked.st_mode = S_IFREG;
  show(glob("x/*", GLOB_ALTDIRFUNC, told, &all), &all);
  show(glob("x/y", GLOB_ALTDIRFUNC | GLOB_MARK, told, &all), &all);
  printf("%d\n", calls);
  return 0;
}
