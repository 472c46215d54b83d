/* Start of a process: its files, its descriptors 0, 1, 2 and the call of libc's start. */
#include "internal.h"

/* As a shell starts it: leader of a group, in the shell's session. */
struct kernel hk = {.process = PROCESS_ID, .parent = PARENT_ID, .group = PROCESS_ID, .session = PARENT_ID};

void hk_user_error(const char *message) { klee_report_error(__FILE__, __LINE__, message, "user.err"); }

enum { INPUT_NONE, INPUT_FILE, INPUT_STREAM };

static int has_input_at(uint64_t offset) {
  char byte;
  return homi_stdin_read(&byte, 1, offset) == 1;
}

/* The size of an input file, found with few calls: grow by doubling, then halve the interval. */
static uint64_t input_size(void) {
  uint64_t low = 0, high = 1;
  while (has_input_at(high - 1)) {
    low = high;
    high *= 2;
  }
  while (low + 1 < high) {
    uint64_t middle = low + (high - low) / 2;
    if (has_input_at(middle - 1))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* A file is a regular file; a stream is a pipe, of which nothing is read before the program reads, for it may never
 * bring anything; nothing is /dev/null. */
static struct inode *concrete_stdin(void) {
  struct inode *inode;
  char nothing;
  long kind = homi_stdin_read(&nothing, 0, 0);
  if (kind == INPUT_FILE) {
    uint64_t size = input_size();
    inode = hk_new_inode(&hk_input_file, S_IFREG | 0644);
    inode->stat->st_size = (int64_t)size;
    inode->stat->st_blocks = (int64_t)((size + 4095) / 4096 * 8);
    return inode;
  }
  if (kind == INPUT_STREAM) return hk_new_inode(&hk_input_stream, S_IFIFO | 0600);
  inode = hk_new_inode(&hk_null_device, S_IFCHR | 0666);
  inode->stat->st_rdev = 1 << 8 | 3;
  return inode;
}

/* The terminal's end of a pipe, where a test runner would be. Its inode number is always the same, because a symbolic
 * stream may have been made equal to it. */
static struct inode *concrete_output(int stream) {
  struct inode *inode = hk_new_inode(&hk_output, S_IFIFO | 0600);
  inode->stat->st_dev = PIPES;
  inode->stat->st_ino = 16 + (uint64_t)stream;
  inode->stream = stream;
  return inode;
}

static void add_named_file(const char *path, uint64_t size, const struct kernel_stat *defaults) {
  struct place place;
  unsigned long n = strlen(path);
  char *object = malloc(n + 6);
  struct inode *inode;
  memcpy(object, path, n);
  memcpy(object + n, "_data", 6);
  if (hk_walk(AT_FDCWD, path, WALK_CREATE, &place) < 0 || !place.directory || place.length == 0)
    hk_user_error("--sym-file: the directory of this file does not exist");
  inode = hk_symbolic_file(object, size, defaults);
  free(object);
  hk_add_entry(place.directory, place.name, place.length, inode);
}

/* KLEE's A, B, ...: the objects are called A_data and A_data_stat. */
static void add_letter_files(const struct symbolic_options *options, const struct kernel_stat *defaults) {
  unsigned i;
  hk.letters = options->letters;
  hk.letter_home = hk.cwd;
  for (i = 0; i < options->letters; i++) {
    char path[2] = {(char)('A' + i), 0};
    add_named_file(path, options->letter_size, defaults);
  }
}

void hk_initialise(const struct symbolic_options *options) {
  const struct kernel_stat *defaults;
  struct inode *in, *out;
  unsigned i;
  hk.umask = 022;
  hk.process += (int)homi_variation();
  hk.group += (int)homi_variation();
  hk_start_threads();
  hk.device = DISK;
  hk.next_inode = 1u << 20;
  hk_initialise_tree();
  hk.first_directory = hk.cwd;
  defaults = hk_stat_of(hk.cwd);
  add_letter_files(options, defaults);
  for (i = 0; i < options->named_count; i++)
    add_named_file(options->named[i].path, options->named[i].size, defaults);
  in = options->stdin_size ? hk_symbolic_file("stdin", options->stdin_size, defaults) : concrete_stdin();
  hk_make_failures(options->failures);
  out = options->symbolic_stdout ? hk_symbolic_file("stdout", 1024, defaults) : concrete_output(1);
  /* No directory is open for writing. */
  if (options->symbolic_stdout) klee_assume((out->stat->st_mode & S_IFMT) != S_IFDIR);
  if (options->symbolic_stdout && homi_predicts()) hk.shown_output = out;
  hk_install(hk_new_file(in, O_RDONLY), 0, 0);
  hk_install(hk_new_file(out, O_WRONLY), 1, 0);
  hk_install(hk_new_file(concrete_output(2), O_WRONLY), 2, 0);
}

int __homi_start(int (*main)(int, char **, char **), int argc, char **argv, char **envp);
int __homi_entry(int (*main)(int, char **, char **), int argc, char **argv, char **envp);
void __homi_expand_arguments(int *argc, char ***argv);

/* Entry of a program with libc. */
int __homi_entry(int (*main)(int, char **, char **), int argc, char **argv, char **envp) {
  struct symbolic_options options;
  memset(&options, 0, sizeof options);
  hk_expand_arguments(&argc, &argv, &envp, &options);
  hk_initialise(&options);
  return __homi_start(main, argc, argv, envp);
}

/* Entry of a program without libc; replaces argc and argv. */
void __homi_expand_arguments(int *argc, char ***argv) {
  struct symbolic_options options;
  char *nothing = 0, **envp = &nothing;
  memset(&options, 0, sizeof options);
  hk_expand_arguments(argc, argv, &envp, &options);
  hk_initialise(&options);
}
