// Extended attributes. What a disk's format refuses altogether (user attributes on some) shows as if it had none.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "show.h"

static char value[100];
static void *const nowhere = (void *)8;
static int unsupported;

/* Sorted: their order is the disk's own. */
static void names(const char *what, long n) {
  const char *found[8];
  int count = 0, i, j;
  printf("%s: %ld", what, n);
  for (i = 0; i < n && count < 8; i += strlen(value + i) + 1)
    if (strncmp(value + i, "user.", 5) == 0) found[count++] = value + i;
  for (i = 0; i < count; i++)
    for (j = i + 1; j < count; j++)
      if (strcmp(found[i], found[j]) > 0) {
        const char *other = found[i];
        found[i] = found[j], found[j] = other;
      }
  for (i = 0; i < count; i++) printf(" %s", found[i]);
  printf("\n");
}

static void absent(int file) {
  SHOW(getxattr("host.txt", "user.none", value, sizeof value)), SHOW(errno == ENODATA || unsupported), SHOW(lgetxattr("host.txt", "user.none", NULL, 0)), SHOW(fgetxattr(file, "user.none", value, 0)), SHOW(errno == ENODATA || unsupported);
  SHOW(removexattr("host.txt", "user.none")), SHOW(errno == ENODATA || unsupported), SHOW(lremovexattr("host.txt", "user.none")), SHOW(fremovexattr(file, "user.none"));
  SHOW(setxattr("host.txt", "user.none", "v", 1, XATTR_REPLACE)), SHOW(errno == ENODATA || unsupported);
  names("list", listxattr("host.txt", value, sizeof value)), names("list", llistxattr("link", value, 0)), names("list", flistxattr(file, value, sizeof value));
}

static void mistakes(int file) {
  char name[300];
  memset(name, 'n', sizeof name), memcpy(name, "user.", 5), name[299] = 0;
  CALL(getxattr("none", "user.a", value, 9)), CALL(getxattr("loop", "user.a", value, 9)), CALL(getxattr("host.txt/x", "user.a", value, 9)), CALL(getxattr("", "user.a", value, 9)), CALL(fgetxattr(77, "user.a", value, 9)), CALL(listxattr("none", value, 9)), CALL(flistxattr(77, value, 9)), CALL(setxattr("none", "user.a", "", 0, 0)), CALL(fsetxattr(77, "user.a", "", 0, 0)), CALL(removexattr("none", "user.a")), CALL(fremovexattr(77, "user.a"));
  CALL(getxattr(NULL, "user.a", value, 9)), CALL(getxattr("host.txt", nowhere, value, 9)), CALL(setxattr("host.txt", "user.a", nowhere, 5, 0)), CALL(setxattr("host.txt", nowhere, "", 0, 0)), CALL(removexattr("host.txt", nowhere));
  CALL(getxattr("host.txt", "", value, 9)), CALL(getxattr("host.txt", name, value, 9)), CALL(setxattr("host.txt", "", "", 0, 0)), CALL(setxattr("host.txt", "user.a", "", 0, 8)), CALL(setxattr("host.txt", "user.a", value, 65537, 0)), CALL(removexattr("host.txt", name));
  CALL(getxattr("host.txt", "other.a", value, 9)), CALL(setxattr("host.txt", "other.a", "", 0, 0)), CALL(setxattr("host.txt", "plain", "", 0, 0)), CALL(removexattr("host.txt", "other.a"));
  CALL(lgetxattr("link", "user.a", value, 9) == -1 && (errno == ENODATA || unsupported)), CALL(lsetxattr("link", "user.a", "", 0, 0) == -1 && (errno == EPERM || unsupported)), CALL(getxattr("/dev/null", "user.a", value, 9) == -1), CALL(setxattr("/dev/null", "user.a", "", 0, 0) == -1);
}

static void stored(int file) {
  SHOW(setxattr("host.txt", "user.b", "value", 5, 0)), SHOW(setxattr("host.txt", "user.b", "other", 5, XATTR_CREATE)), SHOW(errno == EEXIST), SHOW(fsetxattr(file, "user.a", "", 0, XATTR_CREATE)), SHOW(setxattr("sub", "user.c", "directory", 9, 0));
  SHOW(getxattr("link", "user.b", value, sizeof value)), printf("%.5s\n", value), SHOW(getxattr("host.txt", "user.b", NULL, 0)), SHOW(getxattr("host.txt", "user.b", value, 4)), SHOW(errno == ERANGE), SHOW(fgetxattr(file, "user.a", value, 0)), SHOW(getxattr("sub", "user.c", value, sizeof value)), printf("%.9s\n", value);
  names("list", listxattr("host.txt", value, sizeof value)), SHOW(listxattr("host.txt", NULL, 0)), SHOW(listxattr("host.txt", value, 13)), SHOW(errno == ERANGE);
  SHOW(setxattr("host.txt", "user.b", "longer than it was", 18, XATTR_REPLACE)), SHOW(lgetxattr("host.txt", "user.b", value, sizeof value)), printf("%.18s\n", value);
  SHOW(rename("host.txt", "moved")), SHOW(link("moved", "second")), SHOW(getxattr("second", "user.b", value, sizeof value));
  SHOW(removexattr("second", "user.b")), SHOW(getxattr("moved", "user.b", value, sizeof value)), SHOW(errno == ENODATA), names("list", flistxattr(file, value, sizeof value)), SHOW(fremovexattr(file, "user.a")), SHOW(lremovexattr("sub", "user.c")), SHOW(fremovexattr(file, "user.a")), SHOW(errno == ENODATA);
  SHOW(setxattr("moved", "user.d", "x", 1, 0)), SHOW(unlink("moved")), SHOW(unlink("second")), SHOW(fgetxattr(file, "user.d", value, sizeof value));
}

int main(void) {
  int file = open("host.txt", O_RDWR);
  unsupported = setxattr("host.txt", "user.probe", "x", 1, 0) == -1 && errno == EOPNOTSUPP;
  if (!unsupported) removexattr("host.txt", "user.probe");
  mistakes(file);
  if (unsupported) {
    fprintf(stderr, "no user attributes on this disk\n");
    return 0;
  }
  absent(file), stored(file);
  return 0;
}
