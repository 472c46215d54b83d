// stdio and files: buffering, positions, push-back, lines, temporary files, directories, time.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

static int visit(const char *path, const struct stat *info, int kind, struct FTW *where) {
  printf("%s %d level %d base %d %s\n", path, kind, where->level, where->base, S_ISDIR(info->st_mode) ? "dir" : "file");
  return 0;
}

int main(void) {
  mkdir("files-test", 0700);
  FILE *f = fopen("files-test/x", "w+");
  fprintf(f, "line one\nline two\nno end");
  printf("%ld pending %zu\n", ftell(f), __fpending(f));
  rewind(f);
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, f)) > 0) printf("%zd %s|", length, line);
  printf("%d %d\n", feof(f), ferror(f));
  clearerr(f);
  fseek(f, 5, SEEK_SET);
  int c = getc(f);
  ungetc('Z', f);
  printf("%c %c %ld\n", c, getc(f), ftell(f));
  c = getc_unlocked(f);
  printf("%c %ld\n", c, ftell(f));
  fseek(f, 0, SEEK_END);
  for (int i = 0; i < 3000; i++) putc_unlocked('a' + i % 26, f);
  fflush(f);
  printf("%ld %d\n", ftell(f), fileno(f) > 2);
  fclose(f);
  struct stat info;
  stat("files-test/x", &info);
  printf("%ld %o %d\n", (long)info.st_size, info.st_mode & 0777, major(info.st_dev) < 4096);
  f = fopen("files-test/x", "r");
  setvbuf(f, NULL, _IONBF, 0);
  char buffer[50];
  printf("%zu %.8s\n", fread(buffer, 1, 20, f), buffer);
  printf("%d\n", fputc('x', f));
  printf("%s\n", strerror(errno));
  f = freopen("files-test/y", "w", f);
  fputs("second", f);
  fclose(f);
  printf("%p %s\n", (void *)fopen("files-test/nosuch", "r"), strerror(errno));
  f = fmemopen("memory text", 11, "r");
  printf("%s\n", fgets(buffer, 7, f));
  fclose(f);
  char *made;
  size_t size;
  f = open_memstream(&made, &size);
  fprintf(f, "made %d", 5);
  fclose(f);
  printf("%s %zu\n", made, size);
  mkdir("files-test/d", 0700);
  symlink("x", "files-test/link");
  struct dirent **entries;
  int count = scandir("files-test", &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) printf("%s %d\n", entries[i]->d_name, entries[i]->d_type);
  nftw("files-test/d", visit, 5, FTW_PHYS | FTW_DEPTH);
  nftw("files-test/link", visit, 5, FTW_PHYS);
  glob_t found;
  printf("%d", glob("files-test/*", 0, NULL, &found));
  for (size_t i = 0; i < found.gl_pathc; i++) printf(" %s", found.gl_pathv[i]);
  char *real = realpath("files-test/../files-test/link", NULL);
  printf("\n%s\n", strrchr(real, '/'));
  unlink("files-test/x"), unlink("files-test/y"), unlink("files-test/link"), rmdir("files-test/d"), rmdir("files-test");
  time_t when = 1234567890;
  strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M:%S %a %b %j %U %Z", localtime(&when));
  printf("%s %s", buffer, ctime(&when));
  struct tm tm = {0};
  printf("%s %d\n", strptime("2024-02-29 12:34", "%Y-%m-%d %H:%M", &tm), (int)timegm(&tm));
  setenv("HOMI_TEST", "value", 1);
  printf("%s %s\n", getenv("HOMI_TEST"), getenv("NOSUCH") ? "?" : "-");
  printf("%d %ld\n", PATH_MAX, sysconf(_SC_PAGESIZE));
  return 3;
}
