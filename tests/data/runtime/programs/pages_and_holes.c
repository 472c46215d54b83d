/* Shared pages without a file stay when the program no longer needs them, holes in files are zeros, the first thread's
 * stack has about the size of its limit, and the break may be asked for. */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void advice(void) {
  char *own = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  strcpy(own, "own"), strcpy(shared, "shared");
  printf("%d", madvise(own, 4096, MADV_DONTNEED)), printf(" %d", madvise(shared, 4096, MADV_DONTNEED));
  printf(" [%s] [%s]\n", own, shared);
}

static void holes(void) {
  static const int modes[] = {FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE,
    FALLOC_FL_PUNCH_HOLE};
  char bytes[12] = "";
  int file = open("holes", O_CREAT | O_RDWR, 0600);
  printf("%zd\n", write(file, "0123456789", 10));
  for (int i = 0; i < 3; i++) {
    int result = fallocate(file, modes[i], 2 + 3 * i, i == 1 ? 400 : 2);
    printf("%d %d:", result, result ? errno : 0);
    printf(" %zd", pread(file, bytes, 12, 0));
    for (int k = 0; k < 10; k++) printf(" %d", bytes[k]);
    printf("\n");
  }
}

int main(void) {
  pthread_attr_t attributes;
  struct rlimit limit;
  size_t size;
  advice();
  holes();
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &size);
  getrlimit(RLIMIT_STACK, &limit);
  printf("%d %d\n", size > limit.rlim_cur / 2, brk(0));
  return 0;
}
