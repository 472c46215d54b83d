/* From a path string to a place in the tree.
 *
 * Concrete components are looked up in the tree. A component with symbolic bytes never reaches the host:
 * it is compared, letter by letter and forking, with the names that the kernel itself knows in that
 * directory (symbolic files, files that the program made); a path that is just "." or "/" is taken as
 * such, one that starts with two such letters is fixed to one value, and "/" before concrete text is concrete. Anything else does not exist. A
 * call that would create the name fixes the string to one value first and then works on concrete text. */
#include "internal.h"

enum { LINKS_FOLLOWED = 40 };

/* True if the string at p, up to its NUL, is the entry's name; reads no further than the first mismatch. */
static int equals(const char *p, const struct entry *entry) {
  unsigned i;
  for (i = 0; i <= entry->length; i++)
    if (!hk_decide(p[i] == entry->name[i])) return 0;
  return 1;
}

/* KLEE's files A, B, ...: one comparison decides for all of them that a string is none of their names. */
static struct entry *letter_entry(struct inode *directory, const char *p) {
  unsigned i;
  if (directory != hk.letter_home || !hk_decide((unsigned char)(p[0] - 'A') < hk.letters) ||
      !hk_decide(p[1] == 0))
    return 0;
  for (i = 0; i + 1 < hk.letters; i++)
    if (hk_decide(p[0] == (char)('A' + i))) break;
  char name = (char)('A' + i);
  return hk_known_entry(directory, &name, 1);
}

/* True if a string is one of their names and "/": natively no file, as what is behind it lies in none. */
static int is_letter_and_slash(struct inode *directory, const char *p) {
  return directory == hk.letter_home && hk_decide((unsigned char)(p[0] - 'A') < hk.letters) && hk_decide(p[1] == '/');
}

static int is_letter(const struct inode *directory, const struct entry *entry) {
  return directory == hk.letter_home && entry->length == 1 &&
         (unsigned char)(entry->name[0] - 'A') < hk.letters;
}

/* Only names that exist because of the run are candidates, not those merely looked up on the host. */
static struct entry *symbolic_match(struct inode *directory, const char *p) {
  struct entry *entry = letter_entry(directory, p);
  if (entry) return entry->inode ? entry : 0;
  for (entry = directory->entries; entry; entry = entry->next)
    if (entry->inode && !entry->from_host && !is_letter(directory, entry) && equals(p, entry)) return entry;
  return 0;
}

static void set_name(struct place *place, const char *name, unsigned length) {
  memcpy(place->name, name, length);
  place->name[length] = 0;
  place->length = length;
}

static int starts_with(const char *path, const char *prefix) {
  while (*prefix)
    if (*path++ != *prefix++) return 0;
  return 1;
}

/* /dev/stdin, /dev/fd/N, /proc/self/fd/N: the number, or -1. */
static int alias_of(const char *path) {
  int number = 0;
  if (strcmp(path, "/dev/stdin") == 0) return 0;
  if (strcmp(path, "/dev/stdout") == 0) return 1;
  if (strcmp(path, "/dev/stderr") == 0) return 2;
  if (starts_with(path, "/dev/fd/"))
    path += 8;
  else if (starts_with(path, "/proc/self/fd/"))
    path += 14;
  else
    return -1;
  if (!*path) return -1;
  for (; *path; path++) {
    if (*path < '0' || *path > '9' || number > DESCRIPTOR_LIMIT) return -1;
    number = number * 10 + (*path - '0');
  }
  return number;
}

static int starts_concrete(const char *path) {
  int i;
  for (i = 0; i < PATH_LIMIT; i++) {
    if (klee_is_symbolic((uintptr_t)path[i])) return 0;
    if (!path[i]) return 1;
  }
  return 0;
}

/* The text of a link, in a new string with `rest` after it; null when there is none. */
static char *expand_link(struct inode *link, const char *rest) {
  unsigned long n, rest_length = strlen(rest);
  char *text = malloc(PATH_LIMIT + rest_length + 2);
  if (link->target) {
    n = strlen(link->target);
    memcpy(text, link->target, n);
  } else {
    long count = homi_host_readlink(link->host_path, text, PATH_LIMIT);
    if (count <= 0) {
      free(text);
      return 0;
    }
    n = (unsigned long)count;
  }
  memcpy(text + n, rest, rest_length + 1);
  return text;
}

/* Result of a name with symbolic letters on the host: a model limitation, which a run reports because of this call. */
__attribute__((noinline)) long hk_no_such_name(struct place *place) {
  place->inode = 0;
  return -ENOENT;
}

struct walk {
  struct inode *at;
  struct place *place;
  int flags;
  int links;
  int fixed; /* the string was made concrete */
};

/* The component at p has symbolic bytes. 1: done; 0: the string is concrete now, read it again. */
static long symbolic_component(struct walk *walk, const char *p, int first) {
  struct place *place = walk->place;
  struct entry *entry;
  place->directory = walk->at;
  place->inode = 0;
  if (first && hk_decide(p[0] == 0)) return -ENOENT;
  entry = symbolic_match(walk->at, p);
  if (entry) {
    set_name(place, entry->name, entry->length);
    place->inode = entry->inode;
    return 1;
  }
  if (first && hk_decide((p[0] == '.') | (p[0] == '/'))) {
    if (hk_decide(p[1] == 0)) {
      place->directory = 0;
      place->dots = hk_decide(p[0] == '.');
      place->inode = place->dots ? walk->at : hk.root;
      return 1;
    }
    /* "/" and concrete text, as of a program that lists a directory of its choice: nothing is left open. */
    if (starts_concrete(p + 1) && hk_decide(p[0] == '/')) {
      homi_concretize_string(p);
      walk->fixed = 1;
      return 0;
    }
    /* "..", "./", "//" and what follows: one such string stands for all, and is walked as concrete text. */
    if (hk_decide((p[1] == '.') | (p[1] == '/'))) {
      homi_concretize_string(p);
      walk->fixed = 1;
      return 0;
    }
  }
  /* One such string stands for all, and is walked as concrete text. */
  if (is_letter_and_slash(walk->at, p)) {
    homi_concretize_string(p);
    walk->fixed = 1;
    return 0;
  }
  if (!(walk->flags & WALK_CREATE)) return hk_no_such_name(place);
  homi_concretize_string(p);
  walk->fixed = 1;
  return 0;
}

static struct inode *parent_of(struct inode *directory) {
  return directory->place ? directory->place->parent : directory;
}

/* Walks one text; links in the middle or at the end are walked by recursion. 0 or -errno. */
static long walk_text(struct walk *walk, const char *text) {
  struct place *place = walk->place;
  const char *p = text;
  for (;;) {
    const char *name, *after;
    struct inode *next;
    unsigned length = 0;
    if (!walk->fixed && klee_is_symbolic((uintptr_t)*p)) {
      long done = symbolic_component(walk, p, p == text);
      if (done < 0) return done;
      if (done) return 0;
    }
    if (*p == '/' && p == text) {
      walk->at = hk.root;
      place->inode = hk.root;
      place->directory = 0;
      place->length = 0;
    }
    if (*p == '/') {
      p++;
      continue;
    }
    if (*p == 0) return 0;
    for (name = p; *p && *p != '/'; p++) {
      if (!walk->fixed && klee_is_symbolic((uintptr_t)*p)) {
        long done = symbolic_component(walk, name, name == text);
        if (done < 0) return done;
        if (done) return 0;
      }
      if (++length > NAME_LIMIT) return -ENAMETOOLONG;
      if (p - text >= PATH_LIMIT) return -ENAMETOOLONG;
    }
    for (after = p; (walk->fixed || !klee_is_symbolic((uintptr_t)*after)) && *after == '/'; after++) {}

    if (!hk_is_directory(walk->at)) return -ENOTDIR;
    if (!hk_allowed(walk->at, MAY_EXECUTE)) return -EACCES;
    int last = (walk->fixed || !klee_is_symbolic((uintptr_t)*after)) && *after == 0;
    place->trailing_slash = last && after != p;
    place->dots = 0;
    if (name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'))) {
      if (length == 2) walk->at = parent_of(walk->at);
      place->directory = walk->at;
      place->inode = walk->at;
      place->length = 0;
      place->name[0] = 0;
      place->dots = (int)length;
      continue;
    }
    place->directory = walk->at;
    set_name(place, name, length);
    /* open makes no directory. */
    if (place->trailing_slash && (walk->flags & (WALK_CREATE | WALK_LAST)) == WALK_CREATE) return -EISDIR;
    next = hk_lookup(walk->at, place->name, length);
    place->inode = next;
    place->is_missing = !next && last;
    if (!next) return last && (walk->flags & WALK_CREATE) ? 0 : -ENOENT;
    if (next->kind == INODE_LINK && (!last || (place->trailing_slash && !(walk->flags & WALK_LAST)) || (walk->flags & WALK_FOLLOW))) {
      char *expanded;
      long error;
      if (++walk->links > LINKS_FOLLOWED) return -ELOOP;
      if (!walk->fixed && !starts_concrete(p)) {
        homi_concretize_string(p);
        walk->fixed = 1;
      }
      expanded = expand_link(next, p);
      if (!expanded) return -ENOENT;
      error = walk_text(walk, expanded);
      free(expanded);
      return error;
    }
    walk->at = next;
  }
}

/* Finds a path from a directory descriptor (or AT_FDCWD). With WALK_CREATE a free last name is no error:
 * `inode` is then null. 0 or -errno. */
long hk_walk(long directory, const char *path, int flags, struct place *place) {
  struct walk walk = {hk.cwd, place, flags, 0, 0};
  int symbolic;
  long error;
  if (hk_bad(path)) return -EFAULT;
  place->directory = 0;
  place->inode = 0;
  place->name[0] = 0;
  place->length = 0;
  place->dots = 0;
  place->trailing_slash = 0;
  place->is_missing = 0;
  place->alias = -1;
  symbolic = klee_is_symbolic((uintptr_t)path[0]) != 0;
  if (!symbolic && path[0] == 0 && !(flags & WALK_EMPTY)) return -ENOENT;
  if ((symbolic || path[0] != '/') && hk_decide((int)directory != AT_FDCWD)) {
    struct open_file *file = hk_file(directory);
    if (!file) return -EBADF;
    walk.at = file->inode;
    place->inode = file->inode;
    if (!symbolic && path[0] == 0) return 0;
  }
  if (!symbolic && path[0] == 0) place->inode = hk.cwd;
  if (!symbolic && path[0] == '/' && (path[1] == 'd' || path[1] == 'p') && starts_concrete(path)) {
    place->alias = alias_of(path);
    if (place->alias >= 0) {
      struct open_file *file = hk_file(place->alias);
      if (!file) return -ENOENT;
      place->inode = file->inode;
      return 0;
    }
  }
  error = walk_text(&walk, path);
  if (error < 0) return error;
  if (!(flags & WALK_LAST) && place->inode && place->trailing_slash && !hk_is_directory(place->inode)) return -ENOTDIR;
  return 0;
}
