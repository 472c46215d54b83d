/* Memory of the preloaded kernel, never the program's heap: blocks of an arena, and contents of files that are mapped, which
 * are memory files (see model_memory.c). */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "homi/engine.h"
#include "model.h"

enum { ARENA = 256 << 20, HEAD = 16, CLASSES = 40 };
static char *arena, *arena_end;
static void *free_lists[CLASSES];

static unsigned class_of(size_t n) {
  unsigned class = 5;
  while (((size_t)1 << class) < n + HEAD) class++;
  return class;
}

void *homi_malloc(size_t n) {
  unsigned class = n > ARENA ? CLASSES : class_of(n);
  size_t bytes = (size_t)1 << class;
  char *block;
  if (class >= CLASSES) return NULL;
  block = free_lists[class];
  if (block) {
    memcpy(&free_lists[class], block + HEAD, sizeof(void *));
  } else {
    if ((size_t)(arena_end - arena) < bytes) return NULL;
    block = arena;
    arena += bytes;
  }
  *(size_t *)(void *)block = n;
  return block + HEAD;
}

/* Blocks that are mappings of memory files. */
enum { SHARED = 256, SHARED_PAGE = 4096 };
static struct shared {
  char *block;
  size_t view; /* bytes that are mapped here */
  int file;
} shared[SHARED];

static size_t view_of(size_t length) {
  return length ? (length + SHARED_PAGE - 1) & ~(size_t)(SHARED_PAGE - 1) : SHARED_PAGE;
}

static struct shared *shared_at(const void *block) {
  int i;
  for (i = 0; i < SHARED; i++)
    if (block && shared[i].block == block) return &shared[i];
  return NULL;
}

int homi_model_memory_file(const void *block) {
  const struct shared *found = shared_at(block);
  return found ? found->file : -1;
}

void homi_model_set_length(void *block, unsigned long length) {
  homi_raw(SYS_ftruncate, shared_at(block)->file, (long)length, 0, 0, 0, 0);
}

static void *grow_shared(struct shared *of, size_t length) {
  long at = homi_raw(SYS_ftruncate, of->file, (long)length, 0, 0, 0, 0);
  if (at < 0) return NULL;
  at = homi_raw(SYS_mremap, (long)of->block, (long)of->view, (long)view_of(length), MREMAP_MAYMOVE, 0, 0);
  if (at < 0) return NULL;
  of->block = (char *)at;
  of->view = view_of(length);
  return of->block;
}

static void free_shared(struct shared *of) {
  homi_raw(SYS_munmap, (long)of->block, (long)of->view, 0, 0, 0, 0);
  homi_raw(SYS_close, of->file, 0, 0, 0, 0, 0);
  of->block = NULL;
}

int homi_model_share(unsigned char **block, unsigned long length) {
  struct shared made = {NULL, view_of(length), 0}, *free_one = NULL;
  long at;
  int i;
  if (shared_at(*block)) return 1;
  for (i = 0; i < SHARED && !free_one; i++)
    if (!shared[i].block) free_one = &shared[i];
  if (!free_one) return 0;
  made.file = (int)homi_raw(SYS_memfd_create, (long)"file", MFD_CLOEXEC, 0, 0, 0, 0);
  if (made.file < 0) return 0;
  at = homi_raw(SYS_ftruncate, made.file, (long)length, 0, 0, 0, 0);
  if (at == 0) at = homi_raw(SYS_mmap, 0, (long)made.view, PROT_READ | PROT_WRITE, MAP_SHARED, made.file, 0);
  if (at < 0) {
    homi_raw(SYS_close, made.file, 0, 0, 0, 0, 0);
    return 0;
  }
  made.block = (char *)at;
  memcpy(made.block, *block, length);
  homi_free(*block);
  *free_one = made;
  *block = (unsigned char *)at;
  return 1;
}

void homi_free(void *p) {
  char *block = (char *)p - HEAD;
  unsigned class;
  if (!p) return;
  if (shared_at(p)) {
    free_shared(shared_at(p));
    return;
  }
  class = class_of(*(size_t *)(void *)block);
  memcpy(p, &free_lists[class], sizeof(void *));
  free_lists[class] = block;
}

void *homi_calloc(size_t n, size_t size) {
  void *p = homi_malloc(n * size);
  return p ? memset(p, 0, n * size) : NULL;
}

void *homi_realloc(void *p, size_t n) {
  void *grown;
  if (shared_at(p)) return grow_shared(shared_at(p), n);
  grown = homi_malloc(n);
  if (grown && p) {
    size_t old = *(size_t *)(void *)((char *)p - HEAD);
    memcpy(grown, p, old < n ? old : n);
    homi_free(p);
  }
  return grown;
}

int homi_model_has_memory(void) {
  arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) return 0;
  arena_end = arena + ARENA;
  return 1;
}
