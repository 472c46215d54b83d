/* Walks over trees of files with 4.4BSD's interface (fts). A directory is an entry before and after its contents; the working
 * directory is the directory of the entry just returned unless FTS_NOCHDIR is given. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMFOLLOW = 1, LOGICAL = 2, NOCHDIR = 4, NOSTAT = 8, PHYSICAL = 16, SEEDOT = 32, XDEV = 64, WHITEOUT = 128, ALL_OPTIONS = 255, NAMEONLY = 256, STOP = 512 };
enum { D = 1, DC, DEFAULT, DNR, DOT, DP, ERR, F, INIT, NS, NSOK, SL, SLNONE };
enum { AGAIN = 1, FOLLOW, NOINSTR, SKIP };

/* As in glibc's <fts.h>. */
typedef struct entry {
	struct entry *cycle, *parent, *link;
	long number;
	void *pointer;
	char *accpath, *path;
	int error, symfd;
	unsigned short path_length, name_length;
	ino_t inode;
	dev_t device;
	nlink_t links;
	short level;
	unsigned short info, flags, instruction;
	struct stat *status;
	char name[1];
} FTSENT;
typedef struct walk {
	FTSENT *current, *child;
	FTSENT **array;
	dev_t device;
	char *path;
	int start, path_room, array_room;
	int (*compare)(const FTSENT **, const FTSENT **);
	int options;
} FTS;

static FTSENT *make(FTSENT *parent, const char *name, int level)
{
	size_t length = strlen(name), place = sizeof(FTSENT) + length + 16 & ~(size_t)15;
	FTSENT *entry = calloc(1, place + sizeof(struct stat));
	if (!entry) return 0;
	memcpy(entry->name, name, length + 1);
	entry->name_length = (unsigned short)length;
	entry->status = (struct stat *)((char *)entry + place);
	entry->parent = parent;
	entry->level = (short)level;
	entry->instruction = NOINSTR;
	return entry;
}

static void drop(FTSENT *list)
{
	while (list) {
		FTSENT *next = list->link;
		free(list);
		list = next;
	}
}

/* Kind of an entry (FTS_*); its directory is the working one, or paths are whole. */
static int kind(FTS *walk, FTSENT *entry, int follow)
{
	struct stat *status = entry->status;
	if (walk->options & LOGICAL || follow) {
		if (stat(entry->accpath, status)) {
			int error = errno;
			if (!lstat(entry->accpath, status)) return errno = 0, SLNONE;
			entry->error = error;
			memset(status, 0, sizeof *status);
			return NS;
		}
	} else if (lstat(entry->accpath, status)) {
		entry->error = errno;
		memset(status, 0, sizeof *status);
		return NS;
	}
	entry->device = status->st_dev, entry->inode = status->st_ino, entry->links = status->st_nlink;
	if (S_ISLNK(status->st_mode)) return SL;
	if (S_ISREG(status->st_mode)) return F;
	if (!S_ISDIR(status->st_mode)) return DEFAULT;
	if (entry->level > 0 && (!strcmp(entry->name, ".") || !strcmp(entry->name, ".."))) return DOT;
	for (FTSENT *above = entry->parent; above && above->level >= 0; above = above->parent)
		if (above->inode == entry->inode && above->device == entry->device) return entry->cycle = above, DC;
	return D;
}

static FTSENT *sorted(FTS *walk, FTSENT *list, int count)
{
	if (!walk->compare || count < 2) return list;
	FTSENT **array = malloc(count * sizeof *array);
	if (!array) return list;
	int i = 0;
	for (; list; list = list->link) array[i++] = list;
	qsort(array, count, sizeof *array, (int (*)(const void *, const void *))walk->compare);
	for (i = 0; i < count; i++) array[i]->link = i + 1 < count ? array[i + 1] : 0;
	list = array[0];
	free(array);
	return list;
}

/* Sets the walk's path to a name below an entry (at the roots, to the name itself). */
static int set_path(FTS *walk, FTSENT *parent, FTSENT *entry)
{
	size_t before = parent->level < 0 ? 0 : parent->path_length, length = before + 1 + entry->name_length + 1;
	if (length > (size_t)walk->path_room) {
		char *grown = realloc(walk->path, length + 256);
		if (!grown) return -1;
		walk->path = grown;
		walk->path_room = (int)length + 256;
	}
	if (before && walk->path[before - 1] != '/') walk->path[before++] = '/';
	memcpy(walk->path + before, entry->name, entry->name_length + 1);
	entry->path_length = (unsigned short)(before + entry->name_length);
	for (FTSENT *above = entry; above && above->level >= 0; above = above->parent) above->path = walk->path;
	entry->accpath = walk->options & NOCHDIR || entry->level == 0 ? walk->path : entry->name;
	return 0;
}

/* Goes to the directory in which an entry at that path lies. */
static void enter(FTS *walk, FTSENT *directory)
{
	if (walk->options & NOCHDIR) return;
	fchdir(walk->start);
	if (directory && directory->level >= 0) {
		char saved = walk->path[directory->path_length];
		walk->path[directory->path_length] = 0;
		chdir(walk->path);
		walk->path[directory->path_length] = saved;
	}
}

FTS *fts_open(char *const *roots, int options, int (*compare)(const FTSENT **, const FTSENT **))
{
	if (options & ~ALL_OPTIONS) return errno = EINVAL, (FTS *)0;
	FTS *walk = calloc(1, sizeof *walk);
	FTSENT *above = walk ? make(0, "", -1) : 0, *list = 0, **end = &list;
	if (!above) return free(walk), (FTS *)0;
	walk->compare = compare;
	walk->options = options & LOGICAL ? options | NOCHDIR : options;
	int count = 0;
	for (; *roots; roots++, count++) {
		if (!**roots) return errno = ENOENT, (FTS *)0;
		FTSENT *entry = make(above, *roots, 0);
		if (!entry) return (FTS *)0;
		entry->accpath = entry->name;
		entry->info = (unsigned short)kind(walk, entry, walk->options & COMFOLLOW);
		if (entry->info == DOT) entry->info = D;
		*end = entry, end = &entry->link;
	}
	FTSENT *first = make(above, "", -1);
	if (!first) return (FTS *)0;
	first->info = INIT;
	first->link = sorted(walk, list, count);
	walk->current = first;
	walk->start = walk->options & NOCHDIR ? -1 : open(".", O_RDONLY | O_CLOEXEC);
	if (walk->start < 0) walk->options |= NOCHDIR;
	return walk;
}

/* The entries of the current directory; the walk is in it afterwards. */
static FTSENT *build(FTS *walk, int names_only)
{
	FTSENT *current = walk->current, *list = 0, **end = &list;
	DIR *stream = opendir(current->accpath);
	int count = 0;
	if (!stream) {
		if (!names_only) current->info = DNR;
		current->error = errno;
		return 0;
	}
	enter(walk, current);
	for (struct dirent *found; (found = readdir(stream));) {
		const char *name = found->d_name;
		if (!(walk->options & SEEDOT) && name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
		FTSENT *entry = make(current, name, current->level + 1);
		if (!entry || set_path(walk, current, entry)) break;
		int typed = found->d_type != DT_UNKNOWN && found->d_type != DT_DIR && (found->d_type != DT_LNK || walk->options & PHYSICAL);
		if (names_only || ((walk->options & (NOSTAT | PHYSICAL)) == (NOSTAT | PHYSICAL) && typed)) entry->info = NSOK;
		else entry->info = (unsigned short)kind(walk, entry, 0);
		if (names_only) entry->accpath = walk->options & NOCHDIR ? entry->path : entry->name;
		*end = entry, end = &entry->link, count++;
	}
	closedir(stream);
	walk->path[current->path_length] = 0;
	if (!count && !names_only) current->info = DP;
	if (!count || names_only) enter(walk, current->parent);
	return sorted(walk, list, count);
}

static FTSENT *arrived(FTS *walk, FTSENT *entry)
{
	if (entry->instruction == FOLLOW) {
		entry->info = (unsigned short)kind(walk, entry, 1);
		entry->instruction = NOINSTR;
	}
	return walk->current = entry;
}

static FTSENT *root(FTS *walk, FTSENT *entry)
{
	enter(walk, 0);
	if (set_path(walk, entry->parent, entry)) return 0;
	char *slash = strrchr(entry->name, '/');
	if (slash && (slash != entry->name || slash[1])) {
		entry->name_length = (unsigned short)strlen(++slash);
		memmove(entry->name, slash, entry->name_length + 1);
	}
	walk->device = entry->device;
	return arrived(walk, entry);
}

FTSENT *fts_read(FTS *walk)
{
	FTSENT *entry = walk->current, *next;
	if (!entry || walk->options & STOP) return 0;
	int instruction = entry->instruction;
	entry->instruction = NOINSTR;
	if (instruction == AGAIN || (instruction == FOLLOW && (entry->info == SL || entry->info == SLNONE))) {
		entry->info = (unsigned short)kind(walk, entry, instruction == FOLLOW);
		return entry;
	}
	if (entry->info == D) {
		if (instruction == SKIP || (walk->options & XDEV && entry->device != walk->device)) {
			drop(walk->child), walk->child = 0;
			entry->info = DP;
			return entry;
		}
		if (walk->child && walk->options & NAMEONLY) drop(walk->child), walk->child = 0, walk->options &= ~NAMEONLY;
		next = walk->child;
		if (next) enter(walk, entry);
		else if (!(next = build(walk, 0))) return walk->options & STOP ? 0 : entry;
		walk->child = 0;
		set_path(walk, entry, next);
		return arrived(walk, next);
	}
	for (;;) {
		next = entry->link;
		FTSENT *parent = entry->parent;
		int level = entry->level;
		free(entry);
		while (next && next->instruction == SKIP) {
			FTSENT *skipped = next;
			next = next->link;
			free(skipped);
		}
		if (next && next->level == 0) return root(walk, next);
		if (next) {
			set_path(walk, parent, next);
			return arrived(walk, next);
		}
		if (level <= 0) {
			/* Behind the last root: what is left is the entry above all. */
			free(parent), walk->current = 0;
			enter(walk, 0);
			return errno = 0, (FTSENT *)0;
		}
		walk->path[parent->path_length] = 0;
		enter(walk, parent->level == 0 ? 0 : parent->parent);
		parent->info = parent->error ? ERR : DP;
		return walk->current = parent;
	}
}

FTSENT *fts_children(FTS *walk, int instruction)
{
	FTSENT *entry = walk->current;
	if (instruction && instruction != NAMEONLY) return errno = EINVAL, (FTSENT *)0;
	errno = 0;
	if (!entry || walk->options & STOP) return 0;
	if (entry->info == INIT) return entry->link;
	if (entry->info != D) return 0;
	drop(walk->child);
	if (instruction == NAMEONLY) walk->options |= NAMEONLY;
	unsigned short info = entry->info;
	walk->child = build(walk, instruction == NAMEONLY);
	entry->info = info;
	enter(walk, entry->parent && entry->level > 0 ? entry->parent : 0);
	return walk->child;
}

int fts_set(FTS *walk, FTSENT *entry, int instruction)
{
	if (instruction < 0 || instruction > SKIP) return errno = EINVAL, 1;
	entry->instruction = (unsigned short)instruction;
	return 0;
}

int fts_close(FTS *walk)
{
	int saved = 0;
	if (walk->current) {
		FTSENT *entry = walk->current;
		while (entry && entry->level >= 0) {
			FTSENT *next = entry->link ? entry->link : entry->parent;
			free(entry);
			entry = next;
		}
		free(entry);
	}
	drop(walk->child);
	free(walk->path);
	if (!(walk->options & NOCHDIR)) {
		saved = fchdir(walk->start);
		close(walk->start);
	}
	free(walk);
	return saved;
}

__typeof(fts_open) fts64_open __attribute__((alias("fts_open")));
__typeof(fts_read) fts64_read __attribute__((alias("fts_read")));
__typeof(fts_children) fts64_children __attribute__((alias("fts_children")));
__typeof(fts_set) fts64_set __attribute__((alias("fts_set")));
__typeof(fts_close) fts64_close __attribute__((alias("fts_close")));
