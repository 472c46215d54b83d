/* Operations of the kinds of files, for system calls on their descriptors. Each kind has one `struct file_operations`, in the
 * file that implements the kind; the code that makes an inode refers to it, so a program that cannot make a kind is loaded
 * without its code.
 *
 * The comment of a member names its default. */
#ifndef HOMI_KERNEL_OPERATIONS_H
#define HOMI_KERNEL_OPERATIONS_H

/* Kinds of inodes, for who has to know what a file is. What it does is asked of its operations. */
enum inode_kind {
  INODE_REGULAR,   /* bytes in `data`, or still at `host_path` */
  INODE_SYMBOLIC,  /* symbolic bytes and a symbolic stat, except for the size */
  INODE_DIRECTORY,
  INODE_LINK,      /* `target`, or still at `host_path` */
  INODE_PIPE,      /* pipe or fifo: `data` holds what was written and not yet read */
  INODE_INPUT,     /* concrete standard input */
  INODE_OUTPUT,    /* concrete standard output (stream 1) or error (stream 2) */
  INODE_NULL, INODE_ZERO, INODE_FULL, INODE_RANDOM,
  INODE_TERMINAL,  /* /dev/tty of a process that has none */
  INODE_OTHER,     /* a device or socket that cannot be opened */
  /* Descriptors without a file; `object` is what their file says. */
  INODE_EVENT,     /* eventfd */
  INODE_TIMER,     /* timerfd */
  INODE_SIGNALS,   /* signalfd */
  INODE_EPOLL,
  INODE_QUEUE,     /* POSIX message queue */
  INODE_SOCKET,    /* one end of a pair */
  INODE_NOTIFY     /* inotify */
};

/* Effect of mmap on a file: an error, a mapping of a copy, or a mapping of the file. */
enum mapping_of_file { MAPS_NOTHING, MAPS_A_COPY, MAPS_THE_FILE };

struct inode;
struct open_file;
struct io_vector;

struct file_operations {
  enum inode_kind kind;
  int is_seekable;               /* it has places that pread and pwrite go to */
  int is_shared;                 /* a child process notices who else has it open: ends of pipes and sockets */
  int refuses_sync;              /* fsync is an error */
  enum mapping_of_file mapping;
  long open_error;               /* what open answers; 0: it can be opened */
  const char *link;              /* what /proc/self/fd says it is; left out: "/unknown" */

  /* Pointers were checked by hk_bad. Left out: -EBADF. */
  long (*read)(struct open_file *file, void *buffer, uint64_t n, uint64_t offset);
  long (*write)(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset);
  /* All parts of a readv or writev at once. Left out: one after the other. */
  long (*read_parts)(struct open_file *file, const struct io_vector *parts, long count);
  long (*write_parts)(struct open_file *file, const struct io_vector *parts, long count);
  /* True if another part would have to wait. Left out: no. */
  int (*is_drained)(const struct inode *inode);
  /* lseek. Left out: -ESPIPE. */
  int64_t (*seek)(struct open_file *file, int64_t offset, long whence);

  /* The events of poll that hold now. Left out: all can be read and written. */
  int (*events)(const struct open_file *file);
  /* When it becomes ready by itself. Left out: never (0). */
  uint64_t (*next_expiry)(const struct open_file *file);
  /* Number of times that it became ready without a call of hk_wake. Left out: 0. */
  uint64_t (*arrivals)(const struct inode *inode);
  /* True if epoll refuses it, for it is always ready. Left out: no. */
  int (*is_always_ready)(const struct inode *inode);

  /* The bytes that FIONREAD tells. Left out: -ENOTTY. */
  int64_t (*available)(const struct open_file *file);
  /* Requests of a terminal. Left out: -ENOTTY. */
  long (*control)(struct open_file *file, uint32_t request, void *argument);

  /* There is one open file description more or less; the inode's `opens` says how many. Left out: nothing. */
  void (*opened)(struct open_file *file);
  void (*closed)(struct open_file *file);
};

extern const struct file_operations hk_regular_file, hk_symbolic_contents, hk_directory, hk_link_file, hk_input_file,
    hk_input_stream, hk_output, hk_no_terminal, hk_other_file; /* files.c */
extern const struct file_operations hk_null_device, hk_zero_device, hk_full_device, hk_random_device; /* devices.c */
extern const struct file_operations hk_pipe_ends; /* pipe.c */

/* Operations of several kinds. */
int64_t hk_seek_by_size(struct open_file *file, int64_t offset, long whence);
int64_t hk_seek_nowhere(struct open_file *file, int64_t offset, long whence);
long hk_refuse_read(struct open_file *file, void *buffer, uint64_t n, uint64_t offset);
long hk_refuse_write(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset);
int hk_is_always_ready(const struct inode *inode);

#endif
