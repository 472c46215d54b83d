// The accounts that programs look up are the same in the engine and in replays, on any machine and for any user.
// run: --sym-arg 4
// statuses: 1 2 3 4
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
  struct passwd *user = getpwuid(getuid()), *found;
  struct group *group = getgrgid(getgid());
  struct stat file;
  if (!user || user->pw_uid != getuid() || !group || group->gr_gid != getgid()) return 99;
  if (!getpwnam("nobody") || getpwnam("nobody")->pw_uid != 65534 || !getgrnam("nogroup")) return 98;
  if (stat("/etc/passwd", &file) || file.st_uid != 0 || (file.st_mode & 0777) != 0644) return 97;
  if (getuid() && !access("/etc/passwd", W_OK)) return 96;
  found = getpwnam(words[1]);
  if (found && found->pw_uid == getuid()) return strcmp(found->pw_name, "user") ? 93 : 4;
  if (found) return strcmp(found->pw_dir, "/root") ? 95 : 1;
  return getgrnam(words[1]) ? 94 : words[1][0] == 'r' ? 2 : 3;
}
