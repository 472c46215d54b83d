/* Extended attributes: a list of names and values at each inode. The host's files start with none, whatever they have there, so
 * a run does not depend on it. As on ext4 and tmpfs: `user.` on regular files and directories, `trusted.` and `security.` for root,
 * no access control lists. */
#include "internal.h"

enum { CREATE_ONLY = 1, REPLACE_ONLY = 2, LONGEST_NAME = 255, LARGEST_VALUE = 65536, LARGEST_LIST = 65536 };
enum { ENODATA_ = 61 };
enum family { FAMILY_NONE, FAMILY_USER, FAMILY_TRUSTED, FAMILY_SECURITY, FAMILY_SYSTEM };

struct attribute {
  struct attribute *next;
  uint64_t size;
  unsigned char *value;
  char name[];
};

static int starts_with(const char *text, const char *prefix) {
  while (*prefix)
    if (*text++ != *prefix++) return 0;
  return 1;
}

static enum family family_of(const char *name) {
  if (starts_with(name, "user.")) return FAMILY_USER;
  if (starts_with(name, "trusted.")) return FAMILY_TRUSTED;
  if (starts_with(name, "security.")) return FAMILY_SECURITY;
  return strcmp(name, "system.posix_acl_access") == 0 || strcmp(name, "system.posix_acl_default") == 0 ? FAMILY_SYSTEM : FAMILY_NONE;
}

/* 0 or -errno. A name is concrete: a symbolic one stands for one value. */
static long check_name(const char *name) {
  unsigned long n;
  if (hk_bad(name)) return -EFAULT;
  homi_concretize_string(name);
  n = strlen(name);
  return n == 0 || n > LONGEST_NAME ? -ERANGE : 0;
}

static int holds_user_attributes(struct inode *inode) {
  return inode->kind == INODE_REGULAR || inode->kind == INODE_SYMBOLIC || inode->kind == INODE_DIRECTORY;
}

/* Checks if the process may do this with attributes of the name's family there. 0 or -errno. */
static long permitted(struct inode *inode, const char *name, int mask) {
  const struct kernel_stat *stat;
  switch (family_of(name)) {
  case FAMILY_USER:
    if (!holds_user_attributes(inode)) return mask == MAY_WRITE ? -EPERM : -ENODATA_;
    stat = hk_stat_of(inode);
    if (mask == MAY_WRITE && inode->kind == INODE_DIRECTORY && (stat->st_mode & S_ISVTX) && homi_host_id(1) != 0 &&
        stat->st_uid != (uint32_t)homi_host_id(1))
      return -EPERM;
    if (!hk_allowed(inode, mask)) return -EACCES;
    return name[5] ? 0 : -EINVAL;
  case FAMILY_TRUSTED:
    if (homi_host_id(1) != 0) return mask == MAY_WRITE ? -EPERM : -ENODATA_;
    return name[8] ? 0 : -EINVAL;
  case FAMILY_SECURITY:
    if (mask == MAY_WRITE && homi_host_id(1) != 0) return -EPERM;
    return name[9] ? 0 : -EINVAL;
  case FAMILY_SYSTEM: return mask == MAY_WRITE ? -EOPNOTSUPP : -ENODATA_;
  default: return mask == MAY_WRITE && !hk_allowed(inode, mask) ? -EACCES : -EOPNOTSUPP;
  }
}

/* Finds the link to an attribute, or the link where it would be added. */
static struct attribute **find(struct inode *inode, const char *name) {
  struct attribute **at = &inode->attributes;
  while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->next;
  return at;
}

static void drop(struct attribute **at) {
  struct attribute *attribute = *at;
  *at = attribute->next;
  free(attribute->value);
  free(attribute);
}

static void note_change(struct inode *inode) {
  hk_stat_of(inode)->st_ctim = hk_now();
  hk_tell_file(inode, NOTE_ATTRIBUTES);
}

static long set(struct inode *inode, const char *name, const void *value, uint64_t size, long flags) {
  const unsigned long length = strlen(name);
  const long error = permitted(inode, name, MAY_WRITE);
  struct attribute **at;
  if (error < 0) return error;
  at = find(inode, name);
  if (*at && (flags & CREATE_ONLY)) return -EEXIST;
  if (!*at && (flags & REPLACE_ONLY)) return -ENODATA_;
  if (!*at) {
    *at = calloc(1, sizeof **at + length + 1);
    memcpy((*at)->name, name, length + 1);
  }
  size = homi_concretize(size);
  free((*at)->value);
  (*at)->value = malloc(size + 1);
  memcpy((*at)->value, value, size);
  (*at)->size = size;
  note_change(inode);
  return 0;
}

/* The value's size; with room for nothing only that is asked for. */
static long get(struct inode *inode, const char *name, void *value, uint64_t room) {
  const long error = permitted(inode, name, MAY_READ);
  struct attribute *attribute;
  if (error < 0) return error;
  attribute = *find(inode, name);
  if (!attribute) return -ENODATA_;
  if (hk_decide(room == 0)) return (long)attribute->size;
  if (hk_decide(attribute->size > room)) return -ERANGE;
  if (attribute->size && hk_bad(value)) return -EFAULT;
  memcpy(value, attribute->value, attribute->size);
  return (long)attribute->size;
}

static int is_listed(const struct attribute *attribute) {
  return family_of(attribute->name) != FAMILY_TRUSTED || homi_host_id(1) == 0;
}

/* Names one after the other, each with its NUL. */
static long list(struct inode *inode, char *names, uint64_t room) {
  const struct attribute *attribute;
  const int counts = hk_decide(room == 0);
  uint64_t done = 0;
  for (attribute = inode->attributes; attribute; attribute = attribute->next) {
    const uint64_t length = strlen(attribute->name) + 1;
    if (!is_listed(attribute)) continue;
    if (!counts && hk_decide(done + length > room)) return -ERANGE;
    if (!counts && hk_bad(names)) return -EFAULT;
    if (!counts) memcpy(names + done, attribute->name, length);
    done += length;
  }
  return done > LARGEST_LIST ? -E2BIG : (long)done;
}

static long take_away(struct inode *inode, const char *name) {
  const long error = permitted(inode, name, MAY_WRITE);
  struct attribute **at;
  if (error < 0) return error;
  at = find(inode, name);
  if (!*at) return -ENODATA_;
  drop(at);
  note_change(inode);
  return 0;
}

void hk_forget_attributes(struct inode *inode) {
  while (inode->attributes) drop(&inode->attributes);
}

/* The file that a call means: by path (0), by the path of the link itself (1), by descriptor (2). */
static long file_of(long how, long where, struct inode **inode) {
  struct place place;
  struct open_file *file;
  long error;
  if (how < 2) {
    error = hk_walk(AT_FDCWD, (const char *)where, how == 0 ? WALK_FOLLOW : 0, &place);
    *inode = place.inode;
    return error;
  }
  file = hk_file(where);
  if (!file || (file->flags & O_PATH)) return -EBADF;
  *inode = file->inode;
  return 0;
}

/* Linux reads name and value before it looks for the file. */
static long check_value(const void *value, uint64_t size, long flags) {
  if (flags < 0) return -EINVAL;
  if (hk_decide(size > LARGEST_VALUE)) return -E2BIG;
  if (hk_bad(value) && hk_decide(size != 0)) return -EFAULT;
  homi_require_room(value, size, 0);
  return 0;
}

/* Each of the four calls comes in three ways to say which file is meant: `how` as of `file_of`. */
long hk_setxattr(long how, long where, const char *name, const void *value, uint64_t size, long flags) {
  struct inode *inode;
  long error;
  flags = hk_flags(flags, CREATE_ONLY | REPLACE_ONLY);
  error = check_value(value, size, flags);
  if (error == 0) error = check_name(name);
  if (error == 0) error = file_of(how, where, &inode);
  return error < 0 ? error : set(inode, name, value, size, flags);
}

long hk_getxattr(long how, long where, const char *name, void *value, uint64_t size) {
  struct inode *inode;
  long error = check_name(name);
  if (error == 0) error = file_of(how, where, &inode);
  return error < 0 ? error : get(inode, name, value, size);
}

long hk_listxattr(long how, long where, char *names, uint64_t size) {
  struct inode *inode;
  const long error = file_of(how, where, &inode);
  return error < 0 ? error : list(inode, names, size);
}

long hk_removexattr(long how, long where, const char *name) {
  struct inode *inode;
  long error = check_name(name);
  if (error == 0) error = file_of(how, where, &inode);
  return error < 0 ? error : take_away(inode, name);
}
