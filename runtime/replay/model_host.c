/* The host under the preloaded model, as the engine shows it (src/machine/host/host.rs): one directory, read
 * only, and above it only the directories that lead to it. Functions return what system calls return: a
 * value or -errno. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "homi/engine.h"
#include "model.h"

const char *homi_model_root;
unsigned homi_model_ids[4];

static int is_inside(const char *path) {
  size_t n = strlen(homi_model_root);
  return strncmp(path, homi_model_root, n) == 0 && (path[n] == 0 || path[n] == '/' || n == 1);
}

/* The component of the root after this ancestor of it, or null. */
static const char *next_of_ancestor(const char *path) {
  size_t n = strlen(path);
  if (n == 1 && homi_model_root[1]) return homi_model_root + 1;
  return strncmp(homi_model_root, path, n) == 0 && homi_model_root[n] == '/' ? homi_model_root + n + 1 : NULL;
}

/* The run's directory may have been deleted since, or be closed to the sandbox's user. It is an empty one then, and the
   symbolic files are still in it. */
static int is_lost(long error) { return error == -ENOENT || error == -EACCES; }

long homi_host_stat(const char *path, void *result, int follow) {
  int on_the_way = strcmp(path, homi_model_root) == 0 || next_of_ancestor(path);
  const unsigned long links = 2;
  long error;
  if (!is_inside(path) && !on_the_way) return -ENOENT;
  error = homi_raw(follow ? SYS_stat : SYS_lstat, (long)path, (long)result, 0, 0, 0, 0);
  if (!is_lost(error)) return error;
  if (!on_the_way) return -ENOENT;
  error = homi_raw(SYS_stat, (long)"/", (long)result, 0, 0, 0, 0);
  /* st_nlink of a directory without others in it. */
  memcpy((char *)result + 16, &links, sizeof links);
  return error;
}

long homi_host_read(const char *path, void *buffer, unsigned long n, unsigned long offset) {
  long file, count;
  if (!is_inside(path)) return -ENOENT;
  file = homi_raw(SYS_open, (long)path, 0, 0, 0, 0, 0);
  if (file < 0) return file;
  count = homi_raw(SYS_pread64, file, (long)buffer, (long)n, (long)offset, 0, 0);
  homi_raw(SYS_close, file, 0, 0, 0, 0, 0);
  return count;
}

long homi_host_readlink(const char *path, char *buffer, unsigned long n) {
  return is_inside(path) ? homi_raw(SYS_readlink, (long)path, (long)buffer, (long)n, 0, 0, 0) : -ENOENT;
}

enum { RECORD_NAME = 19 };

static unsigned short record_size(const char *record) {
  unsigned short size;
  memcpy(&size, record + 16, 2);
  return size;
}

static long put_record(char *listing, long size, const char *name, size_t length) {
  unsigned short record = (unsigned short)((RECORD_NAME + length + 1 + 7) & ~7ul);
  memset(listing + size, 0, record);
  listing[size] = 1;
  memcpy(listing + size + 16, &record, 2);
  listing[size + 18] = 4;
  memcpy(listing + size + RECORD_NAME, name, length);
  return size + record;
}

/* Itself, its parent and, above the root, the next one down to it: all that is seen there, and in a root that is lost. */
static long list_way(char *listing, const char *next) {
  long size = put_record(listing, put_record(listing, 0, ".", 1), "..", 2);
  return next ? put_record(listing, size, next, strcspn(next, "/")) : size;
}

/* The entry whose name has `index` smaller ones. */
long homi_host_readdir(const char *path, unsigned long index, void *to, unsigned long n) {
  static char listing[1 << 20];
  const char *next = is_inside(path) ? NULL : next_of_ancestor(path);
  long file = -ENOENT, size = 0, count = 0, i, j;
  if (!is_inside(path) && !next) return -ENOENT;
  if (!next) file = homi_raw(SYS_open, (long)path, 0200000, 0, 0, 0, 0);
  if (!next && file < 0 && !(is_lost(file) && strcmp(path, homi_model_root) == 0)) return file;
  if (file < 0) size = list_way(listing, next);
  while (file >= 0 &&
         (count = homi_raw(SYS_getdents64, file, (long)listing + size, (long)sizeof listing - size, 0, 0, 0)) > 0)
    size += count;
  if (file >= 0) homi_raw(SYS_close, file, 0, 0, 0, 0, 0);
  for (i = 0; i < size; i += record_size(listing + i)) {
    unsigned long smaller = 0;
    for (j = 0; j < size; j += record_size(listing + j))
      smaller += strcmp(listing + j + RECORD_NAME, listing + i + RECORD_NAME) < 0;
    if (smaller != index) continue;
    if (record_size(listing + i) > n) return -EINVAL;
    memcpy(to, listing + i, record_size(listing + i));
    return record_size(listing + i);
  }
  return count < 0 ? count : 0;
}

long homi_host_getcwd(char *buffer, unsigned long n) {
  size_t length = strlen(homi_model_root);
  if (length > n) return -ERANGE;
  memcpy(buffer, homi_model_root, length);
  return (long)length;
}

long homi_host_id(int which) { return (long)homi_model_ids[which & 3]; }
