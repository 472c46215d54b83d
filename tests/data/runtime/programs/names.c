/* Directories, links, renaming, removing, attributes. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show.h"

static void make(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

static void show_status(const char *path) {
  struct stat status;
  if (lstat(path, &status) < 0) printf("%s: errno %d\n", path, errno);
  else if (S_ISDIR(status.st_mode)) printf("%s: mode %o links %ld\n", path, status.st_mode, (long)status.st_nlink);
  else printf("%s: mode %o links %ld size %ld\n", path, status.st_mode, (long)status.st_nlink, (long)status.st_size);
}

static void list(const char *path) {
  struct dirent **entries;
  int n = scandir(path, &entries, NULL, alphasort);
  printf("%s:", path);
  for (int i = 0; i < n; i++) {
    printf(" %s(%d)", entries[i]->d_name, entries[i]->d_type);
    free(entries[i]);
  }
  printf("\n");
  if (n >= 0) free(entries);
}

static void directories(void) {
  CALL(mkdir("d", 0777));
  CALL(mkdir("d", 0777));
  CALL(mkdir("d/e", 01750));
  CALL(mkdir("none/e", 0750));
  CALL(mkdir("host.txt", 0750));
  make("d/f", "text");
  show_status("d");
  show_status("d/e");
  list("d");
  list(".");
  list("none");
  CALL(rmdir("d"));
  CALL(rmdir("d/f"));
  CALL(rmdir("none"));
  CALL(rmdir("d/."));
  CALL(rmdir("d/.."));
  CALL(unlink("d"));
  CALL(rmdir("d/e/"));
  list("d/");
  CALL(rmdir("sub"));
  CALL(remove("d/f"));
  CALL(remove("d"));
  list(".");
}

static void links(void) {
  char text[100] = {0};
  make("a", "AAA");
  CALL(link("a", "b"));
  CALL(link("a", "b"));
  CALL(link("none", "c"));
  CALL(link("sub", "c"));
  show_status("b");
  CALL(symlink("a", "s"));
  CALL(symlink("a", "s"));
  CALL(symlink("", "t"));
  CALL(symlink("nowhere", "dangling"));
  show_status("s");
  CALL(readlink("s", text, sizeof text));
  SHOW_TEXT(text);
  CALL(readlink("dangling", text, 3));
  CALL(readlink("a", text, sizeof text));
  CALL(access("dangling", F_OK));
  CALL(open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0644));
  make("dangling", "made through a link");
  show_status("nowhere");
  CALL(unlink("s"));
  show_status("a");
  CALL(symlink("sub/..", "up"));
  show_status("up/a");
  CALL(symlink("self/x", "self"));
  CALL(access("self", F_OK));
}

static void renaming(void) {
  make("x", "x");
  CALL(mkdir("m", 0755));
  make("m/in", "inside");
  CALL(rename("x", "y"));
  show_status("x");
  CALL(rename("y", "a"));
  show_status("a");
  show_status("b");
  CALL(rename("a", "b"));
  CALL(rename("none", "b"));
  CALL(rename("b", "m"));
  CALL(rename("m", "b"));
  CALL(rename("m", "m/deeper"));
  CALL(rename("m", "sub"));
  CALL(mkdir("empty", 0755));
  CALL(rename("m", "empty"));
  show_status("empty/in");
  CALL(rename("empty", "sub/moved"));
  show_status("sub/moved/in");
  CALL(rename("b", "sub/moved/b/"));
  CALL(rename("sub/inner", "sub/inner"));
  CALL(rename(".", "z"));
}

static void attributes(void) {
  struct timespec times[2] = {{1000, 500}, {2000, 600}};
  struct stat status;
  make("at", "");
  CALL(chmod("at", 0751));
  show_status("at");
  CALL(chmod("none", 0751));
  SHOW(umask(077));
  make("private", "");
  show_status("private");
  umask(022);
  CALL(access("at", X_OK));
  CALL(access("none", F_OK));
  CALL(utimensat(AT_FDCWD, "at", times, 0));
  CALL(stat("at", &status));
  SHOW(status.st_atim.tv_sec);
  SHOW(status.st_atim.tv_nsec);
  SHOW(status.st_mtim.tv_sec);
  SHOW(status.st_mtim.tv_nsec);
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = 3000;
  CALL(utimensat(AT_FDCWD, "at", times, 0));
  CALL(stat("at", &status));
  SHOW(status.st_atim.tv_sec);
  SHOW(status.st_mtim.tv_sec);
  times[1].tv_nsec = -5;
  CALL(utimensat(AT_FDCWD, "at", times, 0));
  CALL(chown("at", -1, -1));
  CALL(mkfifo("fifo", 0644));
  show_status("fifo");
  CALL(mkfifo("fifo", 0644));
}

static void moving_about(void) {
  char start[PATH_MAX], now[PATH_MAX], resolved[PATH_MAX];
  getcwd(start, sizeof start);
  CALL(chdir("sub"));
  getcwd(now, sizeof now);
  SHOW_TEXT(now + strlen(start));
  show_status("../at");
  SHOW_TEXT(realpath("../up/./at", resolved) + strlen(start));
  SHOW_TEXT(realpath("none/x", resolved));
  CALL(chdir("inner"));
  CALL(chdir("none"));
  CALL(chdir(".."));
  CALL(getcwd(now, 1) == NULL ? -1 : 0);
  int directory = open("sub", O_RDONLY);
  CALL(faccessat(directory, "inner", F_OK, 0));
  CALL(openat(directory, "../at", O_RDONLY));
  CALL(mkdirat(directory, "under", 0755));
  CALL(unlinkat(directory, "under", 0));
  CALL(unlinkat(directory, "under", AT_REMOVEDIR));
  CALL(fchdir(directory));
  show_status("inner");
  CALL(chdir(start));
  CALL(openat(77, "at", O_RDONLY));
  char template[] = "tmpXXXXXX";
  SHOW(mkstemp(template) >= 0);
  CALL(unlink(template));
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status;
  printf("visit %s %d level %d\n", path, kind, where->level);
  return 0;
}

static void walking(void) {
  glob_t found;
  CALL(nftw("sub/moved", visit, 5, FTW_PHYS | FTW_DEPTH));
  CALL(glob("*.txt", 0, NULL, &found));
  for (size_t i = 0; i < found.gl_pathc; i++) SHOW_TEXT(found.gl_pathv[i]);
  globfree(&found);
  CALL(glob("s?b/*", GLOB_MARK, NULL, &found));
  for (size_t i = 0; i < found.gl_pathc; i++) SHOW_TEXT(found.gl_pathv[i]);
  globfree(&found);
  CALL(glob("zzz*", 0, NULL, &found));
  SHOW(fnmatch("*.[ch]", "names.c", 0));
  SHOW(fnmatch("*.[!ch]", "names.c", 0));
  SHOW(fnmatch("a*/b", "a/x/b", FNM_PATHNAME));
  SHOW(fnmatch("*", ".hidden", FNM_PERIOD));
  SHOW(fnmatch("[[:digit:]]?", "7x", 0));
}

int main(void) {
  directories();
  links();
  renaming();
  attributes();
  moving_about();
  walking();
  return 0;
}
