/* Files that glibc reads for itself under the preloaded model: locales, which the interpreted libc has built in, and libraries.
 * No test has them. So while glibc reads them, the system calls of this thread are the real kernel's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <iconv.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "model.h"

#define EXPORTED __attribute__((visibility("default")))

__thread int homi_reads_locale __attribute__((tls_model("initial-exec")));

/* The conversions of characters are read at their first use, so there is one here. */
EXPORTED char *setlocale(int category, const char *name) {
  typedef char *setlocale_function(int, const char *);
  setlocale_function *next = (setlocale_function *)dlsym(RTLD_NEXT, "setlocale");
  mbstate_t shift;
  wchar_t character;
  char *result;
  memset(&shift, 0, sizeof shift);
  homi_reads_locale++;
  result = next(category, name);
  if (result && name) mbrtowc(&character, "a", 1, &shift);
  homi_reads_locale--;
  return result;
}

EXPORTED locale_t newlocale(int categories, const char *name, locale_t base) {
  typedef locale_t newlocale_function(int, const char *, locale_t);
  newlocale_function *next = (newlocale_function *)dlsym(RTLD_NEXT, "newlocale");
  locale_t result;
  homi_reads_locale++;
  result = next(categories, name, base);
  homi_reads_locale--;
  return result;
}

/* glibc reads its conversions from shared objects. */
EXPORTED iconv_t iconv_open(const char *to, const char *from) {
  typedef iconv_t iconv_open_function(const char *, const char *);
  iconv_open_function *next = (iconv_open_function *)dlsym(RTLD_NEXT, "iconv_open");
  iconv_t result;
  homi_reads_locale++;
  result = next(to, from);
  homi_reads_locale--;
  return result;
}

/* A path with a directory is the program's own business. */
EXPORTED void *dlopen(const char *file, int mode) {
  typedef void *dlopen_function(const char *, int);
  dlopen_function *next = (dlopen_function *)dlsym(RTLD_NEXT, "dlopen");
  const int is_found = file && !strchr(file, '/');
  void *result;
  homi_reads_locale += is_found;
  result = next(file, mode);
  homi_reads_locale -= is_found;
  return result;
}

/* glibc looks up in /sys which version of ext the model's disk has. */
enum { LINKS_OF_EXT2 = 32000, LINKS_OF_EXT4 = 65000 };

static long of_ext4(int name, long value) { return name == _PC_LINK_MAX && value == LINKS_OF_EXT2 ? LINKS_OF_EXT4 : value; }

EXPORTED long pathconf(const char *path, int name) {
  typedef long pathconf_function(const char *, int);
  return of_ext4(name, ((pathconf_function *)dlsym(RTLD_NEXT, "pathconf"))(path, name));
}

EXPORTED long fpathconf(int file, int name) {
  typedef long fpathconf_function(int, int);
  return of_ext4(name, ((fpathconf_function *)dlsym(RTLD_NEXT, "fpathconf"))(file, name));
}
