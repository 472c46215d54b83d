// The accounts of users and groups, read from files of this program's own, and passwords' hashes.
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <stdlib.h>
#include <unistd.h>

#include "show.h"

static FILE *written(const char *path, const char *text) {
  FILE *f = fopen(path, "w+");
  fputs(text, f), rewind(f);
  return f;
}

static void users(void) {
  FILE *f = written("passwd", "root:x:0:0:root:/root:/bin/bash\n# a comment\n\nalice:pw:1000:1001:Alice A.,Room 2:/home/alice:/bin/sh\nbad line\nbob:*:70000:5::/:\n");
  struct passwd *user, result, *found;
  char buffer[200], small[10];
  int lines = 0;
  while ((user = fgetpwent(f)) && lines++ < 9)
    printf("%s %s %u %u '%s' %s '%s'\n", user->pw_name, user->pw_passwd, user->pw_uid, user->pw_gid, user->pw_gecos, user->pw_dir, user->pw_shell);
  rewind(f);
  SHOW(fgetpwent_r(f, &result, buffer, sizeof buffer, &found)), SHOW_TEXT(found->pw_dir), SHOW(fgetpwent_r(f, &result, small, sizeof small, &found) == ERANGE);
  fclose(f);
  struct passwd made = {"carol", "x", 7, 8, "Carol", "/home/carol", "/bin/false"}, broken = {"a:b", "x", 1, 2, "", "/", ""};
  SHOW(putpwent(&made, stdout));
  SHOW(getpwnam("no such user") == NULL), SHOW(getpwuid(4000000001) == NULL);
  SHOW(getpwnam_r("no such user", &result, buffer, sizeof buffer, &found)), SHOW(found == NULL), SHOW(getpwuid_r(4000000001, &result, buffer, sizeof buffer, &found)), SHOW(found == NULL);
  setpwent(), endpwent();
}

static void groups(void) {
  FILE *f = written("group", "root:x:0:\nstaff:x:50:alice,bob\nempty::51:\nlast:!:52:carol\n");
  struct group *group, result, *found;
  char buffer[300], small[8];
  while ((group = fgetgrent(f))) {
    printf("%s %s %u", group->gr_name, group->gr_passwd, group->gr_gid);
    for (char **member = group->gr_mem; *member; member++) printf(" %s", *member);
    printf("\n");
  }
  rewind(f);
  SHOW(fgetgrent_r(f, &result, buffer, sizeof buffer, &found)), SHOW_TEXT(found->gr_name), fclose(f);
  char *members[] = {"a", "b", NULL}, *none[] = {NULL};
  struct group made = {"made", "x", 9, members}, lonely = {"lonely", "", 10, none};
  SHOW(putgrent(&made, stdout)), SHOW(putgrent(&lonely, stdout));
  SHOW(getgrnam("no such group") == NULL), SHOW(getgrgid(4000000001) == NULL);
  SHOW(getgrgid_r(4000000001, &result, buffer, sizeof buffer, &found)), SHOW(found == NULL);
  setgrent(), endgrent();
  gid_t list[20];
  int count = 20;
  SHOW(getgrouplist("no such user", 77, list, &count)), SHOW(count), SHOW(list[0]), count = 0;
  SHOW(getgrouplist("no such user", 77, list, &count)), SHOW(count);
}

static void shadows(void) {
  FILE *f = written("shadow", "root:*:19000:0:99999:7:::\nalice:$6$salt$hash:19001:1:90:7:14:20000:3\nshort:!\n");
  struct spwd *entry, result, *found;
  char buffer[200];
  while ((entry = fgetspent(f)))
    printf("%s %s %ld %ld %ld %ld %ld %ld %lu\n", entry->sp_namp, entry->sp_pwdp, entry->sp_lstchg, entry->sp_min, entry->sp_max, entry->sp_warn, entry->sp_inact, entry->sp_expire, entry->sp_flag);
  fclose(f);
  struct spwd made = {"dave", "!", 19002, -1, 5, -1, -1, -1, -1};
  SHOW(putspent(&made, stdout));
  SHOW(sgetspent("eve:x:1:2:3:4:5:6:7") != NULL), SHOW(getspnam("no such user") == NULL);
}

int main(void) {
  users(), groups(), shadows();
  return 0;
}
