/* Blocks of the heap and mappings of an image: one stretch of memory that every execution begins anew. */
#include "image.h"

#include "homi/engine.h"

/* Bytes in all: where they are used up, malloc returns null. */
enum { ARENA = 1 << 30, CLEARED = 1 << 20, SMALLEST = 16, CLASSES = 128, PAGE = 4096 };
enum { MMAP = 9, MADVISE = 28, DONT_NEED = 4 };
enum { PROT_READ_WRITE = 3, PRIVATE_ANONYMOUS_FIXED = 0x4032 };

static char *const arena = (char *)0x230000000000;
static unsigned long used;
static int is_there;

/* Lies before each block, whose size is the class's. */
struct header {
  unsigned long size;
  unsigned long class;
};

struct free_block {
  struct free_block *next;
};
static struct free_block *freed[CLASSES];

void image_forget_blocks(void) {
  unsigned long cleared = used < CLEARED ? used : CLEARED;
  if (!is_there) {
    is_there = 1;
    image_syscall(MMAP, (long)arena, ARENA, PROT_READ_WRITE, PRIVATE_ANONYMOUS_FIXED, -1, 0);
  }
  image_clear(arena, cleared);
  if (used > cleared) image_syscall(MADVISE, (long)(arena + cleared), (long)(used - cleared), DONT_NEED, 0, 0, 0);
}

/* `n` bytes at a multiple of `alignment`, behind all others; 0 if there is no room. */
static char *take(unsigned long n, unsigned long alignment) {
  unsigned long at = (used + sizeof(struct header) + alignment - 1) & -alignment;
  if (n > ARENA || at > ARENA || at + n > ARENA) return 0;
  used = at + n;
  return arena + at;
}

/* The class of a size, four for each power of two, and the size of its blocks. */
static unsigned long class_of(unsigned long n, unsigned long *size) {
  unsigned long power = SMALLEST, class = 0, step;
  while (power * 2 <= n) power *= 2, class += 4;
  step = power / 4;
  *size = power;
  while (*size < n) *size += step, class ++;
  *size = (*size + SMALLEST - 1) & -(unsigned long)SMALLEST;
  return class;
}

void *homi_aligned_alloc(uint64_t alignment, uint64_t n) {
  unsigned long size, class;
  struct free_block *block;
  char *memory;
  if (n > ARENA) return 0;
  class = class_of(n ? n : 1, &size);
  if (class >= CLASSES) return 0;
  block = freed[class];
  if (block && alignment <= SMALLEST) {
    freed[class] = block->next;
    ((struct header *)block)[-1].size = n;
    return block;
  }
  memory = take(size, alignment < SMALLEST ? SMALLEST : alignment);
  if (!memory) return 0;
  ((struct header *)memory)[-1] = (struct header){n, class};
  return memory;
}

void *homi_malloc(uint64_t n) { return homi_aligned_alloc(SMALLEST, n); }

void *homi_calloc(uint64_t n, uint64_t size) {
  void *block = size && n > ~0ul / size ? 0 : homi_malloc(n * size);
  if (block) image_clear(block, n * size);
  return block;
}

static int is_block(const void *p) {
  return (const char *)p > arena && (const char *)p < arena + used && ((unsigned long)p & (SMALLEST - 1)) == 0 &&
         ((const struct header *)p)[-1].class < CLASSES;
}

void homi_free(void *p) {
  struct free_block *block = p;
  struct header *header = (struct header *)p - 1;
  if (!p) return;
  if (!is_block(p)) image_end(END_ERROR, 0, "memory error: invalid pointer: free");
  block->next = freed[header->class];
  freed[header->class] = block;
}

uint64_t image_size_of(const void *p) { return is_block(p) ? ((const struct header *)p)[-1].size : 0; }

void *homi_realloc(void *p, uint64_t n) {
  unsigned long old;
  void *to;
  if (!p) return homi_malloc(n);
  if (!is_block(p)) image_end(END_ERROR, 0, "memory error: invalid pointer: realloc");
  if (n == 0) return homi_free(p), (void *)0;
  to = homi_malloc(n);
  if (!to) return 0;
  old = image_size_of(p);
  image_copy(to, p, old < n ? old : n);
  homi_free(p);
  return to;
}

/* ---- mappings are blocks, and windows are the bytes themselves ---- */

int homi_is_free(uint64_t address, uint64_t n) { return (void)n, address == 0; }

uint64_t homi_map(uint64_t address, uint64_t n) {
  char *block = address ? 0 : take((n + PAGE - 1) & -(unsigned long)PAGE, PAGE);
  return (uint64_t)block;
}

uint64_t homi_map_window(uint64_t address, uint64_t n, const void *bytes, uint64_t there) {
  (void)n, (void)there;
  return address ? 0 : (uint64_t)bytes;
}

void homi_unmap(uint64_t address, uint64_t n) { (void)address, (void)n; }
int homi_protect(uint64_t address, uint64_t n, int access) { return (void)address, (void)n, (void)access, 0; }

/* ---- the names of the C library, where the program has none of its own ---- */

void *malloc(size_t n) { return homi_malloc(n); }
void *calloc(size_t n, size_t size) { return homi_calloc(n, size); }
void *realloc(void *p, size_t n) { return homi_realloc(p, n); }
void *reallocarray(void *p, size_t n, size_t size) { return size && n > ~0ul / size ? 0 : homi_realloc(p, n * size); }
void free(void *p) { homi_free(p); }
void cfree(void *p) { homi_free(p); }
void *aligned_alloc(size_t alignment, size_t n) { return homi_aligned_alloc(alignment, n); }
void *memalign(size_t alignment, size_t n) { return homi_aligned_alloc(alignment, n); }
void *valloc(size_t n) { return homi_aligned_alloc(PAGE, n); }
size_t malloc_usable_size(void *p) { return image_size_of(p); }

int posix_memalign(void **to, size_t alignment, size_t n) {
  enum { INVALID = 22, NO_MEMORY = 12 };
  if (alignment < sizeof(void *) || alignment & (alignment - 1)) return INVALID;
  *to = homi_aligned_alloc(alignment, n);
  return *to ? 0 : NO_MEMORY;
}
