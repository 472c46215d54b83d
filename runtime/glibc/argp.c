/* argp: reading a command line by a tree of parsers. Options are found by getopt_long, whose messages these are; each parser sees
 * its own options, and arguments are offered to one after the other. */
#include "argp.h"
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern char *program_invocation_name, *program_invocation_short_name;

const char *argp_program_version, *argp_program_bug_address;
void (*argp_program_version_hook)(FILE *, struct argp_state *);
error_t argp_err_exit_status = 64;

enum { UNKNOWN = E2BIG, KEY_USAGE = -3, KEY_PROGRAM_NAME = -2, KEY_HANG = -4, GROUP_SHIFT = 24, MOST = 60 };

/* A parser of the tree, at a time of the walk from the root. */
struct group {
	const struct argp *argp;
	unsigned args_processed;
	int parent, child_index;
	void *input, **child_inputs, *hook;
};
struct parsing {
	struct argp_state state;
	struct group groups[MOST];
	int count, try_getopt;
	char *short_options;
	struct option *long_options;
	int long_count, short_length;
	/* Group of each short option's letter. */
	signed char owner[256];
};

static error_t standard(int key, char *word, struct argp_state *state)
{
	switch (key) {
	case '?': argp_state_help(state, state->out_stream, HELP_STD_HELP); break;
	case KEY_USAGE: argp_state_help(state, state->out_stream, HELP_USAGE | HELP_EXIT_OK); break;
	case KEY_PROGRAM_NAME:
		program_invocation_name = word;
		state->name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;
		program_invocation_short_name = state->name;
		if ((state->flags & (PARSE_ARGV0 | NO_ERRS)) == PARSE_ARGV0) state->argv[0] = word;
		break;
	case KEY_HANG: break;
	default: return UNKNOWN;
	}
	return 0;
}

static error_t version(int key, char *word, struct argp_state *state)
{
	if (key != 'V') return UNKNOWN;
	if (argp_program_version_hook) argp_program_version_hook(state->out_stream, state);
	else if (argp_program_version) fprintf(state->out_stream, "%s\n", argp_program_version);
	if (!(state->flags & NO_EXIT)) exit(0);
	return 0;
}

static const struct argp_option standard_options[] = {
	{"help", '?', 0, 0, "Give this help list", -1},
	{"usage", KEY_USAGE, 0, 0, "Give a short usage message", 0},
	{"program-name", KEY_PROGRAM_NAME, "NAME", OPTION_HIDDEN, "Set the program name", 0},
	{"HANG", KEY_HANG, "SECS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, "Hang for SECS seconds (default 3600)", 0},
	{0}
};
static const struct argp_option version_options[] = {{"version", 'V', 0, 0, "Print program version", -1}, {0}};
static const struct argp standard_argp = {standard_options, standard}, version_argp = {version_options, version};

static void add_options(struct parsing *parsing, const struct argp_option *option, int group)
{
	const struct argp_option *real = option;
	for (; option && !is_end(option); option++) {
		if (!(option->flags & OPTION_ALIAS)) real = option;
		if (option->flags & OPTION_DOC) continue;
		if (letter(option) && !parsing->owner[option->key]) {
			char *end = parsing->short_options + parsing->short_length;
			*end++ = (char)option->key;
			if (real->arg) *end++ = ':';
			if (real->arg && real->flags & OPTION_ARG_OPTIONAL) *end++ = ':';
			*end = 0;
			parsing->short_length = (int)(end - parsing->short_options);
			parsing->owner[option->key] = (signed char)(group + 1);
		}
		if (!option->name) continue;
		int known = 0;
		for (int i = 0; i < parsing->long_count; i++) known |= !strcmp(parsing->long_options[i].name, option->name);
		if (known) continue;
		struct option *place = &parsing->long_options[parsing->long_count++];
		place->name = option->name;
		place->has_arg = !real->arg ? no_argument : real->flags & OPTION_ARG_OPTIONAL ? optional_argument : required_argument;
		place->val = ((option->key ? option->key : real->key) & 0xffffff) | (group + 1) << GROUP_SHIFT;
	}
}

static int total_options(const struct argp *argp)
{
	int count = 0;
	for (const struct argp_option *option = argp->options; option && !is_end(option); option++) count++;
	for (const struct argp_child *child = argp->children; child && child->argp; child++) count += total_options(child->argp);
	return count;
}

static void add_group(struct parsing *parsing, const struct argp *argp, int parent, int child_index)
{
	int own = -1;
	if ((argp->options || argp->parser) && parsing->count < MOST) {
		own = parsing->count++;
		int children = 0;
		while (argp->children && argp->children[children].argp) children++;
		parsing->groups[own] = (struct group){.argp = argp, .parent = parent, .child_index = child_index,
			.child_inputs = children ? calloc(children, sizeof(void *)) : 0};
		add_options(parsing, argp->options, own);
		parent = own;
	}
	int index = own >= 0 ? 0 : child_index;
	for (const struct argp_child *child = argp->children; child && child->argp; child++) add_group(parsing, child->argp, parent, own >= 0 ? index++ : index);
}

static error_t call(struct parsing *parsing, struct group *group, int key, char *word)
{
	if (!group->argp->parser) return UNKNOWN;
	struct argp_state *state = &parsing->state;
	state->hook = group->hook, state->input = group->input, state->child_inputs = group->child_inputs;
	state->arg_num = group->args_processed;
	error_t error = group->argp->parser(key, word, state);
	group->hook = state->hook;
	return error;
}

static error_t start(struct parsing *parsing, void *input)
{
	error_t error = 0;
	if (parsing->count && parsing->groups[0].argp == parsing->state.root_argp) parsing->groups[0].input = input;
	for (int i = 0; i < parsing->count && (!error || error == UNKNOWN); i++) {
		struct group *group = &parsing->groups[i];
		if (group->parent >= 0) group->input = parsing->groups[group->parent].child_inputs[group->child_index];
		if (!group->argp->parser && group->argp->children && group->child_inputs) group->child_inputs[0] = group->input;
		error = call(parsing, group, KEY_INIT, 0);
	}
	return error == UNKNOWN ? 0 : error;
}

static error_t argument(struct parsing *parsing, char *word)
{
	int index = --parsing->state.next, key = KEY_ARG;
	error_t error = UNKNOWN;
	struct group *group = parsing->groups;
	for (; group < parsing->groups + parsing->count && error == UNKNOWN; group++) {
		parsing->state.next++;
		key = KEY_ARG;
		error = call(parsing, group, key, word);
		if (error != UNKNOWN) continue;
		parsing->state.next--;
		key = KEY_ARGS;
		error = call(parsing, group, key, 0);
	}
	if (error) return error;
	if (key == KEY_ARGS) parsing->state.next = parsing->state.argc;
	if (parsing->state.next > index) group[-1].args_processed += parsing->state.next - index;
	else parsing->try_getopt = 1;
	return 0;
}

static error_t option(struct parsing *parsing, int found, char *word)
{
	int owner = found >> GROUP_SHIFT ? found >> GROUP_SHIFT : parsing->owner[found & 255];
	/* The key's sign is in bit 23. */
	int key = found >> GROUP_SHIFT ? (int)((unsigned)found << 8) >> 8 : found;
	error_t error = owner ? call(parsing, &parsing->groups[owner - 1], key, word) : UNKNOWN;
	if (error == UNKNOWN) {
		static const char text[] = "(PROGRAM ERROR) Option should have been recognized!?";
		void argp_error(const struct argp_state *, const char *, ...);
		if (found >> GROUP_SHIFT) {
			const struct option *named = parsing->long_options;
			while (named->val != found && named->name) named++;
			argp_error(&parsing->state, "--%s: %s", named->name ? named->name : "???", text);
		} else argp_error(&parsing->state, "-%c: %s", found, text);
	}
	return error;
}

static error_t next(struct parsing *parsing, int *nobody_took_argument)
{
	struct argp_state *state = &parsing->state;
	int found = -1;
	if (state->quoted && state->next < state->quoted) state->quoted = 0;
	if (parsing->try_getopt && !state->quoted) {
		optind = state->next;
		optopt = -1;
		found = (state->flags & LONG_ONLY ? getopt_long_only : getopt_long)(state->argc, state->argv, parsing->short_options, parsing->long_options, 0);
		state->next = optind;
		if (found == -1) {
			parsing->try_getopt = 0;
			if (state->next > 1 && !strcmp(state->argv[state->next - 1], "--")) state->quoted = state->next;
		} else if (found == '?' && optopt != -1) {
			*nobody_took_argument = 0;
			return UNKNOWN;
		}
	}
	if (found == 1) return argument(parsing, optarg);
	if (found != -1) return option(parsing, found, optarg);
	if (state->next >= state->argc || state->flags & NO_ARGS) {
		*nobody_took_argument = 1;
		return UNKNOWN;
	}
	char *word = state->argv[state->next++];
	error_t error = argument(parsing, word);
	if (error == UNKNOWN) *nobody_took_argument = 1;
	return error;
}

static error_t finish(struct parsing *parsing, error_t error, int nobody_took_argument, int *end)
{
	struct argp_state *state = &parsing->state;
	struct group *first = parsing->groups, *last = first + parsing->count;
	if (error == UNKNOWN && nobody_took_argument) error = 0;
	if (!error && state->next == state->argc) {
		for (struct group *group = first; group < last && (!error || error == UNKNOWN); group++)
			if (!group->args_processed) error = call(parsing, group, KEY_NO_ARGS, 0);
		for (struct group *group = last - 1; group >= first && (!error || error == UNKNOWN); group--) error = call(parsing, group, KEY_END, 0);
		if (error == UNKNOWN) error = 0;
		if (end) *end = state->next;
	} else if (!error && end) *end = state->next;
	else if (!error) {
		if (!(state->flags & NO_ERRS) && state->err_stream) fprintf(state->err_stream, "%s: Too many arguments\n", state->name);
		error = UNKNOWN;
	}
	if (error) {
		if (error == UNKNOWN) argp_state_help(state, state->err_stream, HELP_STD_ERR);
		for (struct group *group = first; group < last; group++) call(parsing, group, KEY_ERROR, 0);
	} else {
		for (struct group *group = last - 1; group >= first && (!error || error == UNKNOWN); group--) error = call(parsing, group, KEY_SUCCESS, 0);
		if (error == UNKNOWN) error = 0;
	}
	for (struct group *group = last - 1; group >= first; group--) call(parsing, group, KEY_FINI, 0);
	return error == UNKNOWN ? EINVAL : error;
}

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input)
{
	struct argp_child children[4] = {{argp}};
	struct argp top = {.children = children};
	if (!(flags & NO_HELP)) {
		children[1].argp = &standard_argp;
		if (argp_program_version || argp_program_version_hook) children[2].argp = &version_argp;
		argp = &top;
	}
	int options = total_options(argp), unclaimed = 0;
	struct parsing *parsing = calloc(1, sizeof *parsing);
	if (!parsing) return ENOMEM;
	parsing->short_options = calloc(3, options + 2);
	parsing->long_options = calloc(options + 1, sizeof *parsing->long_options);
	if (!parsing->short_options || !parsing->long_options) return ENOMEM;
	if (flags & IN_ORDER) strcpy(parsing->short_options, "-"), parsing->short_length = 1;
	else if (flags & NO_ARGS) strcpy(parsing->short_options, "+"), parsing->short_length = 1;
	add_group(parsing, argp, -1, 0);
	if (parsing->count && parsing->groups[0].argp == children[0].argp) parsing->groups[0].input = input;
	parsing->try_getopt = 1;
	char *slash = argc > 0 ? strrchr(argv[0], '/') : 0;
	parsing->state = (struct argp_state){.root_argp = argp, .argc = argc, .argv = argv, .flags = flags, .next = flags & PARSE_ARGV0 ? 0 : 1,
		.err_stream = stderr, .out_stream = stdout, .pstate = parsing,
		.name = argc > 0 && !(flags & PARSE_ARGV0) ? (slash ? slash + 1 : argv[0]) : program_invocation_short_name};
	/* A new line, whatever getopt was in the middle of. */
	extern int __optreset;
	__optreset = 1;
	opterr = !(flags & NO_ERRS);
	error_t error = start(parsing, input);
	while (!error) error = next(parsing, &unclaimed);
	error = finish(parsing, error, unclaimed, end);
	for (int i = 0; i < parsing->count; i++) free(parsing->groups[i].child_inputs);
	free(parsing->short_options), free(parsing->long_options), free(parsing);
	return error;
}

void *__argp_input(const struct argp *argp, const struct argp_state *state)
{
	struct parsing *parsing = state ? state->pstate : 0;
	for (int i = 0; parsing && i < parsing->count; i++)
		if (parsing->groups[i].argp == argp) return parsing->groups[i].input;
	return 0;
}
void *_argp_input(const struct argp *, const struct argp_state *) __attribute__((alias("__argp_input")));

void argp_error(const struct argp_state *state, const char *format, ...)
{
	if (state && state->flags & NO_ERRS) return;
	FILE *stream = state ? state->err_stream : stderr;
	if (!stream) return;
	va_list list;
	va_start(list, format);
	fprintf(stream, "%s: ", state ? state->name : program_invocation_short_name);
	vfprintf(stream, format, list);
	fputc('\n', stream);
	va_end(list);
	argp_state_help(state, stream, HELP_STD_ERR);
}

void argp_failure(const struct argp_state *state, int status, int error, const char *format, ...)
{
	if (state && state->flags & NO_ERRS) return;
	FILE *stream = state ? state->err_stream : stderr;
	if (!stream) return;
	fprintf(stream, "%s", state ? state->name : program_invocation_short_name);
	if (format) {
		va_list list;
		va_start(list, format);
		fputs(": ", stream);
		vfprintf(stream, format, list);
		va_end(list);
	}
	if (error) fprintf(stream, ": %s", strerror(error));
	fputc('\n', stream);
	if (status && (!state || !(state->flags & NO_EXIT))) exit(status);
}

void argp_usage(const struct argp_state *state) { argp_state_help(state, stderr, HELP_SHORT_USAGE | HELP_SEE | HELP_EXIT_ERR); }
