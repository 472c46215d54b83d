// Fields that wordexp makes of a value, parts of paths, texts of locales, and walks of file trees.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <iconv.h>
#include <langinfo.h>
#include <libgen.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

static void fields(const char *separators, const char *value, const char *words) {
  wordexp_t result = {0};
  setenv("IFS", separators, 1);
  setenv("V", value, 1);
  int error = wordexp(words, &result, 0);
  printf("%s|%s|%s: %d", separators, value, words, error);
  for (size_t i = 0; !error && i < result.we_wordc; i++) printf(" [%s]", result.we_wordv[i]);
  printf("\n");
  if (!error) wordfree(&result);
}

static void all_fields(void) {
  static const char *const separators[] = {":", " :", ""};
  static const char *const values[] = {"x:y::z", ":x", "x:", "::", " x : y ", "x  y", " : ", ""};
  static const char *const words[] = {"$V", "a$V", "${V}b", "\"\"$V", "\"$V\""};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 5; k++) fields(separators[i], values[j], words[k]);
}

static void parts(void) {
  static const char *const paths[] = {"", "/", "//", "///", "a", "/a", "//a", "///a", "a//", "a//b", "//a/b/", "//."};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char path[16], *result;
    strcpy(path, paths[i]);
    result = dirname(path);
    printf("%s: %s in %s,", paths[i], result, path);
    strcpy(path, paths[i]);
    result = basename(path);
    printf(" %s in %s\n", result, path);
  }
}

static void transliterate(void) {
  char text[] = "\xe2\x82\xac \xc3\xa9 \xd0\xb6 \xc5\x82 \xe2\x80\xa6", out[64] = "", *from = text, *to = out;
  size_t left = strlen(text), room = sizeof out - 1;
  iconv_t converter = iconv_open("ASCII//TRANSLIT", "UTF-8");
  printf("%zd ", iconv(converter, &from, &left, &to, &room));
  printf("%s %s %s\n", out, nl_langinfo(_DATE_FMT), nl_langinfo(ALTMON_3));
  iconv_close(converter);
}

static int seen, reached, answer;

static int count(const char *path, const struct stat *status, int kind, struct FTW *at) {
  seen += 1 + kind * 100;
  reached += !access(path + at->base, F_OK);
  return strstr(path, "inner") ? answer : 0;
}

static void walks(void) {
  static const int flags[] = {0, FTW_PHYS, FTW_PHYS | FTW_DEPTH, FTW_PHYS | FTW_CHDIR};
  mkdir("tree", 0755), mkdir("tree/inner", 0755), mkdir("tree/inner/deep", 0755);
  close(open("tree/inner/file", O_CREAT | O_WRONLY, 0644));
  symlink("..", "tree/inner/up"), symlink("nowhere", "tree/lost");
  for (int i = 0; i < 4; i++) {
    seen = reached = 0;
    int result = nftw("tree//", count, 4, flags[i]);
    printf("%d %d %d\n", result, seen, flags[i] & FTW_CHDIR ? reached : 0);
  }
  for (answer = FTW_STOP; answer <= FTW_SKIP_SIBLINGS; answer++) {
    seen = 0;
    int result = nftw("tree/inner", count, 4, FTW_PHYS | FTW_ACTIONRETVAL);
    printf("%d %d\n", result, answer == FTW_SKIP_SUBTREE ? seen : 0);
  }
}

int main(void) {
  all_fields();
  parts();
  transliterate();
  setlocale(LC_ALL, "C.UTF-8");
  transliterate();
  walks();
  return 0;
}
