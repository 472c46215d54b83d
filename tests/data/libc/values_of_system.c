// sysconf and pathconf of all names, but for what depends on the memory and the processors of the moment.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int is_of_the_moment(int name) {
  switch (name) {
  case _SC_ARG_MAX: case _SC_CHILD_MAX: case _SC_OPEN_MAX: case _SC_SIGQUEUE_MAX: case _SC_NPROCESSORS_CONF: case _SC_NPROCESSORS_ONLN:
  case _SC_PHYS_PAGES: case _SC_AVPHYS_PAGES: return 1;
  }
  return 0;
}

int main(void) {
  static const char *const paths[] = {".", "none", ""};
  for (int name = -1; name < 260; name++) {
    errno = 0;
    if (!is_of_the_moment(name)) printf("%d: %ld", name, sysconf(name)), printf(" %d\n", errno);
  }
  for (int i = 0; i < 3; i++)
    for (int name = 0; name < 22; name++) {
      errno = 0;
      printf("%s %d: %ld", paths[i], name, pathconf(paths[i], name)), printf(" %d\n", errno);
    }
  for (int name = 0; name < 22; name++) {
    errno = 0;
    printf("%d: %ld", name, fpathconf(99, name)), printf(" %d\n", errno);
  }
  errno = 0;
  printf("%ld %d\n", fpathconf(-1, _PC_PATH_MAX), errno);
  return 0;
}
