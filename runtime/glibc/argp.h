/* Declarations of glibc's <argp.h>, for glibc/argp.c and glibc/argp_help.c. */
#ifndef HOMI_ARGP_H
#define HOMI_ARGP_H
#include <ctype.h>
#include <stdio.h>

typedef int error_t;
struct argp_state;

struct argp_option {
	const char *name;
	int key;
	const char *arg;
	int flags;
	const char *doc;
	int group;
};
enum { OPTION_ARG_OPTIONAL = 1, OPTION_HIDDEN = 2, OPTION_ALIAS = 4, OPTION_DOC = 8, OPTION_NO_USAGE = 16 };

static inline int is_end(const struct argp_option *option) { return !option->key && !option->name && !option->doc && !option->group; }
/* The letter of a short option; 0 for any other. */
static inline int letter(const struct argp_option *option)
{
	return !(option->flags & OPTION_DOC) && option->key > 0 && option->key < 256 && isprint(option->key) ? option->key : 0;
}

struct argp {
	const struct argp_option *options;
	error_t (*parser)(int, char *, struct argp_state *);
	const char *args_doc, *doc;
	const struct argp_child *children;
	char *(*help_filter)(int, const char *, void *);
	const char *argp_domain;
};
struct argp_child {
	const struct argp *argp;
	int flags;
	const char *header;
	int group;
};
struct argp_state {
	const struct argp *root_argp;
	int argc;
	char **argv;
	int next;
	unsigned flags, arg_num;
	int quoted;
	void *input, **child_inputs, *hook;
	char *name;
	FILE *err_stream, *out_stream;
	void *pstate;
};

enum {
	KEY_ARG = 0, KEY_END = 0x1000001, KEY_NO_ARGS, KEY_INIT, KEY_SUCCESS, KEY_ERROR, KEY_ARGS, KEY_FINI,
	KEY_HELP_PRE_DOC = 0x2000001, KEY_HELP_POST_DOC, KEY_HELP_HEADER, KEY_HELP_EXTRA, KEY_HELP_DUP_ARGS_NOTE, KEY_HELP_ARGS_DOC
};
enum { PARSE_ARGV0 = 1, NO_ERRS = 2, NO_ARGS = 4, IN_ORDER = 8, NO_HELP = 16, NO_EXIT = 32, LONG_ONLY = 64 };
enum {
	HELP_USAGE = 1, HELP_SHORT_USAGE = 2, HELP_SEE = 4, HELP_LONG = 8, HELP_PRE_DOC = 16, HELP_POST_DOC = 32, HELP_BUG_ADDR = 64,
	HELP_LONG_ONLY = 128, HELP_EXIT_ERR = 256, HELP_EXIT_OK = 512,
	HELP_STD_ERR = HELP_SEE | HELP_EXIT_ERR,
	HELP_STD_HELP = HELP_SHORT_USAGE | HELP_LONG | HELP_EXIT_OK | HELP_PRE_DOC | HELP_POST_DOC | HELP_BUG_ADDR
};

extern const char *argp_program_version, *argp_program_bug_address;
extern void (*argp_program_version_hook)(FILE *, struct argp_state *);
extern error_t argp_err_exit_status;

void argp_help(const struct argp *, FILE *, unsigned, char *);
void argp_state_help(const struct argp_state *, FILE *, unsigned);
#endif
