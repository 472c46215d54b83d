/* /etc with the accounts that programs look up: getpwuid, `~root`, `chown root`. The host's own are none of a test's
 * business, and a replay on another machine has others; so everyone has these, and the user who runs homi.
 *
 * Only where the host view shows no /etc. */
#include "internal.h"

static void put(struct inode *file, const char *text, unsigned long n) {
  unsigned long end = (unsigned long)file->size;
  if (hk_resize(file, end + n) == 0) memcpy(file->data + end, text, n);
}

static void put_text(struct inode *file, const char *text) { put(file, text, strlen(text)); }

static void put_number(struct inode *file, unsigned long number) {
  char digits[20];
  unsigned start = sizeof digits;
  do digits[--start] = (char)('0' + number % 10);
  while (number /= 10);
  put(file, digits + start, sizeof digits - start);
}

/* Sets separate inode numbers: files that a program makes get the same numbers, whether or not a lookup came here first. */
static void settle(struct inode *inode, uint64_t number) {
  inode->stat->st_ino = number;
  inode->stat->st_uid = inode->stat->st_gid = 0;
}

static struct inode *file(struct inode *directory, const char *name, const char *text, uint64_t number) {
  struct inode *inode = hk_new_inode(&hk_regular_file, S_IFREG | 0644);
  settle(inode, number);
  put_text(inode, text);
  hk_add_entry(directory, name, (unsigned)strlen(name), inode);
  return inode;
}

static int is_listed(long id) { return id == 0 || id == 1 || id == 65534; }

struct inode *hk_accounts(void) {
  uint64_t next = hk.next_inode;
  struct inode *directory = hk_new_inode(&hk_directory, S_IFDIR | 0755), *users, *groups;
  long user = homi_host_id(0), group = homi_host_id(2);
  settle(directory, ACCOUNT_NUMBERS);
  users = file(directory, "passwd",
               "root:x:0:0:root:/root:/bin/sh\n"
               "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
               "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
               ACCOUNT_NUMBERS + 1);
  groups = file(directory, "group", "root:x:0:\ndaemon:x:1:\nnogroup:x:65534:\n", ACCOUNT_NUMBERS + 2);
  if (!is_listed(user)) {
    put_text(users, "user:x:");
    put_number(users, (unsigned long)user);
    put_text(users, ":");
    put_number(users, (unsigned long)group);
    put_text(users, ":user:/:/bin/sh\n");
  }
  if (!is_listed(group)) {
    put_text(groups, "user:x:");
    put_number(groups, (unsigned long)group);
    put_text(groups, ":\n");
  }
  hk.next_inode = next;
  return directory;
}
