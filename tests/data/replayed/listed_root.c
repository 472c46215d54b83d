// What a listing of "/" names is there, also where "/" came out of a symbolic argument.
// run: --sym-arg 1
// statuses: 1 2
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

int main(int count, char **words) {
  struct dirent *entry;
  struct stat file;
  DIR *directory;
  char path[300];
  if (words[1][0] != '/') return 1;
  directory = opendir(words[1]);
  while (directory && (entry = readdir(directory))) {
    path[0] = words[1][0];
    strcpy(path + 1, entry->d_name);
    if (lstat(path, &file)) return 3;
  }
  return directory ? 2 : 4;
}
