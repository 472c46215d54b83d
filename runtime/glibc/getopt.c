/* getopt, getopt_long and getopt_long_only with glibc's behavior and messages: arguments that are not options are
 * moved behind the options while scanning (unless the option string starts with '+' or '-' or POSIXLY_CORRECT is
 * set), long names may be shortened while unambiguous, and the messages read as glibc's, since programs' standard
 * error is compared with the native run.
 *
 * The words argv[first_skipped .. past_skipped) are arguments that were passed over; optind is past them. When the
 * next option is found they are moved behind it, lazily, so that a scan that ends early leaves argv as glibc does. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
/* Known to musl's own callers and to BSD programs. */
int __optpos, __optreset;
extern int optreset __attribute__((__weak__, __alias__("__optreset")));

enum order { PERMUTE, STOP_AT_ARGUMENT, RETURN_IN_ORDER };

static struct {
	int started;
	enum order order;
	char *next_letter; /* the rest of a word of short options, or null */
	int first_skipped, past_skipped;
} scan;

/* Moves the skipped words behind the options that were read since, and keeps both groups' order. */
static void move_skipped(char **argv)
{
	int options = optind - scan.past_skipped;
	for (int moved = 0; moved < options; moved++) {
		char *option = argv[scan.past_skipped + moved];
		for (int at = scan.past_skipped + moved; at > scan.first_skipped + moved; at--) argv[at] = argv[at - 1];
		argv[scan.first_skipped + moved] = option;
	}
	scan.first_skipped += options;
	scan.past_skipped = optind;
}

static void start(const char *letters, int posixly_correct)
{
	if (optind == 0) optind = 1;
	scan.first_skipped = scan.past_skipped = optind;
	scan.next_letter = 0;
	if (letters[0] == '-') scan.order = RETURN_IN_ORDER;
	else if (letters[0] == '+' || posixly_correct || getenv("POSIXLY_CORRECT")) scan.order = STOP_AT_ARGUMENT;
	else scan.order = PERMUTE;
	scan.started = 1;
}

static int is_argument(const char *word)
{
	return word[0] != '-' || word[1] == '\0';
}

/* True if `name` (up to length) abbreviates the option or is its whole name. */
static int abbreviates(const struct option *option, const char *name, size_t length)
{
	return !strncmp(option->name, name, length);
}

static int same_effect(const struct option *a, const struct option *b)
{
	return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void report_ambiguity(char **argv, const struct option *options, const char *name, size_t length,
	const char *prefix, const struct option *first, int long_only)
{
	fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv[0], prefix, name);
	for (const struct option *o = options; o->name; o++)
		if (abbreviates(o, name, length) && (o == first || long_only || !same_effect(o, first)))
			fprintf(stderr, " '%s%s'", prefix, o->name);
	fputc('\n', stderr);
}

/* The word at optind is prefix + name. -1: no such long option, and it may be a word of short ones. */
static int long_option(int argc, char **argv, const char *letters, const struct option *options, int *index,
	int long_only, int quiet, const char *prefix, char *name, int maybe_short)
{
	const struct option *found = 0;
	size_t length = 0;
	int ambiguous = 0;

	while (name[length] && name[length] != '=') length++;
	for (const struct option *o = options; o->name; o++) {
		if (!abbreviates(o, name, length)) continue;
		if (o->name[length] == '\0') {
			found = o;
			ambiguous = 0;
			break;
		}
		if (!found) found = o;
		else if (long_only || !same_effect(found, o)) ambiguous = 1;
	}
	if (ambiguous) {
		if (!quiet) report_ambiguity(argv, options, name, length, prefix, found, long_only);
		scan.next_letter = 0;
		optind++;
		optopt = 0;
		return '?';
	}
	if (!found) {
		if (maybe_short) return -1;
		if (!quiet) fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], prefix, name);
		scan.next_letter = 0;
		optind++;
		optopt = 0;
		return '?';
	}

	scan.next_letter = 0;
	optind++;
	if (name[length] == '=') {
		if (found->has_arg == no_argument) {
			if (!quiet) fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], prefix, found->name);
			optopt = found->val;
			return '?';
		}
		optarg = name + length + 1;
	} else if (found->has_arg == required_argument) {
		if (optind >= argc) {
			if (!quiet) fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], prefix, found->name);
			optopt = found->val;
			return letters[0] == ':' ? ':' : '?';
		}
		optarg = argv[optind++];
	}
	if (index) *index = found - options;
	if (found->flag) {
		*found->flag = found->val;
		return 0;
	}
	return found->val;
}

/* The next letter of a word of short options. */
static int short_option(int argc, char **argv, const char *letters, const struct option *options, int *index,
	int long_only, int quiet)
{
	int letter = (unsigned char)*scan.next_letter++;
	const char *known = letter == ':' || letter == ';' ? 0 : strchr(letters, letter);

	if (*scan.next_letter == '\0') optind++;
	if (!known) {
		if (!quiet) fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
		optopt = letter;
		return '?';
	}
	/* "W;": -W foo stands for --foo. */
	if (known[0] == 'W' && known[1] == ';' && options) {
		char *name = scan.next_letter;
		if (*name == '\0') {
			if (optind == argc) {
				if (!quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
				optopt = letter;
				return letters[0] == ':' ? ':' : '?';
			}
			name = argv[optind];
		}
		optarg = 0;
		return long_option(argc, argv, letters, options, index, 0, quiet, "-W ", name, 0);
	}
	if (known[1] != ':') return letter;
	if (*scan.next_letter != '\0') {
		optarg = scan.next_letter;
		optind++;
	} else if (known[2] == ':') {
		optarg = 0;
	} else if (optind == argc) {
		if (!quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
		optopt = letter;
		letter = letters[0] == ':' ? ':' : '?';
	} else {
		optarg = argv[optind++];
	}
	scan.next_letter = 0;
	return letter;
}

static int next_option(int argc, char **argv, const char *letters, const struct option *options, int *index,
	int long_only, int posixly_correct)
{
	if (argc < 1) return -1;
	optarg = 0;
	if (optind == 0 || !scan.started || __optreset) {
		__optreset = 0;
		if (!scan.started) optopt = 0;
		start(letters, posixly_correct);
	}
	if (letters[0] == '-' || letters[0] == '+') letters++;
	int quiet = !opterr || letters[0] == ':';

	if (scan.next_letter && *scan.next_letter)
		return short_option(argc, argv, letters, options, index, long_only, quiet);

	/* A caller may have moved optind back. */
	if (scan.past_skipped > optind) scan.past_skipped = optind;
	if (scan.first_skipped > optind) scan.first_skipped = optind;

	if (scan.order == PERMUTE) {
		if (scan.first_skipped != scan.past_skipped && scan.past_skipped != optind) move_skipped(argv);
		else if (scan.past_skipped != optind) scan.first_skipped = optind;
		while (optind < argc && is_argument(argv[optind])) optind++;
		scan.past_skipped = optind;
	}
	/* "--" ends the options; all that was skipped and all that follows are arguments. */
	if (optind != argc && !strcmp(argv[optind], "--")) {
		optind++;
		if (scan.first_skipped != scan.past_skipped && scan.past_skipped != optind) move_skipped(argv);
		else if (scan.first_skipped == scan.past_skipped) scan.first_skipped = optind;
		scan.past_skipped = argc;
		optind = argc;
	}
	if (optind == argc) {
		if (scan.first_skipped != scan.past_skipped) optind = scan.first_skipped;
		return -1;
	}

	char *word = argv[optind];
	if (is_argument(word)) {
		if (scan.order == STOP_AT_ARGUMENT) return -1;
		optarg = word;
		optind++;
		return 1;
	}
	if (options) {
		if (word[1] == '-')
			return long_option(argc, argv, letters, options, index, long_only, quiet, "--", word + 2, 0);
		/* -foo under long_only: a long option unless it can only be a short one. */
		if (long_only && (word[2] || !strchr(letters, word[1]))) {
			int code = long_option(argc, argv, letters, options, index, long_only, quiet, "-", word + 1,
				strchr(letters, word[1]) != 0);
			if (code != -1) return code;
		}
	}
	scan.next_letter = word + 1;
	return short_option(argc, argv, letters, options, index, long_only, quiet);
}

int getopt(int argc, char *const *argv, const char *letters)
{
	return next_option(argc, (char **)argv, letters, 0, 0, 0, 0);
}

/* getopt of a program compiled for strict POSIX: the first argument ends the options. */
int __posix_getopt(int argc, char *const *argv, const char *letters)
{
	return next_option(argc, (char **)argv, letters, 0, 0, 0, 1);
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options, int *index)
{
	return next_option(argc, (char **)argv, letters, options, index, 0, 0);
}

int getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *options, int *index)
{
	return next_option(argc, (char **)argv, letters, options, index, 1, 0);
}
