/* The mmap family. The engine keeps the bytes, at any page of the address space, and their protection; this file keeps
 * the addresses and files of mappings, in records that never overlap and have one protection each.
 *
 * A shared mapping of a file is a window on the file's own bytes (`inode->data`), so reads, writes and other mappings
 * of it see the same. Where these bytes move or the file changes its size, its windows are made anew. */
#include "internal.h"

enum { MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MAP_FIXED_NOREPLACE = 0x100000 };
enum { REMAP_MAYMOVE = 1, REMAP_FIXED = 2, REMAP_FLAGS = 7 };
enum { PROT_READ = 1, PROT_WRITE = 2, PROT_EXECUTE = 4, PROT_SEMAPHORE = 8, PROT_GROWS = 3 << 24 };
enum { MS_ASYNC = 1, MS_INVALIDATE = 2, MS_SYNC = 4, MADV_DONTNEED = 4, MADV_FREE = 8, MADV_LAST = 25 };
/* Below, a process without privileges may map nothing; behind, nothing is. */
static const unsigned long lowest = 65536, highest = (unsigned long)1 << 47;

struct mapping {
  struct mapping *next;
  unsigned long start;
  uint64_t length;         /* a multiple of PAGE */
  long protection;
  struct inode *inode;     /* of a shared file mapping */
  struct inode *source;    /* of a private file mapping: its pages begin with the file's bytes */
  int64_t offset;          /* in the file */
  int may_write;           /* whether a shared file mapping may be made writable */
  int is_shared;           /* without a file: its bytes stay whatever is advised */
};

static struct mapping *mappings;

/* Maximum size of the data segment up to the program break. Untouched memory costs nothing. */
enum { BREAK_LIMIT = 1 << 28 };
static unsigned char *break_object;
static unsigned long break_start, break_now;

static uint64_t whole_pages(uint64_t n) { return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/* ---- records ---- */

/* The first record that has an address in a range. */
static struct mapping *find(unsigned long start, unsigned long end) {
  struct mapping *mapping, *first = 0;
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (mapping->start < end && mapping->start + mapping->length > start && (!first || mapping->start < first->start))
      first = mapping;
  return first;
}

int hk_guards;

static int is_mapped(unsigned long start, unsigned long end) {
  while (start < end) {
    const struct mapping *mapping = find(start, start + 1);
    if (!mapping) return 0;
    start = mapping->start + mapping->length;
  }
  return 1;
}

static struct mapping *add(struct mapping wanted) {
  struct mapping *mapping = malloc(sizeof *mapping);
  *mapping = wanted;
  if (mapping->inode) mapping->inode->opens++;
  if (mapping->source) mapping->source->opens++;
  mapping->next = mappings;
  mappings = mapping;
  return mapping;
}

static void let_go(struct inode *inode) {
  if (!inode) return;
  inode->opens--;
  hk_release(inode);
}

static void forget(struct mapping *mapping) {
  struct mapping **link = &mappings;
  while (*link != mapping) link = &(*link)->next;
  *link = mapping->next;
  let_go(mapping->inode);
  let_go(mapping->source);
  free(mapping);
}

/* Makes two records of one in whose middle an address lies. */
static void split(unsigned long address) {
  struct mapping *mapping = find(address, address + 1);
  struct mapping rest;
  if (!mapping || mapping->start == address) return;
  rest = *mapping;
  mapping->length = address - mapping->start;
  rest.start = address;
  rest.length -= mapping->length;
  rest.offset += (int64_t)mapping->length;
  add(rest);
}

/* One record of neighbors that are alike. */
static void join_records(void) {
  struct mapping *mapping, *next;
  for (mapping = mappings; mapping; mapping = next) {
    next = mapping->next;
    while (!mapping->inode && !mapping->source) {
      struct mapping *behind = find(mapping->start + mapping->length, mapping->start + mapping->length + 1);
      if (!behind || behind->inode || behind->source || behind->protection != mapping->protection) break;
      mapping->length += behind->length;
      if (behind == next) next = behind->next;
      forget(behind);
    }
  }
}

/* ---- the engine's side ---- */

static int access_of(long protection) {
  if (protection & PROT_WRITE) return 2;
  return protection & (PROT_READ | PROT_EXECUTE) ? 1 : 0;
}

static void unmap(unsigned long start, unsigned long end) {
  struct mapping *mapping;
  split(start);
  split(end);
  while ((mapping = find(start, end))) forget(mapping);
  homi_unmap(start, end - start);
}

/* A file's bytes in whole pages, as mappings show them: behind the file's end are zeros. */
static long prepare(struct inode *inode) {
  long error = hk_own_contents(inode);
  uint64_t capacity = whole_pages(inode->size ? inode->size : 1);
  unsigned char *data = inode->data;
  if (error < 0) return error;
  if (!data || inode->capacity % PAGE || inode->capacity < capacity) {
    data = realloc(inode->data, capacity);
    if (!data) return -ENOMEM;
    memset(data + inode->size, 0, capacity - inode->size);
    inode->data = data;
    inode->capacity = capacity;
  }
  return 0;
}

/* Bytes of a mapping that the file has, in whole pages. */
static uint64_t there(const struct mapping *mapping) {
  uint64_t size = whole_pages(mapping->inode->size), offset = (uint64_t)mapping->offset;
  if (offset >= size) return 0;
  return size - offset < mapping->length ? size - offset : mapping->length;
}

static unsigned long show(const struct mapping *mapping) {
  const unsigned char *bytes = mapping->inode->data;
  uint64_t n = there(mapping);
  unsigned long start = homi_map_window(mapping->start, mapping->length, n ? bytes + mapping->offset : bytes, n);
  if (start && n && access_of(mapping->protection) != 2) homi_protect(start, n, access_of(mapping->protection));
  return start;
}

/* ---- private mappings ---- */

/* Pages of a private mapping behind the last one of its file are there for nobody. */
static void hide_behind_end(const struct mapping *mapping) {
  const uint64_t size = mapping->source ? whole_pages((uint64_t)hk_stat_of(mapping->source)->st_size) : 0;
  const uint64_t offset = (uint64_t)mapping->offset, shown = size > offset ? size - offset : 0;
  if (!mapping->source || mapping->source->operations->mapping != MAPS_THE_FILE || klee_is_symbolic((uintptr_t)shown)) return;
  if (shown < mapping->length) homi_protect(mapping->start + shown, mapping->length - shown, 0);
}

/* The signal for an access that a mapping does not allow: SIGBUS where its file has nothing. */
int hk_fault_signal(unsigned long address) {
  const struct mapping *mapping = find(address, address + 1);
  if (!mapping || !mapping->source || !access_of(mapping->protection)) return SIGSEGV;
  return (uint64_t)mapping->offset + (address - mapping->start) >= whole_pages(mapping->source->size) ? SIGBUS : SIGSEGV;
}

/* The file of private mappings has another size. */
static void show_to_end(const struct inode *inode) {
  const struct mapping *mapping;
  for (mapping = mappings; mapping; mapping = mapping->next) {
    if (mapping->source != inode) continue;
    homi_protect(mapping->start, mapping->length, access_of(mapping->protection));
    hide_behind_end(mapping);
  }
}

/* True if the program has not written to a page of a private mapping, as far as its bytes tell. Symbolic bytes that are the
 * file's own are equal without a question. */
static int is_untouched(const struct mapping *mapping, unsigned long page) {
  const struct inode *inode = mapping->source;
  const unsigned char *mine = (const unsigned char *)page;
  const uint64_t offset = (uint64_t)mapping->offset + (page - mapping->start);
  uint64_t differences = 0, i = 0;
  for (; i + 8 <= PAGE && offset + i + 8 <= inode->size; i += 8) {
    uint64_t a, b;
    memcpy(&a, mine + i, 8);
    memcpy(&b, inode->data + offset + i, 8);
    differences |= a ^ b;
  }
  for (; i < PAGE; i++) differences |= mine[i] ^ (offset + i < inode->size ? inode->data[offset + i] : 0);
  return !klee_is_symbolic(differences) && differences == 0;
}

/* Shows bytes that come into a file (null: zeros) in the part of a page that they are for. */
static void show_in_page(const struct mapping *mapping, unsigned long page, const unsigned char *bytes, uint64_t n, uint64_t offset) {
  const uint64_t here = (uint64_t)mapping->offset + (page - mapping->start);
  const uint64_t from = offset > here ? offset : here, to = offset + n < here + PAGE ? offset + n : here + PAGE;
  unsigned char *place = (unsigned char *)page + (from - here);
  if (from >= to) return;
  if (here >= whole_pages(mapping->source->size)) return;
  if (access_of(mapping->protection) != 2) homi_protect(page, PAGE, 2);
  if (is_untouched(mapping, page)) {
    if (bytes) homi_copy(place, bytes + (from - offset), to - from);
    else memset(place, 0, to - from);
  }
  if (access_of(mapping->protection) != 2) homi_protect(page, PAGE, access_of(mapping->protection));
}

/* A file is about to get these bytes at an offset within it (null: zeros). Private mappings show them, but in pages that
 * the program has changed. */
void hk_show_write(const struct inode *inode, const unsigned char *bytes, uint64_t n, uint64_t offset) {
  const struct mapping *mapping;
  for (mapping = mappings; mapping; mapping = mapping->next) {
    unsigned long page = mapping->start;
    if (mapping->source != inode || !inode->data) continue;
    offset = homi_concretize(offset);
    n = homi_concretize(n);
    for (; page < mapping->start + mapping->length; page += PAGE) show_in_page(mapping, page, bytes, n, offset);
  }
}

/* The bytes of a file lie elsewhere, or are more or fewer. */
void hk_show_again(struct inode *inode) {
  struct mapping *mapping;
  show_to_end(inode);
  for (mapping = mappings; mapping; mapping = mapping->next) {
    if (mapping->inode != inode) continue;
    if (prepare(inode) < 0) return;
    homi_unmap(mapping->start, mapping->length);
    show(mapping);
  }
}

int hk_is_shown(const struct inode *inode) {
  const struct mapping *mapping;
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (mapping->inode == inode) return 1;
  return 0;
}

/* True if a mapping of the file may be written or may be made so. */
int hk_may_be_written_by_mapping(const struct inode *inode) {
  const struct mapping *mapping;
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (mapping->inode == inode && mapping->may_write) return 1;
  return 0;
}

/* ---- system calls ---- */

static int is_sealed(const struct open_file *file) { return file->inode->seals & (SEAL_WRITE | SEAL_FUTURE_WRITE); }

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

/* Checks if the file may be mapped so: 0 or -errno. */
static long check_file(const struct open_file *file, long protection, long flags) {
  int mode;
  if (!file) return -EBADF;
  mode = file->flags & O_ACCMODE;
  if (mode == O_WRONLY) return -EACCES;
  if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && mode != O_RDWR) return -EACCES;
  if (file->inode->operations->mapping == MAPS_NOTHING) return -ENODEV;
  if (hk_is_directory(file->inode)) return -ENODEV;
  return (flags & MAP_SHARED) && (protection & PROT_WRITE) && is_sealed(file) ? -EPERM : 0;
}

/* Chooses a mapping's address: the program's choice, which is unmapped if it insists, or 0 for the engine's choice. */
static long choose(unsigned long *address, uint64_t n, long flags) {
  unsigned long start = *address;
  if (!(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))) {
    start = homi_concretize(start) & ~(unsigned long)(PAGE - 1);
    *address = start >= lowest && start < highest && homi_is_free(start, n) ? start : 0;
    return 0;
  }
  if (hk_decide((start & (PAGE - 1)) != 0)) return -EINVAL;
  start = *address = homi_concretize(start);
  if (start > highest || n > highest - start) return -ENOMEM;
  if (start < lowest) return -EPERM;
  if ((flags & MAP_FIXED_NOREPLACE) && !homi_is_free(start, n)) return -EEXIST;
  unmap(start, start + n);
  if (homi_is_free(start, n)) return 0;
  homi_note_concretized("a mapping in the place of something else than a mapping");
  return -ENOMEM;
}

long hk_mmap(unsigned long address, uint64_t n, long protection, long flags, long descriptor, int64_t offset) {
  struct open_file *file = 0;
  struct mapping mapping = {0};
  long error;
  flags = (long)homi_concretize((unsigned)flags & (MAP_SHARED | MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE));
  protection = (long)homi_concretize((unsigned)protection);
  if (hk_decide(n == 0) || hk_decide((offset & (PAGE - 1)) != 0) || !(flags & (MAP_SHARED | MAP_PRIVATE))) return -EINVAL;
  if (hk_decide(n >= ALL_MEMORY)) return -ENOMEM;
  n = homi_concretize(whole_pages(n));
  if (n > (uint64_t)1 << 32) {
    homi_note_concretized("a mapping of more than 4 GiB does not fit");
    return -ENOMEM;
  }
  if (!(flags & MAP_ANONYMOUS)) {
    file = hk_file(descriptor);
    error = check_file(file, protection, flags);
    if (error) return error;
  }
  error = choose(&address, n, flags);
  if (error) return error;
  mapping.start = address;
  mapping.length = n;
  mapping.protection = protection;
  if (file && (flags & MAP_SHARED) && file->inode->operations->mapping == MAPS_THE_FILE) {
    mapping.inode = file->inode;
    mapping.offset = (int64_t)homi_concretize((uint64_t)offset);
    mapping.may_write = (file->flags & O_ACCMODE) == O_RDWR && !is_sealed(file);
    error = prepare(mapping.inode);
    if (error < 0) return error;
    mapping.start = show(&mapping);
  } else {
    mapping.start = homi_map(address, n);
    mapping.is_shared = !file && flags & MAP_SHARED;
  }
  if (!mapping.start) return -ENOMEM;
  if (!mapping.inode && file) {
    mapping.source = file->inode;
    mapping.offset = (int64_t)homi_concretize((uint64_t)offset);
    error = fill(file, (unsigned char *)mapping.start, n, offset);
    if (error < 0) {
      homi_unmap(mapping.start, n);
      return error;
    }
  }
  if (!mapping.inode && access_of(protection) != 2) homi_protect(mapping.start, n, access_of(protection));
  hk_guards |= access_of(protection) == 0;
  add(mapping);
  hide_behind_end(&mapping);
  return (long)mapping.start;
}

/* Symbolic pointers are left to the access. */
int hk_is_guarded(const void *pointer) {
  const struct mapping *mapping;
  if (klee_is_symbolic((uintptr_t)pointer)) return 0;
  mapping = find((unsigned long)pointer, (unsigned long)pointer + 1);
  return mapping && access_of(mapping->protection) == 0;
}

long hk_munmap(unsigned long address, uint64_t n) {
  if (hk_decide((n == 0) | (n >= ALL_MEMORY) | ((address & (PAGE - 1)) != 0))) return -EINVAL;
  address = homi_concretize(address);
  n = homi_concretize(whole_pages(n));
  unmap(address, address + n);
  return 0;
}

long hk_mprotect(unsigned long address, uint64_t n, long protection) {
  struct mapping *mapping;
  unsigned long end;
  if (hk_decide((address & (PAGE - 1)) != 0)) return -EINVAL;
  address = homi_concretize(address);
  protection = (long)homi_concretize((unsigned)protection);
  if (protection & ~(PROT_READ | PROT_WRITE | PROT_EXECUTE | PROT_SEMAPHORE | PROT_GROWS)) return -EINVAL;
  n = homi_concretize(whole_pages(n));
  if (n == 0) return 0;
  end = address + n;
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (mapping->start < end && mapping->start + mapping->length > address && mapping->inode && !mapping->may_write &&
        (protection & PROT_WRITE))
      return -EACCES;
  if (find(address, end) && !is_mapped(address, end)) return -ENOMEM;
  if (!find(address, end)) return homi_protect(address, n, access_of(protection)) ? -ENOMEM : 0;
  split(address);
  split(end);
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (mapping->start >= address && mapping->start < end) mapping->protection = protection;
  join_records();
  homi_protect(address, n, access_of(protection));
  for (mapping = mappings; mapping; mapping = mapping->next)
    if (mapping->start < end && mapping->start + mapping->length > address) hide_behind_end(mapping);
  hk_guards |= access_of(protection) == 0;
  return 0;
}

/* Files have what was written to their windows already. */
long hk_msync(unsigned long address, uint64_t n, long flags) {
  flags = (long)homi_concretize((unsigned)flags);
  if (flags & ~(MS_ASYNC | MS_INVALIDATE | MS_SYNC) || (flags & MS_ASYNC && flags & MS_SYNC)) return -EINVAL;
  if (hk_decide((address & (PAGE - 1)) != 0)) return -EINVAL;
  address = homi_concretize(address);
  return is_mapped(address, address + homi_concretize(whole_pages(n))) ? 0 : -ENOMEM;
}

/* True if something of a range is a mapping and something is none. */
static int has_hole(unsigned long start, unsigned long end) { return find(start, end) && !is_mapped(start, end); }

/* mlock and munlock: all is in memory already, if it is there at all. */
long hk_mlock(unsigned long address, uint64_t n) {
  if (hk_decide(n == 0)) return 0;
  if (hk_decide(n >= ALL_MEMORY)) return -ENOMEM;
  address = homi_concretize(address);
  n = whole_pages(homi_concretize(n) + (address & (PAGE - 1)));
  address &= ~(unsigned long)(PAGE - 1);
  return has_hole(address, address + n) || homi_is_free(address, n) ? -ENOMEM : 0;
}

/* All that is mapped is in memory. */
long hk_mincore(unsigned long address, uint64_t n, unsigned char *pages) {
  if (hk_decide((address & (PAGE - 1)) != 0)) return -EINVAL;
  address = homi_concretize(address);
  n = homi_concretize(whole_pages(n));
  if (has_hole(address, address + n) || homi_is_free(address, n)) return -ENOMEM;
  if (n && hk_bad(pages)) return -EFAULT;
  memset(pages, 1, n / PAGE);
  return 0;
}

/* A part of a private mapping begins anew: with the file's bytes, or with zeros. */
static void begin_anew(const struct mapping *mapping, unsigned long from, unsigned long to) {
  homi_protect(from, to - from, 2);
  memset((void *)from, 0, to - from);
  if (mapping->source) {
    struct open_file file = {0};
    file.inode = mapping->source;
    fill(&file, (unsigned char *)from, to - from, mapping->offset + (int64_t)(from - mapping->start));
  }
  if (access_of(mapping->protection) != 2) homi_protect(from, to - from, access_of(mapping->protection));
  hide_behind_end(mapping);
}

/* Advice about what the program no longer needs: private pages begin anew. Other advice changes nothing. */
long hk_madvise(unsigned long address, uint64_t n, long advice) {
  unsigned long end;
  long result;
  if (hk_decide(((unsigned)advice > MADV_LAST) | ((unsigned)advice > MADV_DONTNEED && (unsigned)advice < MADV_FREE)))
    return -EINVAL;
  if (hk_decide((address & (PAGE - 1)) != 0)) return -EINVAL;
  address = homi_concretize(address);
  n = homi_concretize(whole_pages(n));
  end = address + n;
  /* The advice applies to the mapped part nevertheless. */
  result = n && (has_hole(address, end) || homi_is_free(address, n)) ? -ENOMEM : 0;
  if (!hk_decide(advice == MADV_DONTNEED)) return result;
  while (address < end) {
    const struct mapping *mapping = find(address, end);
    unsigned long from, to;
    if (!mapping) break;
    from = mapping->start > address ? mapping->start : address;
    to = mapping->start + mapping->length < end ? mapping->start + mapping->length : end;
    if (!mapping->inode && !mapping->is_shared) begin_anew(mapping, from, to);
    address = to;
  }
  return result;
}

/* A mapping of another length, somewhere else. */
static long move(struct mapping old, uint64_t n, unsigned long address) {
  unsigned long start;
  uint64_t kept = n < old.length ? n : old.length;
  struct mapping moved = old;
  moved.start = address;
  moved.length = n;
  if (old.inode) {
    start = show(&moved);
  } else {
    start = homi_map(address, n);
    if (start) {
      homi_protect(old.start, kept, 2);
      homi_copy((void *)start, (const void *)old.start, kept);
      if (access_of(old.protection) != 2) homi_protect(start, n, access_of(old.protection));
    }
  }
  if (!start) return -ENOMEM;
  moved.start = start;
  add(moved);
  return (long)start;
}

long hk_mremap(unsigned long address, uint64_t n, uint64_t new_n, long flags, unsigned long wanted) {
  struct mapping *mapping = find(address, address + 1);
  struct mapping old;
  long result;
  flags = (long)homi_concretize((unsigned)flags);
  if (flags & ~REMAP_FLAGS || (flags & REMAP_FIXED && !(flags & REMAP_MAYMOVE))) return -EINVAL;
  if (hk_decide((address & (PAGE - 1)) != 0) || hk_decide(new_n == 0)) return -EINVAL;
  address = homi_concretize(address);
  n = homi_concretize(whole_pages(n));
  new_n = homi_concretize(whole_pages(new_n));
  if (!mapping || (n && !is_mapped(address, address + n))) return -EFAULT;
  if (new_n > (uint64_t)1 << 32) return -ENOMEM;
  if (flags & REMAP_FIXED) {
    wanted = homi_concretize(wanted);
    if (wanted & (PAGE - 1) || (wanted < address + n && wanted + new_n > address)) return -EINVAL;
    if (wanted < lowest || wanted > highest) return -EPERM;
    unmap(wanted, wanted + new_n);
    if (!homi_is_free(wanted, new_n)) return -ENOMEM;
  } else {
    wanted = 0;
    if (new_n <= n) {
      if (new_n < n) unmap(address + new_n, address + n);
      return (long)address;
    }
    if (!(flags & REMAP_MAYMOVE)) {
      /* It grows where it is. */
      if (!homi_is_free(address + n, new_n - n)) return -ENOMEM;
      old = *mapping;
      old.offset += (int64_t)(address + n - mapping->start);
      old.length = 0;
      old.start = address + n;
      result = move(old, new_n - n, address + n);
      return result < 0 ? result : (long)address;
    }
  }
  split(address);
  split(address + n);
  mapping = find(address, address + 1);
  if (mapping->start + mapping->length < address + n) return -EFAULT;
  old = *mapping;
  if (n == 0) old.length = 0;
  result = move(old, new_n, wanted);
  if (result >= 0 && n) unmap(address, address + n);
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
