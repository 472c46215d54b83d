// run: --sym-env LC_ALL=C.UTF-8 --sym-arg 2
// statuses: 3 4 5 6
// glibc reads the locale's files, and the interpreted libc has it built in.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(int argc, char **argv) {
  mbstate_t shift = {0};
  wchar_t first;
  if (!setlocale(LC_ALL, "")) return 1;
  if (MB_CUR_MAX < 2) return 2;
  size_t length = mbrtowc(&first, argv[1], 2, &shift);
  if (length == 2) {
    if (first == 0xe9) puts("e with an accent");
    return 3;
  }
  return length == (size_t)-2 ? 4 : length == (size_t)-1 ? 5 : 6;
}
