/* The modeled kernel's own types and functions; nothing outside runtime/kernel includes this file.
 *
 * The kernel is C that homi interprets together with the program, so its state (one `struct kernel`, the
 * objects that it points to) forks with memory and symbolic bytes flow through it. It lies below libc
 * and calls none of it: only the executor's built-ins and the engine's functions. All names that other
 * files see start with `hk_` (homi kernel), so that they cannot meet a program's names.
 *
 * Files live in a tree of directory entries and inodes that is filled from the read-only host view on
 * first use. What the program creates, changes or deletes is in the tree only. Entries are never
 * removed, a deleted name is an entry without an inode: that hides the host's file of that name and
 * keeps the positions of directory listings stable. */
#ifndef HOMI_KERNEL_INTERNAL_H
#define HOMI_KERNEL_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "homi/engine.h"
#include "klee/klee.h"

/* Of 32-bit programs (-m32): the kernel's words are 64 bits all the same, so numbers, offsets and times are the same
 * there. What a program's structures have in its own words is a size_t or a pointer. */
#if __SIZEOF_POINTER__ == 4
#define long long long
#endif
#include "operations.h"

/* The executor's built-ins. The allocator goes by names of its own: a program may define `malloc` (bash does), and it
 * would ask the kernel for memory. */
#define malloc homi_malloc
#define calloc homi_calloc
#define realloc homi_realloc
#define free homi_free
#define aligned_alloc homi_aligned_alloc
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

/* ---- Linux numbers (x86-64) ---- */

enum {
  EPERM = 1, ENOENT = 2, ESRCH = 3, EINTR = 4, EIO = 5, ENXIO = 6, E2BIG = 7, ENOEXEC = 8, EBADF = 9,
  ECHILD = 10, EAGAIN = 11, ENOMEM = 12, EACCES = 13, EFAULT = 14, EBUSY = 16, EEXIST = 17, EXDEV = 18,
  ENODEV = 19, ENOTDIR = 20, EISDIR = 21, EINVAL = 22, ENFILE = 23, EMFILE = 24, ENOTTY = 25, ETXTBSY = 26,
  EFBIG = 27, ENOSPC = 28, ESPIPE = 29, EROFS = 30, EMLINK = 31, EPIPE = 32, ERANGE = 34,
  ENAMETOOLONG = 36, ENOSYS = 38, ENOTEMPTY = 39, ELOOP = 40, ENOMSG = 42, EIDRM = 43, EOVERFLOW = 75, ENOTSOCK = 88, EMSGSIZE = 90,
  EOPNOTSUPP = 95, EAFNOSUPPORT = 97, ETIMEDOUT = 110, ECANCELED = 125
};

enum {
  O_ACCMODE = 3, O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_CREAT = 0100, O_EXCL = 0200, O_TRUNC = 01000,
  O_APPEND = 02000, O_NONBLOCK = 04000, O_DIRECTORY = 0200000, O_NOFOLLOW = 0400000, O_CLOEXEC = 02000000,
  O_PATH = 010000000, O_TMPFILE = 020000000
};

enum {
  S_IFMT = 0170000, S_IFIFO = 0010000, S_IFCHR = 0020000, S_IFDIR = 0040000, S_IFREG = 0100000,
  S_IFLNK = 0120000, S_IFSOCK = 0140000, S_ISVTX = 01000
};

enum {
  AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 0x100, AT_REMOVEDIR = 0x200, AT_SYMLINK_FOLLOW = 0x400,
  AT_EMPTY_PATH = 0x1000
};

enum { MAY_EXECUTE = 1, MAY_WRITE = 2, MAY_READ = 4 };
enum { PATH_LIMIT = 4096, NAME_LIMIT = 255, DESCRIPTOR_LIMIT = 1024, PAGE = 4096, PIPE_CAPACITY = 65536 };
enum { SIGABRT = 6, SIGBUS = 7, SIGKILL = 9, SIGSEGV = 11, SIGPIPE = 13, SIGALRM = 14, SIGVTALRM = 26, SIGPROF = 27, SIGCHLD = 17,
       SIGCONT = 18, SIGSTOP = 19, SIGURG = 23, SIGWINCH = 28, SIGNAL_LIMIT = 64 };
/* Children have numbers that no process has on Linux (the greatest is FIRST_CHILD_ID), so that a replay cannot hit one. */
enum { PROCESS_ID = 4242, PARENT_ID = 4241, FIRST_CHILD_ID = 4194304 };

/* Size of a process's memory; every address range is shorter. */
static const uint64_t ALL_MEMORY = (uint64_t)1 << 46;
/* The largest offset in a file of the modeled file system, which is an ext4 with blocks of 4096 bytes. */
static const uint64_t LARGEST_FILE = ((uint64_t)1 << 44) - 4096;

struct kernel_time {
  int64_t seconds;
#if __SIZEOF_POINTER__ == 4
  int32_t nanoseconds, padding;
#else
  int64_t nanoseconds;
#endif
};

/* struct stat as the x86-64 kernel, glibc and musl lay it out: 144 bytes. */
struct kernel_stat {
  uint64_t st_dev;
  uint64_t st_ino;
  uint64_t st_nlink;
  uint32_t st_mode;
  uint32_t st_uid;
  uint32_t st_gid;
  uint32_t padding;
  uint64_t st_rdev;
  int64_t st_size;
  int64_t st_blksize;
  int64_t st_blocks;
  struct kernel_time st_atim;
  struct kernel_time st_mtim;
  struct kernel_time st_ctim;
  int64_t unused[3];
};

struct io_vector {
  char *base;
  size_t length;
};

/* Numbers of system calls by name: CALL_read and so on. */
enum system_call {
#define SYSCALL(number, name, ...) CALL_##name = number,
#include "calls.h"
};

/* ---- the tree of files ---- */

/* st_dev of what lies on no disk. */
enum { FILES_IN_MEMORY = 1, DEVICE_FILES = 5, PIPES = 14 };
/* st_dev of the disk; inode numbers of the root and of the directories below it on the way to the first one. */
enum { DISK = 8 << 8 | 1, ROOT_NUMBER = 2, ACCOUNT_NUMBERS = (1 << 30) - 8, FIRST_NUMBERS = 1 << 30 };

struct entry;

struct inode {
  enum inode_kind kind;       /* of its operations */
  const struct file_operations *operations;
  int stat_known;             /* 0: `stat` is asked from the host on first use */
  struct kernel_stat *stat;
  char *host_path;            /* where contents still come from, or null */
  unsigned char *data;
  uint64_t size;              /* bytes valid in `data` */
  uint64_t capacity;          /* bytes allocated in `data` */
  char *target;               /* of a link; of a file that is open and has no name any more, the last one */
  struct entry *entries;      /* of a directory, in order of creation */
  struct entry *last_entry;
  struct entry *place;        /* where a directory or a symbolic file hangs; null for the root and removed directories */
  int stream;
  int opens;                  /* open file descriptions */
  int readers, writers;       /* of a pipe */
  int is_of_others;           /* another process may write to it */
  void *object;
  unsigned seals;             /* of a file in memory, with SEALABLE; 0: it lies on a disk */
  int may_get_name;           /* a file without a name that a link may give one */
  struct lock *locks;         /* locks.c */
  struct attribute *attributes; /* extended ones; extended.c */
};

struct entry {
  struct entry *next;
  struct inode *parent;
  struct inode *inode;        /* null: this name does not exist */
  int from_host;              /* the host's directory lists this name */
  unsigned length;
  char name[];
};

/* An open file description, shared by duplicated descriptors. */
struct open_file {
  struct inode *inode;
  int references;
  int flags;                  /* as given to open, without creation flags */
  int64_t offset;             /* of a directory: position in the listing */
  int owner;                  /* whom signals of it would go to */
};

struct descriptor {
  struct open_file *file;     /* null: closed */
  int close_on_exec;
};

/* Calls that --max-fail can make fail. */
enum failure { FAIL_READ, FAIL_WRITE, FAIL_CLOSE, FAIL_TRUNCATE, FAIL_GETCWD, FAILURE_KINDS };

struct kernel {
  struct inode *root;
  struct inode *cwd;
  struct descriptor *descriptors;
  unsigned descriptor_count;
  unsigned umask;
  uint64_t next_inode;
  uint64_t device;            /* st_dev of files, whatever it is on the host */
  uint64_t host_device;       /* on which the first directory lies there */
  unsigned letters;           /* symbolic files A, B, ... in the first directory */
  struct inode *letter_home;
  struct inode *letter_files[26];
  int failures_left;
  int *failure_at[FAILURE_KINDS]; /* symbolic: which call fails */
  int failure_calls[FAILURE_KINDS];
  int process, parent;        /* numbers of the process that the path follows */
  int group, session;
  uint64_t slept;             /* nanoseconds by which sleeping moved the clock */
  struct inode *first_directory; /* in which the program starts */
  struct inode *shown_output; /* symbolic standard output whose bytes are put out as well, or null */
};

extern struct kernel hk;

/* Values of the symbolic-input options; filled by arguments.c, used by start.c. */
struct symbolic_options {
  unsigned letters;
  uint64_t letter_size;
  uint64_t stdin_size;        /* 0: concrete */
  int symbolic_stdout;
  int failures;
  unsigned named_count;
  struct { const char *path; uint64_t size; } named[64];
};

/* start.c */
void hk_initialise(const struct symbolic_options *options);
__attribute__((noreturn)) void hk_user_error(const char *message);

/* arguments.c */
void hk_expand_arguments(int *argc, char ***argv, char ***envp, struct symbolic_options *options);

/* symbolic.c */
struct inode *hk_symbolic_file(const char *name, uint64_t size, const struct kernel_stat *defaults);
int hk_symbolic_range(int begin, int end, const char *name);

/* threads.c */
void hk_start_threads(void);
void hk_watch(void);
int hk_thread_id(void);
void hk_only_this_thread(void);
int hk_has_threads(void);
int hk_yield(void);
void hk_sched_yield(void);
int hk_wait_for_others(void);
int hk_look_again(void);
void hk_change(void);
long hk_thread_sleep(uint64_t deadline);
int hk_thread_lives(int id);
uint64_t hk_signal_mask_of(int id);
int hk_thread_that_accepts(uint64_t signal);
void hk_interrupt(int id);
int hk_interrupted(void);
long hk_set_tid_address(int *address);
void hk_end_thread(long status);
long hk_futex(const int *futex, long operation, long value, const struct kernel_time *time_out, const int *other);

uint64_t hk_first_time_out(void);

/* waiting.c */
long hk_wait(uint64_t deadline, uint64_t wake, const char *what);
uint64_t hk_deadline_of(const struct kernel_time *time, int absolute, long *error);

/* failure.c */
void hk_make_failures(int count);
int hk_count_call(enum failure kind);
int hk_fails(enum failure kind, int call);

/* outcome.c */
void hk_report_files(void);
void hk_exit(int status) __attribute__((noreturn));

/* inode.c */
struct inode *hk_new_inode(const struct file_operations *operations, uint32_t mode);
struct inode *hk_of_root(struct inode *inode);
struct inode *hk_host_inode(const char *host_path, const struct kernel_stat *known);
struct kernel_stat *hk_stat_of(struct inode *inode);
int hk_allowed(struct inode *inode, int mask);
int hk_is_directory(struct inode *inode);
int hk_is_symbolic_link(struct inode *inode);
void hk_follow(const struct inode *inode, struct kernel_stat *stat);
int hk_is_regular(struct inode *inode);
long hk_own_contents(struct inode *inode);
long hk_resize(struct inode *inode, uint64_t size);
void hk_drop_link(struct inode *inode);
void hk_release(struct inode *inode);
struct kernel_time hk_now(void);
void hk_touch(struct inode *inode);

/* accounts.c */
struct inode *hk_accounts(void);

/* tree.c */
struct entry *hk_add_entry(struct inode *directory, const char *name, unsigned length, struct inode *inode);
struct entry *hk_known_entry(struct inode *directory, const char *name, unsigned length);
struct inode *hk_lookup(struct inode *directory, const char *name, unsigned length);
void hk_remove_entry(struct entry *entry);
void hk_initialise_tree(void);
int hk_path_of(struct inode *directory, char *buffer, unsigned long n);
int hk_path_of_file(struct inode *inode, char *buffer, unsigned long n);

/* path.c */
/* WALK_LAST: the last name itself is meant, also a link with a slash behind it. */
enum { WALK_FOLLOW = 1, WALK_CREATE = 2, WALK_EMPTY = 4, WALK_LAST = 8 };
struct place {
  struct inode *directory;    /* that holds the last component; null when there is none ("/") */
  struct inode *inode;        /* null: the name is free */
  char name[NAME_LIMIT + 1];  /* last component; empty for "." and ".." and "/" */
  unsigned length;
  int dots;                   /* 1 or 2: the last component is "." or ".." */
  int trailing_slash;
  int is_missing;             /* the last component is what is not there */
  int alias;                  /* /dev/fd/N, /dev/stdin...: N, else -1 */
};
long hk_no_such_name(struct place *place);
long hk_walk(long directory, const char *path, int flags, struct place *place);

/* descriptors.c */
struct open_file *hk_file(long descriptor);
struct open_file *hk_used_file(long descriptor);
struct open_file *hk_new_file(struct inode *inode, int flags);
long hk_install(struct open_file *file, unsigned lowest, int close_on_exec);
void hk_drop_file(struct open_file *file);
long hk_close(long descriptor);
long hk_dup(long descriptor);
long hk_dup2(long from, long to);
long hk_dup3(long from, long to, long flags);
long hk_fcntl(long descriptor, long command, long argument);
long hk_close_range(unsigned long first, unsigned long last, long flags);
long hk_exists(long descriptor);
long hk_synchronise(long descriptor);
long hk_advise(long descriptor, int64_t n, long advice);

/* locks.c */
struct wish;
long hk_flock(long descriptor, long operation);
long hk_get_lock(struct open_file *file, struct wish *wish, int of_file);
long hk_set_lock(struct open_file *file, const struct wish *wish, int of_file, int waits);
void hk_forget_locks(const struct open_file *file);

/* seals.c: operations that were forbidden on a file in memory */
enum { SEAL_SEAL = 1, SEAL_SHRINK = 2, SEAL_GROW = 4, SEAL_WRITE = 8, SEAL_FUTURE_WRITE = 16, SEAL_EXECUTE = 32, SEALABLE = 0x100 };
long hk_memfd(const char *name, long flags);
long hk_get_seals(const struct open_file *file);
long hk_add_seals(const struct open_file *file, long seals);
long hk_check_seals(const struct inode *inode, uint64_t offset, uint64_t *n);
int hk_is_sealed_against_size(const struct inode *inode, uint64_t size);

/* open.c */
long hk_open(long directory, const char *path, long flags, long mode);
long hk_mknod(long directory, const char *path, long mode, long device);

/* files.c */
int hk_reads_directory(struct inode *inode);

/* read_write.c */
long hk_file_read(struct open_file *file, void *buffer, uint64_t n, uint64_t offset);
long hk_file_write(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset);
long hk_read(long descriptor, void *buffer, uint64_t n);
long hk_write(long descriptor, const void *buffer, uint64_t n);
long hk_readv(long descriptor, const struct io_vector *vector, long count);
long hk_writev(long descriptor, const struct io_vector *vector, long count);
long hk_pread(long descriptor, void *buffer, uint64_t n, int64_t offset);
long hk_pwrite(long descriptor, const void *buffer, uint64_t n, int64_t offset);
long hk_preadv(long descriptor, const struct io_vector *vector, long count, int64_t offset);
long hk_pwritev(long descriptor, const struct io_vector *vector, long count, int64_t offset);
long hk_preadv2(long descriptor, const struct io_vector *vector, long count, int64_t offset);
long hk_pwritev2(long descriptor, const struct io_vector *vector, long count, int64_t offset);
long hk_lseek(long descriptor, int64_t offset, long whence);

/* transfer.c */
long hk_copy(long in, int64_t *in_offset, long out, int64_t *out_offset, uint64_t n, int need_regular);
long hk_truncate(const char *path, int64_t size);
long hk_ftruncate(long descriptor, int64_t size);
long hk_fallocate(long descriptor, long mode, int64_t offset, int64_t n);

/* pipe.c */
long hk_pipe(int *descriptors, long flags);
long hk_meet(const struct open_file *file);
long hk_pipe_capacity(const struct open_file *file, long wish);
long hk_tee(long in, long out, uint64_t n, long flags);
long hk_splice(long in, int64_t *in_offset, long out, int64_t *out_offset, uint64_t n, long flags);

/* stat.c */
long hk_stat(long directory, const char *path, struct kernel_stat *result, long flags);
long hk_fstat(long descriptor, struct kernel_stat *result);
long hk_statx(long directory, const char *path, long flags, long mask, unsigned char *result);
long hk_access(long directory, const char *path, long mode, long flags);
long hk_statfs(const char *path, void *result);
long hk_fstatfs(long descriptor, void *result);

/* attributes.c */
long hk_chmod(long directory, const char *path, long mode, long flags);
long hk_fchmod(long descriptor, long mode);
long hk_chown(long directory, const char *path, long uid, long gid, long flags);
long hk_fchown(long descriptor, long uid, long gid);
long hk_utimens(long directory, const char *path, const struct kernel_time *times, long flags);
long hk_utimes(long directory, const char *path, const int64_t *times);
long hk_utime(const char *path, const int64_t *times);
long hk_umask(long mask);

/* extended.c */
long hk_setxattr(long how, long where, const char *name, const void *value, uint64_t size, long flags);
long hk_getxattr(long how, long where, const char *name, void *value, uint64_t size);
long hk_listxattr(long how, long where, char *names, uint64_t size);
long hk_removexattr(long how, long where, const char *name);
void hk_forget_attributes(struct inode *inode);

/* privileged.c */
long hk_settimeofday(const int64_t *time, const int32_t *zone);
long hk_clock_settime(long clock, const int64_t *time);
long hk_adjust(unsigned char *timex);
long hk_adjust_clock(long clock, unsigned char *timex);
long hk_mount(const char *source, const char *target, const char *type);
long hk_unmount(const char *target, long flags);
long hk_pivot_root(const char *to, const char *old);
long hk_swapon(const char *path, long flags);
long hk_swapoff(const char *path);
long hk_reboot(long magic, long second);
long hk_name_machine(const char *name, long length);
long hk_ioperm(unsigned long from, unsigned long count, long on);
long hk_iopl(unsigned long level);
long hk_capabilities(uint32_t *header, uint32_t *data, int sets);

/* directory.c */
long hk_getdents64(long descriptor, unsigned char *buffer, uint64_t n);
long hk_getcwd(char *buffer, uint64_t n);
long hk_chdir(const char *path);
long hk_fchdir(long descriptor);
long hk_chroot(const char *path);

/* links.c */
long hk_mkdir(long directory, const char *path, long mode);
long hk_unlink(long directory, const char *path, long flags);
long hk_rename(long old_directory, const char *old_path, long new_directory, const char *new_path, long flags);
long hk_link(long old_directory, const char *old_path, long new_directory, const char *new_path, long flags);
long hk_symlink(const char *target, long directory, const char *path);
long hk_readlink(long directory, const char *path, char *buffer, long n);

/* terminal.c */
long hk_ioctl(long descriptor, unsigned long request, void *argument);
long hk_control_terminal(struct open_file *file, uint32_t request, void *argument);

/* poll.c */
long hk_poll(void *entries, unsigned long count, int64_t timeout, const uint64_t *mask);
long hk_select(long count, void *readable, void *writable, void *exceptional, int64_t *time, long unit, const uint64_t *mask);
int64_t hk_timeout_of(const int64_t *time, int64_t units_per_second);

int hk_events_of(const struct open_file *file);
uint64_t hk_next_expiry(const struct open_file *file);

/* event.c */
long hk_eventfd(uint64_t count, long flags);
long hk_timerfd_create(long clock, long flags);
long hk_timerfd_settime(long descriptor, long flags, const struct kernel_time *value, struct kernel_time *old);
long hk_timerfd_gettime(long descriptor, struct kernel_time *value);
long hk_signalfd(long descriptor, const uint64_t *set, uint64_t size, long flags);

/* epoll.c */
long hk_epoll_create(long flags);
long hk_epoll_ctl(long epoll, long operation, long descriptor, const void *event);
long hk_epoll_wait(long epoll, void *events, long most, int64_t timeout, const uint64_t *mask);
void hk_wake(const struct inode *inode, int events);
void hk_epoll_forget(const struct open_file *file);

/* socket.c */
long hk_socket_call(long number, long a1, long a2, long a3, long a4, long a5, long a6);

/* control.c */
enum { MOST_FILES = 253 };
/* Control data that accompany bytes: open files, and the credentials of the sender. */
struct luggage {
  unsigned count;
  struct open_file *files[MOST_FILES];
  int32_t user[3];             /* process, user, group */
};

/* Room for control messages of a receiver, and what is in it. */
struct control {
  unsigned char *base;
  uint64_t room, used;
  int close_on_exec, truncated;
};

struct luggage *hk_new_luggage(void);
struct luggage *hk_copy_luggage(const struct luggage *from);
void hk_drop_luggage(struct luggage *luggage);
long hk_pack(struct luggage *luggage, const unsigned char *control, uint64_t n);
void hk_unpack(struct control *control, const struct luggage *luggage, int with_user);

/* notify.c: what happened to files, as inotify's bits */
enum { NOTE_ACCESS = 1, NOTE_MODIFY = 2, NOTE_ATTRIBUTES = 4, NOTE_CLOSE_WRITE = 8, NOTE_CLOSE_NOWRITE = 0x10, NOTE_OPEN = 0x20,
       NOTE_CREATE = 0x100, NOTE_DELETE = 0x200 };
long hk_inotify_init(long flags);
long hk_inotify_add_watch(long descriptor, const char *path, long flags);
long hk_inotify_rm_watch(long descriptor, long number);
void hk_tell_file(struct inode *inode, uint32_t mask);
void hk_tell_name(struct inode *directory, const char *name, unsigned length, struct inode *inode, uint32_t mask);
void hk_tell_move(const struct place *from, const struct place *to);
void hk_tell_fewer_links(struct inode *inode);
void hk_tell_end(struct inode *inode);

/* ipc.c */
struct semaphore_operation;
long hk_shmget(long key, uint64_t size, long flags);
long hk_shmat(long id, long address);
long hk_shmdt(const unsigned char *address);
long hk_shmctl(long id, long command, unsigned char *buffer);
long hk_semget(long key, long count, long flags);
long hk_semtimedop(long id, const struct semaphore_operation *operations, uint64_t count, const struct kernel_time *limit);
long hk_semctl(long id, long number, long command, long argument);
long hk_msgget(long key, long flags);
long hk_msgsnd(long id, const unsigned char *from, uint64_t n, long flags);
long hk_msgrcv(long id, unsigned char *to, uint64_t n, int64_t type, long flags);
long hk_msgctl(long id, long command, unsigned char *buffer);

/* queue.c */
struct attributes;
struct notification;
long hk_mq_open(const char *name, long flags, long mode, const struct attributes *wish);
long hk_mq_unlink(const char *name);
long hk_mq_send(long descriptor, const void *bytes, uint64_t n, uint64_t priority, const struct kernel_time *limit);
long hk_mq_receive(long descriptor, void *to, uint64_t n, uint32_t *priority, const struct kernel_time *limit);
long hk_mq_notify(long descriptor, const struct notification *wish);
long hk_mq_attributes(long descriptor, const struct attributes *wish, struct attributes *old);

/* timers.c */
long hk_timer_create(long clock, const struct notification *wish, int32_t *id);
long hk_timer_settime(long id, long flags, const struct kernel_time *value, struct kernel_time *old);
long hk_timer_gettime(long id, struct kernel_time *value);
long hk_timer_getoverrun(long id);
long hk_timer_delete(long id);
uint64_t hk_first_timer(void);
int hk_has_timer(void);
void hk_pass_processor_time(uint64_t nanoseconds);
void hk_ring_timer(void);
int hk_timer_taken(int id);
void hk_forget_timer(int timer);

/* time.c */
uint64_t hk_clock(void);
long hk_known_clock(long clock);
long hk_clock_gettime(long clock, struct kernel_time *result);
long hk_clock_getres(long clock, struct kernel_time *result);
long hk_gettimeofday(int64_t *result, int32_t *zone);
long hk_time(int64_t *result);
long hk_times(int64_t *result);
long hk_clock_nanosleep(long clock, long flags, const struct kernel_time *wish, struct kernel_time *rest);
long hk_nanosleep(const struct kernel_time *wish, struct kernel_time *rest, int absolute);
int hk_ring_before(uint64_t deadline);
long hk_sleep(uint64_t nanoseconds);
long hk_alarm(unsigned long seconds);
long hk_setitimer(long which, const int64_t *value, int64_t *old);
long hk_getitimer(long which, int64_t *value);

/* process.c */
long hk_prctl(long option, char *name);
long hk_setsid(void);
long hk_setpgid(long process, long group);
long hk_getpgid(long process);
long hk_getsid(long process);

/* children.c */
long hk_fork(long number, unsigned long flags, uint64_t size);
long hk_wait_call(long number, long a1, long a2, long a3, long a4, void *usage);
long hk_kill_child(long id, long number);
int hk_child_moves(void);
void hk_note_silence(const struct inode *inode);

long hk_execute(long directory, const char *path, long flags);

/* signal.c */
long hk_pause(void);
void hk_deliver_pending(void);
long hk_queue_signal(long process, long number, const int32_t *information);
long hk_queue_thread_signal(long process, long thread, long number, const int32_t *information);
long hk_sigaction(long number, const void *action, void *old, uint64_t size);
long hk_sigprocmask(long how, const uint64_t *set, uint64_t *old, uint64_t size);
long hk_sigpending(uint64_t *set);
long hk_sigsuspend(const uint64_t *set);
long hk_sigaltstack(const void *stack, void *old);
long hk_raise(long number);
void hk_raise_about(long number, int code, int who, uint64_t value);
int hk_tells_signal(long number);
int hk_is_harmless(long number);
int hk_children_end_unseen(void);
void hk_forget_pending(void);
long hk_kill(long process, long number);
uint64_t hk_swap_signal_mask(uint64_t mask);
unsigned long hk_handled(void);
uint64_t hk_enter_mask(const uint64_t *set);
void hk_leave_mask(uint64_t saved);
uint64_t hk_pending_signals(void);
uint64_t hk_waiting_signals(void);
int hk_take_signal(uint64_t set, int32_t *information);
void hk_raise_timer(long number, int thread, int timer, uint64_t value);
long hk_kill_thread(long process, long thread, long number);
long hk_sigtimedwait(const uint64_t *set, void *information, const struct kernel_time *timeout);

/* memory.c */
long hk_mmap(unsigned long address, uint64_t n, long protection, long flags, long descriptor, int64_t offset);
long hk_munmap(unsigned long address, uint64_t n);
long hk_mprotect(unsigned long address, uint64_t n, long protection);
long hk_msync(unsigned long address, uint64_t n, long flags);
long hk_mincore(unsigned long address, uint64_t n, unsigned char *pages);
long hk_mlock(unsigned long address, uint64_t n);
long hk_madvise(unsigned long address, uint64_t n, long advice);
void hk_show_again(struct inode *inode);
void hk_show_write(const struct inode *inode, const unsigned char *bytes, uint64_t n, uint64_t offset);
int hk_is_shown(const struct inode *inode);
int hk_fault_signal(unsigned long address);
int hk_may_be_written_by_mapping(const struct inode *inode);
long hk_brk(unsigned long address);
long hk_mremap(unsigned long address, uint64_t n, uint64_t new_n, long flags, unsigned long wanted);

/* system.c */
long hk_uname(char *result);
long hk_sysinfo(unsigned char *result);
long hk_rlimit(long resource, const uint64_t *wish, uint64_t *result);
unsigned hk_descriptor_limit(void);
long hk_getrandom(unsigned char *buffer, uint64_t n, long flags);
long hk_getrusage(long who, void *result);
long hk_affinity(long id, uint64_t n, unsigned char *set);
long hk_set_affinity(long id, uint64_t n, const unsigned char *set);
long hk_get_priority(long which, long id);
long hk_set_priority(long which, long id, long nice);
long hk_getcpu(uint32_t *processor, uint32_t *node);
long hk_priority_of_io(long which, long priority);
long hk_scheduling(long number, long a1, long a2, int32_t *a3);
long hk_set_id(long id, int which);
long hk_get_ids(uint32_t *a, uint32_t *b, uint32_t *c, int which);

/* syscall.c */
long hk_refuse(long error);
long __homi_syscall(long number, long a1, long a2, long a3, long a4, long a5, long a6);

/* Checks if a condition that may be symbolic holds, decided here and now by a fork. Without the call, which the
 * compiler cannot see through, it would turn the branch into a select, and errno values, pointers and
 * counts that depend on the condition would become symbolic instead of two plain paths. */
static inline int hk_decide(int condition) {
  if (!condition) return 0;
  homi_concretize(1);
  return 1;
}

/* A number of which all from `limit` on are the same to the caller: one path for each below, and one with `limit` for
 * the others. */
static inline uint64_t hk_below(uint64_t value, uint64_t limit) {
  return hk_decide(value < limit) ? homi_concretize(value) : limit;
}

/* Decides an int from `first` to `last` by forks; `last` + 1 represents all other values. */
static inline long hk_int(long value, int first, int last) {
  const uint32_t distance = (uint32_t)value - (uint32_t)first, count = (uint32_t)last - (uint32_t)first + 1;
  return (long)hk_below(distance, count) + first;
}

/* Flags, one path for each combination of the known ones; -1: there is another one among them. */
static inline long hk_flags(long flags, uint32_t known) {
  return hk_decide(((uint32_t)flags & ~known) != 0) ? -1 : (long)homi_concretize((uint32_t)flags & known);
}

/* The smaller one of a length that there is and the room for it. */
static inline uint64_t hk_at_most(uint64_t room, uint64_t length) {
  return hk_decide(room < length) ? homi_concretize(room) : length;
}

/* memory.c: whether there are mappings without any access, and whether the pointer is into one. */
extern int hk_guards;
int hk_is_guarded(const void *pointer);

/* A pointer that no program may pass: the first page is never mapped, and guard pages have no access. */
static inline int hk_bad(const void *pointer) { return (uintptr_t)pointer < PAGE || (hk_guards && hk_is_guarded(pointer)); }

#endif
