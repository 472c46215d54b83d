/* The symbolic options among a program's arguments: each is replaced by what it stands for.
 *
 *   --sym-arg N             one argument of at most N symbolic characters
 *   --sym-args MIN MAX N    MIN to MAX of them
 *   --sym-files NUM N       files A, B, ... of N symbolic bytes in the first directory
 *   --sym-file PATH N       the same for any name
 *   --sym-stdin N           standard input of N symbolic bytes
 *   --sym-stdout            standard output is a symbolic file
 *   --sym-env NAME N        an environment variable of at most N symbolic characters
 *   --sym-env NAME=VALUE    one with this value
 *   --max-fail N, --fd-fail any N calls, or one, fail with an I/O error
 *   --save-all-writes, --bout-file F  accepted and ignored: files always keep what is written
 * One dash or two. All other arguments are the program's own, "--" and "--help" among them. Symbolic
 * objects come into being in the order of the options: arguments here, files in start.c. */
#include "internal.h"

enum { ARGUMENT_LIMIT = 1024, SYMBOLIC_LIMIT = 100 };

struct expansion {
  char **argv;
  int argc;
  int symbolic; /* arguments made so far, for their names */
};

/* A decimal number from min to max. */
static long number(const char *text, long min, long max, const char *usage) {
  long value = 0;
  if (!*text) hk_user_error(usage);
  for (; *text; text++) {
    if (*text < '0' || *text > '9' || value > max) hk_user_error(usage);
    value = value * 10 + (*text - '0');
  }
  if (value < min || value > max) hk_user_error(usage);
  return value;
}

/* "name" behind one dash or two. */
static int is_option(const char *argument, const char *name) {
  if (argument[0] != '-') return 0;
  argument += argument[1] == '-' ? 2 : 1;
  return strcmp(argument, name) == 0;
}

static void add(struct expansion *expansion, char *argument) {
  if (expansion->argc >= ARGUMENT_LIMIT) hk_user_error("more than 1024 arguments");
  expansion->argv[expansion->argc++] = argument;
}

/* Memory that the program gets at its start is not a heap block: freeing it is a bug. */
static void *of_the_start(void *memory) {
  klee_mark_global(memory);
  return memory;
}

/* N symbolic characters and a NUL that is set afterwards, so that the object has N + 1 bytes. */
static char *symbolic_string(long n, const char *name) {
  char *text = malloc((unsigned long)n + 1);
  long i;
  klee_make_symbolic(text, (unsigned long)n + 1, name);
  for (i = 0; i < n; i++) klee_posix_prefer_cex(text, (text[i] >= 32) & (text[i] <= 126));
  text[n] = 0;
  return text;
}

static void add_symbolic(struct expansion *expansion, long n) {
  char name[] = "arg00";
  if (expansion->symbolic >= SYMBOLIC_LIMIT) hk_user_error("No more than 100 symbolic arguments allowed.");
  name[3] = (char)('0' + expansion->symbolic / 10);
  name[4] = (char)('0' + expansion->symbolic % 10);
  expansion->symbolic++;
  add(expansion, of_the_start(symbolic_string(n, name)));
}

/* `text`, which is NAME=value with `length` bytes of name, in front of the environment; a variable of that name goes. */
static char **put_variable(char **envp, char *text, unsigned long length) {
  unsigned count = 0, i, kept = 1;
  char **grown;
  while (envp[count]) count++;
  grown = of_the_start(malloc((count + 2) * sizeof *grown));
  grown[0] = text;
  for (i = 0; i < count; i++) {
    unsigned long j = 0;
    while (j < length && envp[i][j] == text[j]) j++;
    if (j < length || envp[i][length] != '=') grown[kept++] = envp[i];
  }
  grown[kept] = 0;
  return grown;
}

static char **add_variable(char **envp, const char *name, long n) {
  unsigned long length = strlen(name);
  char *text = of_the_start(malloc(length + (unsigned long)n + 2)), *value = symbolic_string(n, name);
  memcpy(text, name, length);
  text[length] = '=';
  memcpy(text + length + 1, value, (unsigned long)n + 1);
  free(value);
  return put_variable(envp, text, length);
}

/* Bytes of the name in NAME=VALUE; 0 if it is none. */
static unsigned long name_length(const char *text) {
  unsigned long length = 0;
  while (text[length] && text[length] != '=') length++;
  return text[length] ? length : 0;
}

static const char sym_arg[] = "--sym-arg expects the greatest length of the argument: --sym-arg N";
static const char sym_args[] = "--sym-args expects three numbers: --sym-args MIN MAX N";
static const char range[] = "Invalid range to --sym-args: MIN <= MAX and MAX > 0 in --sym-args MIN MAX N";
static const char sym_files[] = "--sym-files expects a number of files (at most 26) and their size: --sym-files NUM N";
static const char no_files[] = "The first argument to --sym-files (number of files) cannot be 0";
static const char no_bytes[] = "The second argument to --sym-files (file size) cannot be 0";
static const char sym_file[] = "--sym-file expects a path and a size: --sym-file PATH N";
static const char sym_stdin[] = "--sym-stdin expects a size: --sym-stdin N";
static const char sym_env[] = "--sym-env expects a name and the greatest length of its value, or the value: "
                              "--sym-env NAME N, --sym-env NAME=VALUE";
static const char max_fail[] = "--max-fail expects the number of calls that may fail: --max-fail N";
static const char bout_file[] = "--bout-file expects a file: --bout-file F";

/* Handles the option at argv[0], with `left` arguments after it: how many it took, or -1 if it is none. */
static int option(struct expansion *expansion, char **argv, int left, char ***envp, struct symbolic_options *options) {
  const long size_limit = 1 << 30;
  if (is_option(argv[0], "sym-arg")) {
    if (left < 1) hk_user_error(sym_arg);
    add_symbolic(expansion, number(argv[1], 1, size_limit, sym_arg));
    return 1;
  }
  if (is_option(argv[0], "sym-args")) {
    int count, i;
    if (left < 3) hk_user_error(sym_args);
    long min = number(argv[1], 0, SYMBOLIC_LIMIT, sym_args), max = number(argv[2], 0, SYMBOLIC_LIMIT, sym_args);
    long n = number(argv[3], 1, size_limit, sym_args);
    if (min > max || max == 0) hk_user_error(range);
    count = hk_symbolic_range((int)min, (int)max + 1, "n_args");
    for (i = 0; i < count; i++) add_symbolic(expansion, n);
    return 3;
  }
  if (is_option(argv[0], "sym-files")) {
    if (left < 2) hk_user_error(sym_files);
    if (options->letters) hk_user_error("Multiple --sym-files are not allowed");
    options->letters = (unsigned)number(argv[1], 0, 26, sym_files);
    options->letter_size = (uint64_t)number(argv[2], 0, size_limit, sym_files);
    if (options->letters == 0) hk_user_error(no_files);
    if (options->letter_size == 0) hk_user_error(no_bytes);
    return 2;
  }
  if (is_option(argv[0], "sym-file")) {
    if (left < 2) hk_user_error(sym_file);
    if (options->named_count == sizeof options->named / sizeof options->named[0])
      hk_user_error("--sym-file may be given at most 64 times");
    options->named[options->named_count].path = argv[1];
    options->named[options->named_count++].size = (uint64_t)number(argv[2], 1, size_limit, sym_file);
    return 2;
  }
  if (is_option(argv[0], "sym-stdin")) {
    if (left < 1) hk_user_error(sym_stdin);
    options->stdin_size = (uint64_t)number(argv[1], 1, size_limit, sym_stdin);
    return 1;
  }
  if (is_option(argv[0], "sym-stdout")) {
    options->symbolic_stdout = 1;
    return 0;
  }
  if (is_option(argv[0], "sym-env")) {
    unsigned long length = left < 1 ? 0 : name_length(argv[1]);
    if (length > 0) {
      *envp = put_variable(*envp, argv[1], length);
      return 1;
    }
    if (left < 2) hk_user_error(sym_env);
    *envp = add_variable(*envp, argv[1], number(argv[2], 1, size_limit, sym_env));
    return 2;
  }
  if (is_option(argv[0], "save-all-writes")) return 0;
  if (is_option(argv[0], "fd-fail")) {
    options->failures = 1;
    return 0;
  }
  if (is_option(argv[0], "max-fail")) {
    if (left < 1) hk_user_error(max_fail);
    options->failures = (int)number(argv[1], 0, 1 << 20, max_fail);
    return 1;
  }
  if (is_option(argv[0], "bout-file")) {
    if (left < 1) hk_user_error(bout_file);
    return 1;
  }
  return -1;
}

/* Replaces argv (argv[0] stays) and fills `options`. */
void hk_expand_arguments(int *argc, char ***argv, char ***envp, struct symbolic_options *options) {
  struct expansion expansion = {malloc((ARGUMENT_LIMIT + 1) * sizeof(char *)), 0, 0};
  char **result;
  int i;
  for (i = 0; i < *argc; i++) {
    int taken = i == 0 ? -1 : option(&expansion, *argv + i, *argc - i - 1, envp, options);
    if (taken < 0)
      add(&expansion, (*argv)[i]);
    else
      i += taken;
  }
  result = of_the_start(malloc(((unsigned)expansion.argc + 1) * sizeof(char *)));
  memcpy(result, expansion.argv, (unsigned)expansion.argc * sizeof(char *));
  result[expansion.argc] = 0;
  free(expansion.argv);
  *argc = expansion.argc;
  *argv = result;
}
