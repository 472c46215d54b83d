/* The test under the preloaded model: a .ktest file (KLEE's format, version 2 and up), whose objects the
 * kernel gets where it makes symbolic ones. A file that cannot be read is refused as a whole; an object
 * that it lacks is no error. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "homi/engine.h"
#include "klee/klee.h"
#include "model.h"

struct object {
  const unsigned char *name, *bytes;
  unsigned name_length, length;
  int used;
};

static struct object *objects;
static unsigned object_count;
char **homi_model_arguments;
int homi_model_argument_count;

static uint32_t number_at(const unsigned char **p, const unsigned char *end) {
  uint32_t n;
  if (end - *p < 4) return 0;
  n = (uint32_t)(*p)[0] << 24 | (uint32_t)(*p)[1] << 16 | (uint32_t)(*p)[2] << 8 | (*p)[3];
  *p += 4;
  return n;
}

static const unsigned char *bytes_at(const unsigned char **p, const unsigned char *end, unsigned *length) {
  const unsigned char *start;
  *length = number_at(p, end);
  start = *p;
  if ((size_t)(end - *p) < *length) *length = (unsigned)(end - *p);
  *p += *length;
  return start;
}

/* homi has checked the file before. */
int homi_model_read_test(const char *path) {
  long file = homi_raw(SYS_open, (long)path, 0, 0, 0, 0, 0), size, done = 0, count;
  const unsigned char *p, *end;
  unsigned char *bytes;
  uint32_t version, i, n;
  if (file < 0) return 0;
  size = homi_raw(SYS_lseek, file, 0, SEEK_END, 0, 0, 0);
  bytes = homi_malloc((size_t)size + 1);
  if (size < 13 || !bytes) return 0;
  while (done < size && (count = homi_raw(SYS_pread64, file, (long)bytes + done, size - done, done, 0, 0)) > 0) done += count;
  homi_raw(SYS_close, file, 0, 0, 0, 0, 0);
  p = bytes + 5;
  end = bytes + done;
  version = number_at(&p, end);
  n = number_at(&p, end);
  homi_model_arguments = homi_calloc(n + 1, sizeof *homi_model_arguments);
  for (i = 0; i < n; i++) {
    unsigned length;
    const unsigned char *text = bytes_at(&p, end, &length);
    homi_model_arguments[i] = homi_calloc(length + 1, 1);
    memcpy(homi_model_arguments[i], text, length);
  }
  homi_model_argument_count = (int)n;
  if (version >= 2) p += 8;
  object_count = number_at(&p, end);
  objects = homi_calloc(object_count + 1, sizeof *objects);
  if (!objects) return 0;
  for (i = 0; i < object_count; i++) {
    objects[i].name = bytes_at(&p, end, &objects[i].name_length);
    objects[i].bytes = bytes_at(&p, end, &objects[i].length);
  }
  return 1;
}

/* KLEE 2 wrote '-' where KLEE 3 writes '_'. */
static int is_named(const struct object *object, const char *name) {
  unsigned i;
  if (object->name_length != strlen(name)) return 0;
  for (i = 0; i < object->name_length; i++)
    if (object->name[i] != (unsigned char)name[i] && !(object->name[i] == '-' && name[i] == '_')) return 0;
  return 1;
}

/* An object that the path did not come to make is zero; a stat that no path can have (its inode number is not
 * allowed to be 0) was not chosen: it becomes an ordinary file's stat. */
void klee_make_symbolic(void *address, size_t bytes, const char *name) {
  unsigned i;
  size_t length = strlen(name);
  memset(address, 0, bytes);
  for (i = 0; i < object_count; i++) {
    if (objects[i].used || objects[i].length != bytes || !is_named(&objects[i], name)) continue;
    objects[i].used = 1;
    memcpy(address, objects[i].bytes, bytes);
    break;
  }
  if (bytes == 144 && length > 5 && strcmp(name + length - 5, "_stat") == 0) homi_model_ordinary_stat(address);
}

int homi_model_has_object(const char *name, size_t bytes) {
  unsigned i;
  for (i = 0; i < object_count; i++)
    if (!objects[i].used && objects[i].length == bytes && is_named(&objects[i], name)) return 1;
  return 0;
}
