/* The names that programs compiled for files of any size call, and those that take them explicitly. */
#define _FILE_OFFSET_BITS 64
#define _LARGEFILE64_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "show.h"

static int visited, kinds;
static int visit(const char *path, const struct stat64 *stat, int kind) { return visited++, kinds += kind, 0; }
static int visit_more(const char *path, const struct stat64 *stat, int kind, struct FTW *place) { return visited++, kinds += kind + 10 * place->level, 0; }
static int is_visible(const struct dirent64 *entry) { return entry->d_name[0] != '.'; }

int main(void) {
  struct stat64 stat;
  struct statfs64 file_system;
  struct statvfs64 view;
  struct rlimit64 limit;
  char buffer[16] = "", name[] = "largeXXXXXX", suffixed[] = "largeXXXXXX.txt", other[] = "largeXXXXXX";
  int file = CALL(open64("large", O_CREAT | O_RDWR | O_TRUNC, 0644)) >= 0 ? open("large", O_RDWR) : -1;
  CALL(pwrite64(file, "at 5,000", 8, 5000));
  CALL(lseek64(file, 0, SEEK_END));
  CALL(pread64(file, buffer, 8, 5000));
  SHOW_TEXT(buffer);
  CALL(ftruncate64(file, 6000));
  CALL(fstat64(file, &stat));
  SHOW(stat.st_size);
  CALL(truncate64("large", 100));
  CALL(stat64("large", &stat)), SHOW(stat.st_size);
  CALL(lstat64("link", &stat)), SHOW(S_ISLNK(stat.st_mode));
  CALL(fstatat64(AT_FDCWD, "large", &stat, 0)), SHOW(stat.st_size);
  CALL(posix_fallocate64(file, 0, 200)), CALL(fstat64(file, &stat)), SHOW(stat.st_size);
  CALL(posix_fadvise64(file, 0, 0, POSIX_FADV_NORMAL));
  CALL(lockf64(file, F_LOCK, 0)), CALL(lockf64(file, F_ULOCK, 0));
  struct iovec parts[2] = {{"one", 3}, {"two", 3}};
  CALL(pwritev64(file, parts, 2, 10));
  char first[4] = "", second[4] = "";
  struct iovec into[2] = {{first, 3}, {second, 3}};
  CALL(preadv64(file, into, 2, 10)), SHOW_TEXT(first), SHOW_TEXT(second);
  void *mapped = mmap64(NULL, 200, PROT_READ, MAP_PRIVATE, file, 0);
  SHOW(memcmp((char *)mapped + 10, "onetwo", 6)), CALL(munmap(mapped, 200));
  CALL(statfs64(".", &file_system)), SHOW(file_system.f_bsize > 0), CALL(fstatfs64(file, &file_system));
  CALL(statvfs64(".", &view)), SHOW(view.f_namemax), CALL(fstatvfs64(file, &view));
  CALL(getrlimit64(RLIMIT_NOFILE, &limit)), SHOW(limit.rlim_cur > 0), CALL(setrlimit64(RLIMIT_NOFILE, &limit));
  close(file);
  CALL(creat64("created", 0600));
  CALL(openat64(AT_FDCWD, "missing", O_RDONLY));
  SHOW(mkstemp64(name) >= 0), SHOW(mkostemp64(other, O_CLOEXEC) >= 0), SHOW(mkstemps64(suffixed, 4) >= 0);
  unlink(name), unlink(other), unlink(suffixed);

  FILE *stream = fopen64("large", "r+");
  fpos64_t place;
  CALL(fseeko64(stream, 10, SEEK_SET)), SHOW(fgetc(stream)), CALL(fgetpos64(stream, &place)), SHOW(fgetc(stream)), CALL(fsetpos64(stream, &place)), SHOW(ftello64(stream));
  stream = freopen64("created", "w", stream);
  SHOW(fputs("text", stream) >= 0), SHOW(fclose(stream));
  stream = tmpfile64();
  SHOW(stream != NULL), SHOW(fputs("gone", stream) >= 0), rewind(stream), SHOW(fgetc(stream)), fclose(stream);
  unlink("large"), unlink("created");

  DIR *directory = opendir(".");
  struct dirent64 *entry, **entries;
  int count = 0;
  while ((entry = readdir64(directory))) count++;
  SHOW(count), closedir(directory);
  count = scandir64(".", &entries, is_visible, alphasort64);
  for (int i = 0; i < count; i++) SHOW_TEXT(entries[i]->d_name);
  SHOW(versionsort64((const struct dirent64 **)&entries[0], (const struct dirent64 **)&entries[1]) < 0);
  glob64_t found;
  SHOW(glob64("*", 0, NULL, &found)), SHOW(found.gl_pathc), SHOW_TEXT(found.gl_pathv[0]), globfree64(&found);
  CALL(ftw64("sub", visit, 4)), SHOW(visited), SHOW(kinds);
  CALL(nftw64("sub", visit_more, 4, FTW_PHYS)), SHOW(visited), SHOW(kinds);
  int in = open64("host.txt", O_RDONLY), out = open64("copy", O_CREAT | O_WRONLY, 0600);
  off64_t from = 2;
  CALL(sendfile64(out, in, &from, 5)), SHOW(from);
  unlink("copy");
  return 0;
}
