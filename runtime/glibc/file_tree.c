/* ftw and nftw. glibc enters each directory once where links are followed, reports none a second time, changes to the
 * directory of what it reports (FTW_CHDIR) and heeds what the function returns (FTW_ACTIONRETVAL). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ACTION_RETURN = 16 };
enum { SKIP_SUBTREE = 2, SKIP_SIBLINGS = 3 };

/* A directory that was entered. */
struct entered {
	struct entered *before;
	dev_t device;
	ino_t inode;
};

struct tree_walk {
	int (*plain)(const char *, const struct stat *, int);
	int (*report)(const char *, const struct stat *, int, struct FTW *);
	int flags;
	char *path;
	size_t room;
	struct FTW at;
	dev_t device;
	struct entered *entered;
};

/* ftw knows no links, and no directories that follow their files. */
static int report(struct tree_walk *w, const struct stat *status, int kind)
{
	if (w->report) return w->report(w->path, status, kind, &w->at);
	if (kind == FTW_SL) kind = FTW_F;
	if (kind == FTW_DP) kind = FTW_D;
	if (kind == FTW_SLN) kind = FTW_NS;
	return w->plain(w->path, status, kind);
}

/* 1: the directory is a new one. */
static int enter_once(struct tree_walk *w, const struct stat *status)
{
	struct entered *made;
	if (w->flags & FTW_PHYS) return 1;
	for (struct entered *one = w->entered; one; one = one->before)
		if (one->device == status->st_dev && one->inode == status->st_ino) return 0;
	made = malloc(sizeof *made);
	if (!made) return -1;
	*made = (struct entered){ w->entered, status->st_dev, status->st_ino };
	w->entered = made;
	return 1;
}

/* Puts a name behind the path. */
static int append(struct tree_walk *w, const char *name)
{
	size_t size = (size_t)w->at.base + strlen(name) + 2;
	if (size > w->room) {
		char *more = realloc(w->path, 2 * size);
		if (!more) return -1;
		w->path = more;
		w->room = 2 * size;
	}
	strcpy(w->path + w->at.base, name);
	return 0;
}

static int walk_directory(struct tree_walk *w, const struct stat *status, DIR *above);

static int walk_entry(struct tree_walk *w, DIR *directory, const char *name)
{
	struct stat status;
	int kind, is_new, result = 0, links = w->flags & FTW_PHYS ? AT_SYMLINK_NOFOLLOW : 0;
	if (append(w, name)) return -1;
	if (!fstatat(dirfd(directory), name, &status, links)) {
		kind = S_ISDIR(status.st_mode) ? FTW_D : S_ISLNK(status.st_mode) ? FTW_SL : FTW_F;
	} else {
		if (errno != EACCES && errno != ENOENT) return -1;
		int is_link = !links && !fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW)
			&& S_ISLNK(status.st_mode);
		kind = is_link ? FTW_SLN : FTW_NS;
	}
	if (kind != FTW_NS && w->flags & FTW_MOUNT && status.st_dev != w->device) return 0;
	if (kind == FTW_D) {
		is_new = enter_once(w, &status);
		result = is_new > 0 ? walk_directory(w, &status, directory) : is_new;
	} else {
		result = report(w, &status, kind);
	}
	return w->flags & ACTION_RETURN && result == SKIP_SUBTREE ? 0 : result;
}

static int walk_entries(struct tree_walk *w, DIR *directory)
{
	struct dirent *entry;
	int result = 0;
	while (!result && (entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) result = walk_entry(w, directory, entry->d_name);
	return w->flags & ACTION_RETURN && result == SKIP_SIBLINGS ? 0 : result;
}

/* Opens the directory at the end of the path. */
static DIR *open_directory(struct tree_walk *w, DIR *above)
{
	int descriptor, flags = O_RDONLY | O_DIRECTORY | O_NDELAY;
	const char *here = w->flags & FTW_CHDIR ? w->path + w->at.base : w->path;
	if (above) descriptor = openat(dirfd(above), w->path + w->at.base, flags);
	else descriptor = open(*here ? here : ".", flags);
	if (descriptor < 0) return 0;
	DIR *directory = fdopendir(descriptor);
	if (!directory) close(descriptor);
	return directory;
}

static void close_directory(DIR *directory)
{
	int error = errno;
	closedir(directory);
	errno = error;
}

static int walk_directory(struct tree_walk *w, const struct stat *status, DIR *above)
{
	int base = w->at.base, result = 0;
	DIR *directory = open_directory(w, above);
	if (!directory) return errno == EACCES ? report(w, status, FTW_DNR) : -1;
	if (!(w->flags & FTW_DEPTH)) result = report(w, status, FTW_D);
	if (!result && w->flags & FTW_CHDIR) result = fchdir(dirfd(directory));
	if (result) {
		close_directory(directory);
		return result;
	}
	size_t length = strlen(w->path);
	w->at.level++;
	w->at.base = (int)length;
	if (w->path[length - 1] != '/') {
		if (append(w, "/")) result = -1;
		w->at.base++;
	}
	if (!result) result = walk_entries(w, directory);
	close_directory(directory);
	w->path[w->at.base - 1] = 0;
	w->at.level--;
	w->at.base = base;
	if (!result && w->flags & FTW_DEPTH) result = report(w, status, FTW_DP);
	if (above && w->flags & FTW_CHDIR && !result && fchdir(dirfd(above))) result = -1;
	return result;
}

static int walk_first(struct tree_walk *w)
{
	struct stat status;
	const char *name = w->flags & FTW_CHDIR ? w->path + w->at.base : w->path;
	if (!*name) name = ".";
	if (w->flags & FTW_PHYS ? lstat(name, &status) : stat(name, &status)) {
		int is_link = !(w->flags & FTW_PHYS) && errno == ENOENT && !lstat(name, &status) && S_ISLNK(status.st_mode);
		return is_link ? report(w, &status, FTW_SLN) : -1;
	}
	if (!S_ISDIR(status.st_mode)) return report(w, &status, S_ISLNK(status.st_mode) ? FTW_SL : FTW_F);
	w->device = status.st_dev;
	if (enter_once(w, &status) < 0) return -1;
	return walk_directory(w, &status, 0);
}

/* Changes to the directory in which the first file lies. */
static int enter_parent(struct tree_walk *w)
{
	int base = w->at.base;
	char kept = base ? w->path[base - 1] : 0;
	int result = 0;
	if (base == 1) return chdir("/");
	if (base > 1) {
		w->path[base - 1] = 0;
		result = chdir(w->path);
		w->path[base - 1] = kept;
	}
	return result;
}

static int walk_tree(struct tree_walk *w, const char *from)
{
	size_t length = strlen(from);
	int result = 0, start = -1, error;
	if (!length) return errno = ENOENT, -1;
	w->room = 2 * length + 2;
	w->path = malloc(w->room);
	if (!w->path) return -1;
	strcpy(w->path, from);
	while (length > 1 && w->path[length - 1] == '/') w->path[--length] = 0;
	while (length > 0 && w->path[length - 1] != '/') length--;
	w->at.base = (int)length;
	if (w->flags & FTW_CHDIR) {
		start = open(".", O_RDONLY | O_DIRECTORY);
		result = start < 0 ? -1 : enter_parent(w);
	}
	if (!result) result = walk_first(w);
	if (w->flags & ACTION_RETURN && (result == SKIP_SUBTREE || result == SKIP_SIBLINGS)) result = 0;
	error = errno;
	if (start >= 0 && (fchdir(start) | close(start)) && !result) result = -1;
	for (struct entered *next, *one = w->entered; one; one = next) next = one->before, free(one);
	free(w->path);
	errno = error;
	return result;
}

int ftw(const char *path, int (*function)(const char *, const struct stat *, int), int descriptors)
{
	struct tree_walk w = { .plain = function };
	return walk_tree(&w, path);
}

int nftw(const char *path, int (*function)(const char *, const struct stat *, int, struct FTW *), int descriptors,
	int flags)
{
	struct tree_walk w = { .report = function, .flags = flags };
	return walk_tree(&w, path);
}

#undef ftw64
#undef nftw64
extern __typeof(ftw) ftw64 __attribute__((alias("ftw")));
extern __typeof(nftw) nftw64 __attribute__((alias("nftw")));
