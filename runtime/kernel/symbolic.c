/* Symbolic objects that the kernel makes: files with their stat, bounded integers. */
#include "internal.h"

static char *join(const char *a, const char *b) {
  unsigned long n = strlen(a), m = strlen(b);
  char *text = malloc(n + m + 1);
  memcpy(text, a, n);
  memcpy(text + n, b, m + 1);
  return text;
}

/* An ordinary file of 0644 that resembles its surroundings is the preferred example of a symbolic stat. */
static void prefer_ordinary(struct kernel_stat *stat, const struct kernel_stat *defaults) {
  klee_prefer_cex(stat, (stat->st_mode & ~(uint32_t)(S_IFMT | 0777)) == 0);
  klee_prefer_cex(stat, (stat->st_mode & S_IFMT) == S_IFREG);
  klee_prefer_cex(stat, (stat->st_mode & 0700) == 0600);
  klee_prefer_cex(stat, (stat->st_mode & 0070) == 0040);
  klee_prefer_cex(stat, (stat->st_mode & 0007) == 0004);
  klee_prefer_cex(stat, stat->st_dev == defaults->st_dev);
  klee_prefer_cex(stat, stat->st_rdev == defaults->st_rdev);
  klee_prefer_cex(stat, stat->st_nlink == 1);
  klee_prefer_cex(stat, stat->st_uid == defaults->st_uid);
  klee_prefer_cex(stat, stat->st_gid == defaults->st_gid);
  klee_prefer_cex(stat, stat->st_blksize == 4096);
  klee_prefer_cex(stat, stat->st_atim.seconds == defaults->st_atim.seconds);
  klee_prefer_cex(stat, stat->st_mtim.seconds == defaults->st_mtim.seconds);
  klee_prefer_cex(stat, stat->st_ctim.seconds == defaults->st_ctim.seconds);
}

/* A file of symbolic bytes with a symbolic stat: objects NAME (or NAME_data, when it is one of the named
 * files) and NAME_stat, in this order. */
struct inode *hk_symbolic_file(const char *name, uint64_t size, const struct kernel_stat *defaults) {
  struct inode *inode = calloc(1, sizeof *inode);
  struct kernel_stat *stat = malloc(sizeof *stat);
  char *stat_name = join(name, "_stat");
  inode->kind = INODE_SYMBOLIC;
  inode->operations = &hk_symbolic_contents;
  inode->data = malloc(size);
  inode->size = inode->capacity = size;
  inode->stat = stat;
  inode->stat_known = 1;
  klee_make_symbolic(inode->data, size, name);
  klee_make_symbolic(stat, sizeof *stat, stat_name);
  free(stat_name);
  klee_assume((stat->st_ino & 0x7fffffff) != 0);
  /* One of a few block sizes, told by one byte: KLEE allows all up to 65,535, and a program that takes the least common
   * multiple of two (diff) then spends its time on remainders of 64 bits. */
  klee_assume((stat->st_blksize & ~(int64_t)0xff00) == 0);
  uint8_t block = ((const uint8_t *)&stat->st_blksize)[1];
  klee_assume((block == 0) | (block == 512 >> 8) | (block == 4096 >> 8));
  prefer_ordinary(stat, defaults);
  stat->st_size = (int64_t)size;
  stat->st_blocks = 8;
  return inode;
}

/* An int in [begin, end); one value needs no object. */
int hk_symbolic_range(int begin, int end, const char *name) {
  int *value;
  if (end - begin == 1) return begin;
  value = malloc(sizeof *value);
  klee_make_symbolic(value, sizeof *value, name);
  if (begin == 0)
    klee_assume((unsigned)*value < (unsigned)end);
  else
    klee_assume((begin <= *value) & (*value < end));
  return *value;
}
