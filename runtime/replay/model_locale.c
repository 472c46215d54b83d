/* Locales under the preloaded model: the interpreted libc has them built in, glibc reads files, which no test has. So while glibc
 * chooses a locale, the system calls of this thread are the real kernel's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <iconv.h>
#include <locale.h>
#include <string.h>
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
