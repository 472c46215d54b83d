/* open and mknod: from a path to an open file description, new files with and without a name. */
#include "internal.h"

/* Flags may be symbolic; each is decided where it first makes a difference. */
static int has(long flags, int flag) { return hk_decide((flags & flag) != 0); }

static int access_mask(long flags) {
  int mask = has(flags, O_TRUNC) ? MAY_WRITE : 0;
  switch (homi_concretize((unsigned)flags & O_ACCMODE)) {
  case O_RDONLY: return mask | MAY_READ;
  case O_WRONLY: return mask | MAY_WRITE;
  default: return MAY_READ | MAY_WRITE;
  }
}

/* The checks for a file that exists; 0 or -errno. Truncates. */
static long open_existing(struct inode *inode, long flags) {
  int is_path = has(flags, O_PATH);
  if (!is_path && has(flags, O_CREAT)) {
    if (has(flags, O_EXCL)) return -EEXIST;
    if (hk_is_directory(inode)) return -EISDIR;
  }
  if (!is_path && has(flags, O_NOFOLLOW) && hk_is_symbolic_link(inode)) return -ELOOP;
  if (inode->kind == INODE_LINK) return is_path && !has(flags, O_DIRECTORY) ? 0 : -ELOOP;
  if (has(flags, O_DIRECTORY) && !hk_is_directory(inode)) return -ENOTDIR;
  if (is_path) return 0;
  if ((access_mask(flags) & MAY_WRITE) && hk_is_directory(inode)) return -EISDIR;
  if (!hk_allowed(inode, access_mask(flags))) return -EACCES;
  if (inode->operations->open_error) return inode->operations->open_error;
  if (has(flags, O_TRUNC) && hk_is_regular(inode)) {
    long error = hk_resize(inode, 0);
    if (error < 0) return error;
    hk_touch(inode);
  }
  return 0;
}

/* True if a name may be added to or removed from the directory. */
static struct inode *create(struct place *place, const struct file_operations *operations, uint32_t mode, long *error) {
  struct inode *inode;
  *error = 0;
  if (place->trailing_slash) *error = -EISDIR;
  else if (!place->directory->place && place->directory != hk.root) *error = -ENOENT;
  else if (!hk_allowed(place->directory, MAY_WRITE)) *error = -EACCES;
  if (*error) return 0;
  inode = hk_new_inode(operations, mode);
  hk_add_entry(place->directory, place->name, place->length, inode);
  hk_touch(place->directory);
  hk_tell_name(place->directory, place->name, place->length, inode, NOTE_CREATE);
  return inode;
}

/* A new description of the same file, as Linux gives for /dev/fd/N; a pipe or terminal is just shared. */
static long open_alias(int alias, long flags) {
  struct open_file *file = hk_file(alias);
  if (file->inode->kind == INODE_REGULAR) {
    long error = open_existing(file->inode, flags & ~(long)O_CREAT);
    if (error < 0) return error;
    return hk_install(hk_new_file(file->inode, (int)flags), 0, (flags & O_CLOEXEC) != 0);
  }
  return hk_install(file, 0, (flags & O_CLOEXEC) != 0);
}

/* O_TMPFILE: the path names a directory on the file's file system. */
static long open_nameless(long directory, const char *path, long flags, long mode) {
  struct place place;
  struct inode *inode;
  long error;
  if (!has(flags, O_DIRECTORY) || has(flags, O_CREAT) || !(access_mask(flags) & MAY_WRITE)) return -EINVAL;
  error = hk_walk(directory, path, has(flags, O_NOFOLLOW) ? 0 : WALK_FOLLOW, &place);
  if (error < 0) return error;
  if (!hk_is_directory(place.inode)) return -ENOTDIR;
  if (!hk_allowed(place.inode, MAY_WRITE | MAY_EXECUTE)) return -EACCES;
  inode = hk_new_inode(&hk_regular_file, S_IFREG | ((uint32_t)mode & 07777 & ~hk.umask));
  inode->stat->st_nlink = 0;
  inode->may_get_name = !has(flags, O_EXCL);
  return hk_install(hk_new_file(inode, (int)flags), 0, (flags & O_CLOEXEC) != 0);
}

/* A descriptor of an inode that may be opened so. */
static long install(struct inode *inode, long flags, int is_path) {
  struct open_file *file = hk_new_file(inode, (int)(is_path ? flags & (O_PATH | O_DIRECTORY | O_NOFOLLOW) : flags));
  long error = inode->kind == INODE_PIPE && !is_path ? hk_meet(file) : 0;
  if (error == 0) return hk_install(file, 0, (flags & O_CLOEXEC) != 0);
  file->references = 1;
  hk_drop_file(file);
  return error;
}

long hk_open(long directory, const char *path, long flags, long mode) {
  struct place place;
  struct inode *inode;
  long error;
  int truncated = 0;
  /* Linux adds O_LARGEFILE for programs of 64 bits. */
  flags = (int)flags | (sizeof(void *) == 8 ? 0100000 : 0);
  /* With O_PATH Linux heeds few others. */
  int is_path = has(flags, O_PATH), creates = !is_path && has(flags, O_CREAT);
  if (!is_path && has(flags, O_TMPFILE)) return open_nameless(directory, path, flags, mode);
  if (creates && has(flags, O_DIRECTORY)) return -EINVAL;
  int follow = !has(flags, O_NOFOLLOW) && !(creates && has(flags, O_EXCL));
  error = hk_walk(directory, path, (follow ? WALK_FOLLOW : 0) | (creates ? WALK_CREATE : 0), &place);
  if (error < 0) return error;
  if (place.alias >= 0) return open_alias(place.alias, flags);
  inode = place.inode;
  if (inode) {
    error = open_existing(inode, flags);
    truncated = error == 0 && !is_path && has(flags, O_TRUNC) && hk_is_regular(inode);
  } else {
    uint32_t bits = (uint32_t)mode & 07777 & ~hk.umask;
    inode = create(&place, &hk_regular_file, S_IFREG | bits, &error);
  }
  if (error < 0) return error;
  if (!is_path) hk_tell_file(inode, NOTE_OPEN);
  if (truncated) hk_tell_file(inode, NOTE_MODIFY);
  return install(inode, flags, is_path);
}

long hk_mknod(long directory, const char *path, long mode, long device) {
  struct place place;
  const struct file_operations *operations;
  struct inode *inode;
  uint32_t bits = (uint32_t)mode;
  long error = hk_walk(directory, path, WALK_CREATE | WALK_LAST, &place);
  if (error < 0) return error;
  if (place.inode) return -EEXIST;
  if (place.trailing_slash) return -ENOENT;
  bits = (bits & ~(uint32_t)S_IFMT) | (uint32_t)homi_concretize(bits & S_IFMT);
  switch (homi_concretize(bits & S_IFMT)) {
  case 0:
  case S_IFREG: operations = &hk_regular_file; bits |= S_IFREG; break;
  case S_IFIFO: operations = &hk_pipe_ends; break;
  case S_IFSOCK: operations = &hk_other_file; break;
  case S_IFDIR: return -EPERM;
  default:
    if (homi_host_id(1) != 0) return -EPERM;
    operations = &hk_other_file;
  }
  inode = create(&place, operations, (bits & S_IFMT) | (bits & 07777 & ~hk.umask), &error);
  if (inode) inode->stat->st_rdev = (uint64_t)device;
  return error;
}
