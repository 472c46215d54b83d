// What the program gets with its start is no block of its heap: none of it may be freed, and it may be replaced all the same.
// run: --sym-arg 1 plain --sym-env HOME 2
// statuses: 0 8
// signals: SIGABRT
// bugs: 6
#include <stdlib.h>

extern char **environ;

int main(int count, char **words) {
  switch (words[1][0]) {
  case 'a': free(words); return 1;
  case 'b': free(words[0]); return 2;
  case 'c': free(words[1]); return 3;
  case 'd': free(words[count - 1]); return 4;
  case 'e': free(environ); return 5;
  case 'f': free(environ[0]); return 6;
  case 'g':
    setenv("X", "y", 1);
    setenv("HOME", "z", 1);
    putenv("A=b");
    unsetenv("X");
    return getenv("A")[0] == 'b' ? 8 : 9;
  }
  return 0;
}
