/* mmap: every mapping is an object from malloc, aligned to a page, filled from its file when it has one.
 * Changes of a shared mapping reach the file at msync and munmap. Protection is not modelled. The program break moves
 * within one further object. */
#include "internal.h"

enum { MAP_SHARED = 1, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MREMAP_MAYMOVE = 1, PROT_WRITE = 2 };

struct mapping {
  struct mapping *next;
  unsigned char *object;   /* what malloc returned */
  unsigned char *start;
  uint64_t length;         /* a multiple of PAGE; what is still mapped */
  uint64_t pages_gone;
  struct open_file file;   /* of a shared file mapping */
  int64_t offset;
};

static struct mapping *mappings;

/* What the program break may grow to. Nothing is spent on what is not touched. */
enum { BREAK_LIMIT = 1 << 28 };
static unsigned char *break_object;
static unsigned long break_start, break_now;

static uint64_t whole_pages(uint64_t n) { return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

static struct mapping *find(unsigned long address) {
  struct mapping *mapping;
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (address - (unsigned long)mapping->start < mapping->length) return mapping;
  return 0;
}

static long fill(struct open_file *file, unsigned char *to, uint64_t n, int64_t offset) {
  uint64_t done = 0;
  while (done < n) {
    long count = hk_file_read(file, to + done, n - done, (uint64_t)offset + done);
    if (count < 0) return count;
    if (count == 0) break;
    done += (uint64_t)count;
  }
  return 0;
}

/* MAP_FIXED: only over what is mapped already; the bytes there are replaced. */
static long map_over(unsigned long address, uint64_t n, struct open_file *file, int64_t offset) {
  struct mapping *mapping = find(address);
  unsigned char *to;
  if (!mapping || address + n > (unsigned long)mapping->start + mapping->length) return -ENOMEM;
  to = mapping->start + (address - (unsigned long)mapping->start);
  memset(to, 0, n);
  if (file) {
    long error = fill(file, to, n, offset);
    if (error < 0) return error;
  }
  return (long)to;
}

long hk_mmap(unsigned long address, uint64_t n, long protection, long flags, long descriptor, int64_t offset) {
  struct open_file *file = 0;
  struct mapping *mapping;
  flags = (long)homi_concretize((unsigned)flags & (MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS));
  if (hk_decide(n == 0) || hk_decide((offset & (PAGE - 1)) != 0)) return -EINVAL;
  if (flags & MAP_FIXED && hk_decide((address & (PAGE - 1)) != 0)) return -EINVAL;
  if (hk_decide(n >= ALL_MEMORY)) return -ENOMEM;
  n = homi_concretize(whole_pages(n));
  if (n > (uint64_t)1 << 32) {
    homi_note_narrowed("a mapping of more than 4 GiB does not fit");
    return -ENOMEM;
  }
  if (!(flags & MAP_ANONYMOUS)) {
    file = hk_file(descriptor);
    if (!file) return -EBADF;
    if ((file->flags & O_ACCMODE) == O_WRONLY) return -EACCES;
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && (file->flags & O_ACCMODE) != O_RDWR) return -EACCES;
    if (file->inode->kind != INODE_REGULAR && file->inode->kind != INODE_SYMBOLIC && file->inode->kind != INODE_ZERO)
      return -ENODEV;
    if (hk_is_directory(file->inode)) return -ENODEV;
  }
  if (flags & MAP_FIXED) return map_over(address, n, file, offset);
  mapping = calloc(1, sizeof *mapping);
  mapping->length = n;
  mapping->object = malloc(mapping->length + PAGE);
  if (!mapping->object) {
    free(mapping);
    return -ENOMEM;
  }
  mapping->start = mapping->object + (-(uintptr_t)mapping->object & (PAGE - 1));
  memset(mapping->start, 0, mapping->length);
  if (file) {
    long error = fill(file, mapping->start, n, offset);
    if (error < 0) {
      free(mapping->object);
      free(mapping);
      return error;
    }
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE)) {
      mapping->file = *file;
      mapping->offset = offset;
      file->inode->opens++;
    }
  }
  mapping->next = mappings;
  mappings = mapping;
  return (long)mapping->start;
}

/* Writes a shared mapping's bytes to its file, as far as the file reaches. */
static void write_back(struct mapping *mapping) {
  uint64_t size, n = mapping->length;
  if (!mapping->file.inode) return;
  size = (uint64_t)hk_stat_of(mapping->file.inode)->st_size;
  if ((uint64_t)mapping->offset >= size) return;
  if (n > size - (uint64_t)mapping->offset) n = size - (uint64_t)mapping->offset;
  hk_file_write(&mapping->file, mapping->start, n, (uint64_t)mapping->offset);
}

long hk_msync(unsigned long address, uint64_t n) {
  struct mapping *mapping = find(address);
  (void)n;
  if (!mapping) return -ENOMEM;
  write_back(mapping);
  return 0;
}

static void remove_mapping(struct mapping *mapping) {
  struct mapping **link = &mappings;
  write_back(mapping);
  if (mapping->file.inode) {
    mapping->file.inode->opens--;
    hk_release(mapping->file.inode);
  }
  while (*link != mapping) link = &(*link)->next;
  *link = mapping->next;
  free(mapping->object);
  free(mapping);
}

/* The memory is given back when the last page of a mapping goes; until then pages that are gone stay readable. */
long hk_munmap(unsigned long address, uint64_t n) {
  struct mapping *mapping = find(address);
  uint64_t first, length;
  if (hk_decide((n == 0) | (n >= ALL_MEMORY) | ((address & (PAGE - 1)) != 0))) return -EINVAL;
  n = homi_concretize(whole_pages(n));
  if (!mapping) return 0;
  first = address - (unsigned long)mapping->start;
  length = mapping->length - first < n ? mapping->length - first : n;
  mapping->pages_gone += length / PAGE;
  if (mapping->pages_gone * PAGE >= mapping->length) remove_mapping(mapping);
  return length < n ? hk_munmap(address + length, n - length) : 0;
}

long hk_mremap(unsigned long address, uint64_t n, uint64_t new_n, long flags) {
  struct mapping *mapping = find(address);
  long result;
  n = homi_concretize(whole_pages(n));
  new_n = homi_concretize(whole_pages(new_n));
  if (!mapping || address != (unsigned long)mapping->start) return -EFAULT;
  if (new_n <= n) return (long)address;
  if (!(flags & MREMAP_MAYMOVE)) return -ENOMEM;
  result = hk_mmap(0, new_n, PROT_WRITE, MAP_ANONYMOUS, -1, 0);
  if (result < 0) return result;
  memcpy((void *)result, mapping->start, n);
  hk_munmap(address, n);
  return result;
}

/* The break that there is then, as Linux: one that cannot be had changes nothing. */
long hk_brk(unsigned long address) {
  if (!break_object) {
    break_object = malloc(BREAK_LIMIT + PAGE);
    if (!break_object) return PAGE;
    break_start = break_now = (unsigned long)break_object + (-(uintptr_t)break_object & (PAGE - 1));
    memset((void *)break_start, 0, BREAK_LIMIT);
  }
  address = homi_concretize(address);
  if (address < break_start || address > break_start + BREAK_LIMIT) return (long)break_now;
  if (address < break_now) memset((void *)address, 0, break_now - address);
  break_now = address;
  return (long)break_now;
}
