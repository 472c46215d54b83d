// Arguments that calls refuse, rooms that are too small or larger than any text, and tables, walks and streams at their limits.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

#define TOLD(call) (errno = 0, told(#call, (long)(call)))

static void told(const char *call, long result) {
  printf("%s = %ld", call, result);
  if (errno) printf(" errno %d", errno);
  puts("");
}

static void rooms(void) {
  char text[300];
  wchar_t wide[20];
  /* Not the checked variants, which refuse what is larger than the array. */
  int (*volatile print)(char *, size_t, const char *, ...) = snprintf;
  int (*volatile print_wide)(wchar_t *, size_t, const wchar_t *, ...) = swprintf;
  TOLD(symlink("nowhere", "link")), TOLD(readlink("link", text, 0)), TOLD(readlink("link", text, 3));
  TOLD(readlinkat(AT_FDCWD, "link", text, 0));
  TOLD(gethostname(text, 0)), TOLD(gethostname(text, sizeof text));
  TOLD(print(text, (size_t)INT_MAX + 10, "%s", "ab")), puts(text);
  TOLD(print_wide(wide, (size_t)INT_MAX + 10, L"%d", 12)), printf("%ls\n", wide);
  TOLD(getrandom(text, 4, 8)), TOLD(getrandom(text, 4, GRND_NONBLOCK));
}

static void kernel(void) {
  int ends[2], file = open("made", O_CREAT | O_RDWR, 0600);
  char *page;
  TOLD(pipe(ends)), TOLD(posix_fadvise(ends[0], 0, 0, 0)), TOLD(posix_fadvise(99, 0, 0, 0));
  for (int advice = -1; advice < 8; advice++) TOLD(posix_fadvise(file, 0, 0, advice));
  TOLD(posix_fadvise(file, 0, -1, 0));
  TOLD(prctl(0)), TOLD(prctl(9999)), TOLD(prctl(PR_GET_DUMPABLE));
  TOLD(syscall(9999)), TOLD(syscall(-1)), TOLD(syscall(400));
  TOLD(write(file, "contents", 8));
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  memcpy(page, "written", 7), close(file), unlink("made");
  TOLD(madvise(page, 4096, MADV_DONTNEED)), puts(page);
  mprotect(page, 4096, PROT_READ);
  TOLD(madvise(page, 4096, MADV_DONTNEED)), TOLD(page[7]), TOLD(page[8]);
}

static void tables(void) {
  static char names[6][2] = {"a", "b", "c", "d", "e", "f"};
  ENTRY entry = {"none", NULL};
  for (int size = 0; size < 6; size++) {
    TOLD(hcreate(size)), TOLD(hcreate(size));
    TOLD(hsearch(entry, FIND) != NULL);
    for (int i = 0; i < 6; i++) TOLD(hsearch((ENTRY){names[i], NULL}, ENTER) != NULL);
    TOLD(hsearch((ENTRY){names[0], NULL}, ENTER) != NULL);
    hdestroy();
  }
}

static int seen(const char *path, const struct stat *status, int type) {
  printf("%s %d\n", path, type);
  return 0;
}

static void walks(void) {
  char *none[] = {NULL};
  FTS *walk = fts_open(none, FTS_PHYSICAL, NULL);
  mkdir("folder", 0700), symlink("../link", "folder/broken"), symlink("other", "folder/good"), close(creat("folder/other", 0600));
  TOLD(ftw("folder/good", seen, 3)), TOLD(ftw("folder/broken", seen, 3)), TOLD(ftw("link", seen, 3)), TOLD(ftw("nothing", seen, 3));
  TOLD(walk != NULL);
}

static void streams(void) {
  int number;
  long value = 0;
  double real = 0;
  long double longer = 0;
  FILE *f = fopen("text", "w");
  TOLD(fscanf(f, "%d", &number)), TOLD(ferror(f) != 0), fclose(f);
  f = fopen("text", "w,ccs=UTF-8"), TOLD(fwide(f, 0) > 0), TOLD(fwprintf(f, L"\x20ac") > 0), fclose(f);
  f = fopen("text", "r"), TOLD(fgetc(f)), fclose(f);
  TOLD(sscanf("1.5", "%jf", &real)), printf("%g\n", real), TOLD(sscanf("2.5", "%zE", &real)), printf("%g\n", real);
  TOLD(sscanf("3.5", "%llf", &longer)), printf("%Lg\n", longer), TOLD(sscanf("-7", "%jd", &value)), printf("%ld\n", value);
}

static void locales(void) {
  TOLD(setlocale(13, "C") != NULL), TOLD(setlocale(-1, "C") != NULL), TOLD(setlocale(12, "C") != NULL);
  puts(nl_langinfo(D_T_FMT)), puts(nl_langinfo(ERA_D_T_FMT)), puts(bindtextdomain("domain", NULL)), puts(nl_langinfo(CRNCYSTR));
}

static void *detached(void *unused) {
  TOLD(pthread_detach(pthread_self())), TOLD(pthread_join(pthread_self(), NULL));
  return NULL;
}

static void threads(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_key_t key;
  sigset_t set, old;
  struct timespec now = {0, 0};
  TOLD(pthread_rwlock_wrlock(&lock)), TOLD(pthread_rwlock_wrlock(&lock)), TOLD(pthread_rwlock_rdlock(&lock));
  TOLD(pthread_rwlock_timedrdlock(&lock, &now)), TOLD(pthread_rwlock_tryrdlock(&lock)), TOLD(pthread_rwlock_unlock(&lock));
  TOLD(pthread_rwlock_rdlock(&lock)), TOLD(pthread_rwlock_rdlock(&lock)), TOLD(pthread_rwlock_timedwrlock(&lock, &now));
  TOLD(pthread_key_create(&key, NULL)), TOLD(pthread_setspecific(key, &key)), TOLD(pthread_key_delete(key));
  TOLD(pthread_setspecific(key, &key)), TOLD(pthread_getspecific(key) != NULL), TOLD(pthread_key_delete(key));
  sigemptyset(&set), sigaddset(&set, SIGRTMIN), sigaddset(&set, SIGRTMAX);
  sigprocmask(SIG_BLOCK, &set, NULL), sigprocmask(SIG_BLOCK, NULL, &old);
  TOLD(sigismember(&old, SIGRTMIN)), TOLD(sigismember(&old, SIGRTMIN + 1)), TOLD(sigismember(&old, SIGRTMAX));
  detached(NULL);
}

int main(void) {
  rooms(), kernel(), tables(), walks(), streams(), locales(), threads();
  return 0;
}
