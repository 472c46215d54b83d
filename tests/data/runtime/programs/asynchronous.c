// Asynchronous input and output, hashes of passwords, DES, and dynamic loading as far as both libraries agree.
#include <aio.h>
#include <crypt.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "show.h"

static int wait_for(struct aiocb *block) {
  const struct aiocb *list[1] = {block};
  while (aio_error(block) == EINPROGRESS) aio_suspend(list, 1, NULL);
  return aio_error(block);
}

static volatile int done;
static void finished(union sigval value) { done = value.sival_int; }

static void files(void) {
  char text[32] = {0}, more[8] = {0};
  int file = open("asynchronous", O_CREAT | O_RDWR | O_TRUNC, 0600);
  struct aiocb out = {.aio_fildes = file, .aio_buf = "0123456789", .aio_nbytes = 10, .aio_offset = 2, .aio_sigevent.sigev_notify = SIGEV_NONE};
  struct aiocb in = {.aio_fildes = file, .aio_buf = text, .aio_nbytes = 31, .aio_sigevent.sigev_notify = SIGEV_NONE}, bad = in, sync = in;
  CALL(aio_write(&out)), SHOW(wait_for(&out)), SHOW(aio_return(&out)), CALL(aio_fsync(O_SYNC, &sync)), SHOW(wait_for(&sync)), SHOW(aio_return(&sync));
  CALL(aio_read(&in)), SHOW(wait_for(&in)), SHOW(aio_return(&in)), SHOW(text[0]), SHOW_TEXT(text + 2), SHOW(aio_cancel(file, NULL) == AIO_ALLDONE), CALL(aio_cancel(77, NULL));
  struct aiocb first = {.aio_fildes = file, .aio_buf = text, .aio_nbytes = 3, .aio_offset = 2, .aio_lio_opcode = LIO_READ, .aio_sigevent.sigev_notify = SIGEV_NONE};
  struct aiocb second = {.aio_fildes = file, .aio_buf = more, .aio_nbytes = 3, .aio_offset = 9, .aio_lio_opcode = LIO_READ, .aio_sigevent.sigev_notify = SIGEV_NONE}, *both[] = {&first, NULL, &second};
  CALL(lio_listio(LIO_WAIT, both, 3, NULL)), SHOW(aio_error(&first)), SHOW(aio_return(&first)), SHOW(aio_return(&second)), text[3] = 0, SHOW_TEXT(text), SHOW_TEXT(more);
  struct aiocb told = {.aio_fildes = file, .aio_buf = text, .aio_nbytes = 1, .aio_offset = 4, .aio_sigevent = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 7}};
  told.aio_sigevent.sigev_notify_function = finished;
  CALL(aio_read(&told)), SHOW(wait_for(&told));
  for (int turns = 0; !done && turns < 1000; turns++) usleep(1000);
  SHOW(done), SHOW(text[0]), SHOW(aio_return(&told)), close(file);
}

static void hashes(void) {
  static const char *const salts[] = {"ab", "./", "zz", "$1$saltsalt", "$1$$", "$5$saltstring", "$5$rounds=1000$long.enough.salt.x", "$6$saltstring", "$6$rounds=1000$s"};
  struct crypt_data data = {0};
  for (unsigned i = 0; i < sizeof salts / sizeof *salts; i++) printf("%s %s\n", salts[i], crypt("pass word", salts[i]));
  SHOW_TEXT(crypt("", "ab")), SHOW_TEXT(crypt_r("a longer password than eight", "ab", &data)), SHOW_TEXT(crypt("\xff\x80", "xy"));
}

static void loading(void) {
  SHOW(dlopen("no such library.so", RTLD_NOW) == NULL), SHOW(dlerror() != NULL), SHOW(dlerror() == NULL), SHOW(dlsym(RTLD_DEFAULT, "no such symbol") == NULL), SHOW(dlerror() != NULL);
}

int main(void) {
  files(), hashes(), loading();
  return 0;
}
