/* The host under the preloaded model, as the engine shows it (src/machine/host/view.rs): the run's directory without homi's
 * output in it, directories of system data, all read only, and above them only the directories that lead to them. Functions
 * return what system calls return: a value or -errno. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "homi/engine.h"
#include "model.h"

const char *homi_model_root;
const char *homi_model_data;
const char *homi_model_hidden;
unsigned homi_model_ids[4];

/* Directories that the program sees: the root, then the lines of homi_model_data. A directory is not terminated: it ends at
   `length`. Returns 0 behind the last. */
struct shown {
  const char *directory;
  size_t length;
};

static int next_shown(struct shown *shown) {
  const char *from = homi_model_data;
  if (!shown->directory) {
    shown->directory = homi_model_root;
    shown->length = strlen(homi_model_root);
    return 1;
  }
  if (shown->directory != homi_model_root) from = shown->directory + shown->length + 1;
  if (!from || (from > homi_model_data && !from[-1]) || !*from) return 0;
  shown->directory = from;
  shown->length = strcspn(from, "\n");
  return 1;
}

static int is_below(const char *path, const struct shown *top) {
  return strncmp(path, top->directory, top->length) == 0 &&
         (path[top->length] == 0 || path[top->length] == '/' || top->length == 1);
}

enum { STAT_SIZE = 144, PATH_LIMIT = 4096 };

/* Writes device and inode number of what a path leads to; 0 if it leads to nothing. */
static int identity_of(const char *path, unsigned long identity[2]) {
  char stat[STAT_SIZE];
  if (homi_raw(SYS_stat, (long)path, (long)stat, 0, 0, 0, 0) < 0) return 0;
  memcpy(identity, stat, 2 * sizeof identity[0]);
  return 1;
}

/* True for homi's output directory, by whichever link, and for all that is in it. */
static int is_hidden(const char *path) {
  char prefix[PATH_LIMIT];
  unsigned long hidden[2], found[2];
  size_t n;
  if (!homi_model_hidden || strlen(path) >= sizeof prefix || !identity_of(homi_model_hidden, hidden)) return 0;
  for (n = strlen(homi_model_root); n <= strlen(path); n++) {
    if (path[n] && path[n] != '/') continue;
    memcpy(prefix, path, n);
    prefix[n] = 0;
    if (identity_of(prefix, found) && found[0] == hidden[0] && found[1] == hidden[1]) return 1;
  }
  return 0;
}

static int is_inside(const char *path) {
  struct shown top = {NULL, 0};
  while (next_shown(&top))
    if (is_below(path, &top)) return top.directory != homi_model_root || !is_hidden(path);
  return 0;
}

/* The component after this ancestor on the way to a directory that is shown, or null. */
static const char *way_down(const char *path, const struct shown *top) {
  const size_t n = strcmp(path, "/") == 0 ? 0 : strlen(path);
  if (n + 1 >= top->length || strncmp(path, top->directory, n) != 0 || top->directory[n] != '/') return NULL;
  return top->directory + n + 1;
}

static int is_on_the_way(const char *path) {
  struct shown top = {NULL, 0};
  while (next_shown(&top))
    if (way_down(path, &top)) return 1;
  return 0;
}

/* The run's directory may have been deleted since, or be closed to the sandbox's user. It is an empty one then, and the
   symbolic files are still in it. */
static int is_lost(long error) { return error == -ENOENT || error == -EACCES; }

long homi_host_stat(const char *path, void *result, int follow) {
  int on_the_way = strcmp(path, homi_model_root) == 0 || is_on_the_way(path);
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

static int is_listed(const char *listing, long size, const char *name, size_t length) {
  long i;
  for (i = 0; i < size; i += record_size(listing + i))
    if (strncmp(listing + i + RECORD_NAME, name, length) == 0 && !listing[i + RECORD_NAME + (long)length]) return 1;
  return 0;
}

/* Itself, its parent and, above the directories shown, the next ones down to them. */
static long list_way(char *listing, const char *path) {
  long size = put_record(listing, put_record(listing, 0, ".", 1), "..", 2);
  struct shown top = {NULL, 0};
  while (next_shown(&top)) {
    const char *next = way_down(path, &top);
    size_t length = 0;
    if (!next) continue;
    while (next + length < top.directory + top.length && next[length] != '/') length++;
    if (!is_listed(listing, size, next, length)) size = put_record(listing, size, next, length);
  }
  return size;
}

/* Removes homi's output directory, and the links to it, from the listing of a directory. */
static long without_hidden(const char *path, char *listing, long size) {
  char entry[PATH_LIMIT];
  const size_t n = strlen(path);
  long from = 0, to = 0;
  for (; from < size;) {
    const long record = record_size(listing + from);
    const char *name = listing + from + RECORD_NAME;
    int hidden = 0;
    if (strcmp(name, "..") != 0 && n + strlen(name) + 2 < sizeof entry) {
      memcpy(entry, path, n);
      entry[n] = '/';
      strcpy(entry + n + 1, name);
      hidden = is_hidden(entry);
    }
    if (!hidden) {
      memmove(listing + to, listing + from, (size_t)record);
      to += record;
    }
    from += record;
  }
  return to;
}

/* Reads the directory `path` into `listing`; returns its size or -errno. */
static long list(const char *path, char *listing, long limit) {
  const int inside = is_inside(path);
  long file, size = 0, count;
  if (!inside) return is_on_the_way(path) ? list_way(listing, path) : -ENOENT;
  file = homi_raw(SYS_open, (long)path, 0200000, 0, 0, 0, 0);
  if (is_lost(file) && strcmp(path, homi_model_root) == 0) return list_way(listing, path);
  if (file < 0) return file;
  while ((count = homi_raw(SYS_getdents64, file, (long)listing + size, limit - size, 0, 0, 0)) > 0) size += count;
  homi_raw(SYS_close, file, 0, 0, 0, 0, 0);
  return count < 0 ? count : without_hidden(path, listing, size);
}

/* The entry whose name has `index` smaller ones. */
long homi_host_readdir(const char *path, unsigned long index, void *to, unsigned long n) {
  static char listing[1 << 20];
  const long size = list(path, listing, (long)sizeof listing);
  long i, j;
  for (i = 0; i < size; i += record_size(listing + i)) {
    unsigned long smaller = 0;
    for (j = 0; j < size; j += record_size(listing + j))
      smaller += strcmp(listing + j + RECORD_NAME, listing + i + RECORD_NAME) < 0;
    if (smaller != index) continue;
    if (record_size(listing + i) > n) return -EINVAL;
    memcpy(to, listing + i, record_size(listing + i));
    return record_size(listing + i);
  }
  return size < 0 ? size : 0;
}

long homi_host_getcwd(char *buffer, unsigned long n) {
  size_t length = strlen(homi_model_root);
  if (length > n) return -ERANGE;
  memcpy(buffer, homi_model_root, length);
  return (long)length;
}

long homi_host_id(int which) { return (long)homi_model_ids[which & 3]; }
