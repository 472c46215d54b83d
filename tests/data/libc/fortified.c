// Compiled with -O2 -D_FORTIFY_SOURCE=2 too: the checked variants and glibc's inline functions.
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char buffer[32], other[32];
  memset(buffer, argc, sizeof buffer);
  strcpy(buffer, argv[0] ? "name" : "none");
  strcat(buffer, "+more");
  strncpy(other, buffer, sizeof other);
  memcpy(other + 10, "xyz", 4);
  memmove(other + 11, other + 10, 4);
  printf("%s %s\n", buffer, other + 10);
  snprintf(buffer, sizeof buffer, "%d-%s", argc, "s");
  sprintf(other, "<%s>", buffer);
  fprintf(stdout, "%s %s\n", buffer, other);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(argc + 5, &set);
  printf("%d %d\n", !!FD_ISSET(6, &set), !!FD_ISSET(7, &set));
  printf("%d\n", getcwd(buffer, sizeof buffer) != NULL || 1);
  char *made;
  printf("%d\n", asprintf(&made, "%05d", 42));
  puts(made);
  printf("%d %s\n", atoi("17"), stpcpy(buffer, "end") - 3);
  while (fgets(buffer, sizeof buffer, stdin)) fputs(buffer, stdout);
  int c;
  while ((c = getchar_unlocked()) != EOF) putchar_unlocked(c);
  return feof_unlocked(stdin) ? 4 : 5;
}
