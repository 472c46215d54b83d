// File seals, flock and record locks between open file descriptions, and files without a name that get one.
#include "show.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
static char text[300];
static const int all = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
static void seals(void) {
  int f = memfd_create("a", MFD_ALLOW_SEALING), g = memfd_create("b", 0), h, k;
  CALL(fcntl(f, F_GET_SEALS)), CALL(fcntl(g, F_GET_SEALS)), CALL(fcntl(g, F_ADD_SEALS, F_SEAL_WRITE)), CALL(fcntl(f, F_ADD_SEALS, 0x100)), CALL(write(f, "hello", 5));
  CALL(fcntl(f, F_ADD_SEALS, F_SEAL_GROW)), CALL(fcntl(f, F_GET_SEALS)), CALL(write(f, "x", 1)), CALL(pwrite(f, "xyz", 3, 3)), CALL(pwrite(f, "J", 1, 0)), CALL(ftruncate(f, 6)), CALL(ftruncate(f, 5)), CALL(fallocate(f, 0, 0, 9)), CALL(fallocate(f, 0, 0, 3)), CALL(ftruncate(f, 4));
  CALL(fcntl(f, F_ADD_SEALS, F_SEAL_SHRINK)), CALL(ftruncate(f, 3)), CALL(ftruncate(f, 4)), CALL(fcntl(f, F_GET_SEALS));
  char *m = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
  CALL(m == MAP_FAILED), CALL(fcntl(f, F_ADD_SEALS, F_SEAL_WRITE)), m[1] = 'E', munmap(m, 4), CALL(fcntl(f, F_ADD_SEALS, F_SEAL_WRITE)), CALL(fcntl(f, F_GET_SEALS)), CALL(pwrite(f, "J", 1, 0)), CALL(pwrite(f, "J", 0, 0)), CALL(write(f, "J", 1)), memset(text, 0, 9), CALL(pread(f, text, 9, 0)), SHOW_TEXT(text);
  struct iovec v[2] = {{"a", 1}, {"b", 1}};
  CALL(pwritev(f, v, 2, 0));
  CALL(mmap(0, 4, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0) == MAP_FAILED), SHOW(errno), m = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0), CALL(m == MAP_FAILED), m[0] = 'Q', memset(text, 0, 9), CALL(pread(f, text, 9, 0)), SHOW_TEXT(text);
  CALL(fcntl(f, F_ADD_SEALS, F_SEAL_SEAL)), CALL(fcntl(f, F_ADD_SEALS, F_SEAL_SHRINK)), CALL(fcntl(f, F_GET_SEALS)), close(f);
  f = memfd_create("c", MFD_ALLOW_SEALING | MFD_CLOEXEC), CALL(fcntl(f, F_GETFD)), write(f, "abcdef", 6), m = mmap(0, 6, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0), CALL(fcntl(f, F_ADD_SEALS, F_SEAL_FUTURE_WRITE)), m[0] = 'Z', CALL(pwrite(f, "J", 1, 0)), CALL(mmap(0, 4, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0) == MAP_FAILED), SHOW(errno), CALL(fcntl(f, F_GET_SEALS)), CALL(ftruncate(f, 2)), k = dup(f), CALL(fcntl(k, F_GET_SEALS)), memset(text, 0, 9), CALL(pread(f, text, 9, 0)), SHOW_TEXT(text), close(f), close(k);
  f = memfd_create("d", MFD_ALLOW_SEALING), m = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 0), CALL(fcntl(f, F_ADD_SEALS, F_SEAL_WRITE)), munmap(m, 4096), CALL(fcntl(f, F_ADD_SEALS, F_SEAL_WRITE)), h = open("file", O_RDWR | O_CREAT, 0600), CALL(fcntl(h, F_GET_SEALS)), CALL(fcntl(h, F_ADD_SEALS, 1)), CALL(fcntl(0, F_GET_SEALS)), close(h), close(f);
  CALL(memfd_create("e", 0x1000)), CALL(memfd_create(0, 0));
  sprintf(text, "/proc/self/fd/%d", g), h = open(text, O_RDONLY), CALL(h >= 0), CALL(fcntl(h, F_ADD_SEALS, 1)), CALL(fcntl(h, F_GET_SEALS)), close(h), close(g);
}
static int handed;
static void *hold(void *a) { int f = *(int *)a; flock(f, LOCK_EX), handed++, flock(f, LOCK_UN); return 0; }
static void flocks(void) {
  int a = open("l", O_RDWR | O_CREAT, 0600), b = open("l", O_RDONLY), c = dup(a), p[2];
  pthread_t t;
  CALL(flock(a, LOCK_EX)), CALL(flock(b, LOCK_EX | LOCK_NB)), CALL(flock(b, LOCK_SH | LOCK_NB)), CALL(flock(c, LOCK_EX | LOCK_NB)), CALL(flock(a, LOCK_SH)), CALL(flock(b, LOCK_SH | LOCK_NB)), CALL(flock(a, LOCK_EX | LOCK_NB)), CALL(flock(c, LOCK_SH | LOCK_NB)), CALL(flock(b, LOCK_EX | LOCK_NB)), CALL(flock(b, LOCK_SH | LOCK_NB));
  CALL(flock(b, LOCK_UN)), CALL(flock(a, LOCK_EX | LOCK_NB)), close(a), CALL(flock(b, LOCK_EX | LOCK_NB)), close(c), CALL(flock(b, LOCK_EX | LOCK_NB)), CALL(flock(b, LOCK_UN)), CALL(flock(b, LOCK_UN)), CALL(flock(b, 0)), CALL(flock(b, LOCK_SH | LOCK_EX)), CALL(flock(77, LOCK_SH)), CALL(flock(b, 99));
  a = open("l", O_RDWR), CALL(flock(a, LOCK_EX)), pthread_create(&t, 0, hold, &b), usleep(20000), SHOW(handed), CALL(flock(a, LOCK_UN)), pthread_join(t, 0), SHOW(handed), pipe(p), CALL(flock(p[0], LOCK_EX)), CALL(flock(p[1], LOCK_EX | LOCK_NB)), close(p[0]), close(p[1]), close(a), close(b);
  a = open(".", O_RDONLY | O_DIRECTORY), CALL(flock(a, LOCK_EX)), b = open(".", O_PATH), CALL(flock(b, LOCK_EX)), close(a), close(b);
}
static int lock(int f, int command, int type, int whence, long start, long length) {
  struct flock l = {type, whence, start, length, 0};
  int r = (errno = 0, fcntl(f, command, &l));
  printf("%d %d %ld %ld: %d %d", type, whence, start, length, r, errno);
  if (command == F_GETLK || command == F_OFD_GETLK) printf(" -> %d %d %ld %ld %d", l.l_type, l.l_whence, (long)l.l_start, (long)l.l_len, l.l_pid == getpid() ? 1 : l.l_pid);
  puts("");
  return r;
}
static void *wait_for_record(void *a) {
  struct flock whole = {F_WRLCK, SEEK_SET, 0, 0, 0}, none = {F_UNLCK, SEEK_SET, 0, 0, 0};
  fcntl(*(int *)a, F_OFD_SETLKW, &whole), handed++, fcntl(*(int *)a, F_OFD_SETLK, &none);
  return 0;
}
static void nothing(int n) {}
static void records(void) {
  int a = open("r", O_RDWR | O_CREAT, 0600), b = open("r", O_RDWR), c = open("r", O_RDONLY), d = open("r", O_WRONLY), k;
  pthread_t t;
  write(a, "0123456789", 10);
  puts("of the process"), lock(a, F_SETLK, F_WRLCK, SEEK_SET, 0, 5), lock(b, F_SETLK, F_WRLCK, SEEK_SET, 2, 9), lock(b, F_GETLK, F_WRLCK, SEEK_SET, 0, 0), lock(c, F_SETLK, F_WRLCK, SEEK_SET, 0, 1), lock(d, F_SETLK, F_RDLCK, SEEK_SET, 0, 1), lock(c, F_SETLK, F_RDLCK, SEEK_SET, 0, 1), lock(a, F_SETLK, F_WRLCK, SEEK_END, -3, 2), lock(a, F_SETLK, F_WRLCK, SEEK_CUR, 0, -2), lock(a, F_SETLK, F_WRLCK, SEEK_SET, -1, 2), lock(a, F_SETLK, F_WRLCK, SEEK_SET, 1, -2), lock(a, F_SETLK, 7, SEEK_SET, 0, 2), lock(a, F_SETLK, F_WRLCK, 9, 0, 2), lock(77, F_SETLK, F_WRLCK, 0, 0, 2), lock(a, F_GETLK, F_UNLCK, 0, 0, 2), lock(a, F_SETLKW, F_WRLCK, SEEK_SET, 0x7fffffffffffffff, 2);
  puts("of the description"), lock(a, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 5), close(open("r", O_RDONLY)), lock(a, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 5), lock(b, F_OFD_SETLK, F_WRLCK, SEEK_SET, 2, 9), lock(b, F_OFD_SETLK, F_RDLCK, SEEK_SET, 4, 1), lock(b, F_OFD_SETLK, F_RDLCK, SEEK_SET, 5, 5), lock(a, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 0), lock(a, F_OFD_GETLK, F_RDLCK, SEEK_SET, 0, 0), lock(b, F_OFD_GETLK, F_RDLCK, SEEK_SET, 0, 0), lock(a, F_GETLK, F_RDLCK, SEEK_SET, 0, 0), lock(a, F_GETLK, F_RDLCK, SEEK_SET, 5, 0), lock(a, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 0);
  lock(a, F_OFD_SETLK, F_UNLCK, SEEK_SET, 1, 2), lock(b, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 0), lock(b, F_OFD_GETLK, F_WRLCK, SEEK_SET, 1, 0), lock(b, F_OFD_SETLK, F_WRLCK, SEEK_SET, 1, 2), lock(a, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 0), lock(a, F_OFD_SETLK, F_RDLCK, SEEK_SET, 0, 1), lock(c, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 0), lock(c, F_OFD_GETLK, F_RDLCK, SEEK_SET, 0, 0), k = dup(a), lock(k, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 1), close(k), lock(b, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 1), close(a), lock(b, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 0);
  struct flock own = {F_WRLCK, 0, 0, 1, 5};
  CALL(fcntl(b, F_OFD_SETLK, &own)), CALL(fcntl(b, F_OFD_GETLK, &own)), CALL(fcntl(b, F_OFD_SETLK, 0)), CALL(fcntl(b, F_SETLK, 0)), lock(b, F_OFD_SETLK, F_UNLCK, SEEK_SET, 0, 0);
  puts("both"), lock(b, F_SETLK, F_WRLCK, SEEK_SET, 0, 1), lock(b, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 1), lock(b, F_OFD_GETLK, F_WRLCK, SEEK_SET, 0, 1), close(c), lock(b, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 1), handed = 0, c = open("r", O_RDWR), pthread_create(&t, 0, wait_for_record, &c), usleep(20000), SHOW(handed), lock(b, F_OFD_SETLK, F_UNLCK, SEEK_SET, 0, 0), pthread_join(t, 0), SHOW(handed);
  CALL(lockf(b, F_LOCK, 3)), CALL(lockf(b, F_TEST, 3)), CALL(lockf(b, F_TLOCK, 0)), CALL(lockf(b, F_ULOCK, 0)), CALL(lockf(b, 9, 0)), CALL(lockf(77, F_LOCK, 0)), CALL(flock(b, LOCK_EX)), lock(b, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 1), lock(c, F_OFD_SETLKW, F_RDLCK, SEEK_SET, 3, 1);
  struct sigaction s = {.sa_handler = nothing}; sigaction(SIGALRM, &s, 0), ualarm(20000, 0), lock(c, F_OFD_SETLKW, F_WRLCK, SEEK_SET, 0, 1), ualarm(20000, 0), CALL(flock(c, LOCK_SH));
}
static void nameless(void) {
  struct stat s;
  int f = open(".", O_TMPFILE | O_RDWR, 0640), g, i;
  CALL(f >= 0), CALL(fstat(f, &s)), SHOW(s.st_nlink), SHOW(s.st_mode), SHOW(s.st_size), CALL(write(f, "text", 4)), CALL(open(".", O_TMPFILE | O_RDONLY, 0600)), CALL(open("nowhere", O_TMPFILE | O_RDWR, 0600)), CALL(open("host.txt", O_TMPFILE | O_RDWR, 0600)), CALL(open(".", O_TMPFILE | O_RDWR | O_CREAT, 0600)), CALL(fcntl(f, F_GETFL) & O_TMPFILE), CALL(fcntl(f, F_GETFL) & O_ACCMODE);
  sprintf(text, "/proc/self/fd/%d", f), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "named", 0)), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "named", AT_SYMLINK_FOLLOW)), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "named", AT_SYMLINK_FOLLOW)), CALL(fstat(f, &s)), SHOW(s.st_nlink), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "other", AT_SYMLINK_FOLLOW)), CALL(fstat(f, &s)), SHOW(s.st_nlink), CALL(link(text, "third")), CALL(write(f, "more", 4)), close(f), f = open("named", O_RDONLY), memset(text, 0, 20), CALL(read(f, text, 20)), SHOW_TEXT(text), close(f), CALL(unlink("named")), CALL(access("other", F_OK));
  f = open("sub", O_TMPFILE | O_WRONLY | O_EXCL, 0600), CALL(f >= 0), sprintf(text, "/proc/self/fd/%d", f), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "fourth", AT_SYMLINK_FOLLOW)), CALL(read(f, text, 1)), close(f), f = open("other", O_RDWR), CALL(unlink("other")), CALL(fstat(f, &s)), SHOW(s.st_nlink), sprintf(text, "/proc/self/fd/%d", f), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "back", AT_SYMLINK_FOLLOW)), CALL(access("back", F_OK)), g = open(text, O_RDONLY), CALL(g >= 0), memset(text, 0, 20), CALL(read(g, text, 20)), SHOW_TEXT(text);
  f = memfd_create("x", 0), sprintf(text, "/proc/self/fd/%d", f), CALL(linkat(AT_FDCWD, text, AT_FDCWD, "fifth", AT_SYMLINK_FOLLOW)), CALL(fstat(f, &s)), SHOW(s.st_nlink), CALL(s.st_mode), umask(027), f = open(".", O_TMPFILE | O_RDWR, 0666), CALL(fstat(f, &s)), SHOW(s.st_mode), CALL(linkat(f, "", AT_FDCWD, "no", 0)), CALL(linkat(77, "", AT_FDCWD, "no", AT_EMPTY_PATH)), CALL(linkat(AT_FDCWD, "host.txt", AT_FDCWD, "no", 0x800)); FILE *t = tmpfile(); CALL(t != 0), fputs("tmp", t), rewind(t), CALL(fgetc(t)), CALL(fileno(t) >= 0), fclose(t);
}
int main(void) { mkdir("sub", 0755), close(open("host.txt", O_CREAT | O_WRONLY, 0644)), seals(), flocks(), records(), nameless(); return 0; }
