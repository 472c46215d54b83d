/* argp: help texts in glibc's layout. Options stand at columns 2 and 6, what they do at 29, lines end before column 79. */
#include "argp.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHORT_COLUMN = 2, LONG_COLUMN = 6, DOC_COLUMN = 2, TEXT_COLUMN = 29, HEADER_COLUMN = 1, USAGE_INDENT = 12, RIGHT = 79 };

/* A text being laid out: words go to the next line, at `left`, when they do not fit. */
struct page {
	FILE *stream;
	int column, left;
};

static void newline(struct page *page) { fputc('\n', page->stream), page->column = 0; }
static void indent(struct page *page, int column)
{
	for (; page->column < column; page->column++) fputc(' ', page->stream);
}

/* Text as it is, without breaks. */
static void put(struct page *page, const char *text, size_t length)
{
	fwrite(text, 1, length, page->stream);
	page->column += (int)length;
}

/* Words with breaks; each line of the text is one of its own. */
static void wrap(struct page *page, const char *text, size_t length)
{
	const char *end = text + length;
	while (text < end) {
		if (*text == '\n') {
			newline(page);
			text++;
			continue;
		}
		if (page->column < page->left) indent(page, page->left);
		const char *blank = text;
		while (blank < end && isblank((unsigned char)*blank)) blank++;
		const char *word = blank;
		while (word < end && !isspace((unsigned char)*word)) word++;
		if (blank > text && page->column > page->left && page->column + (word - text) >= RIGHT) {
			newline(page);
			indent(page, page->left);
			text = blank;
		}
		put(page, text, word - text);
		text = word;
	}
}

/* A space, or a new line if what follows would not fit. */
static void space(struct page *page, size_t ensure)
{
	if (page->column + (int)ensure >= RIGHT) newline(page), indent(page, page->left);
	else put(page, " ", 1);
}

/* A group of children with a heading. */
struct cluster {
	const char *header;
	int index, group, depth;
	const struct argp *argp;
	struct cluster *parent;
};
/* An option with its aliases. */
struct item {
	const struct argp_option *option;
	int count, group, order;
	const struct argp *argp;
	struct cluster *cluster;
};
struct list {
	struct item *items;
	int count, clusters;
	const struct argp_state *state;
};

static int is_visible(const struct argp_option *option) { return !(option->flags & OPTION_HIDDEN); }

/* True if an earlier option has the letter or name already. */
static int is_shadowed(const struct list *list, const struct argp_option *option, int by_letter)
{
	for (int i = 0; i < list->count; i++)
		for (int k = 0; k < list->items[i].count; k++) {
			const struct argp_option *other = &list->items[i].option[k];
			if (other == option) return 0;
			if (by_letter ? letter(other) && letter(other) == letter(option) : other->name && option->name && !(other->flags & OPTION_DOC) && !strcmp(other->name, option->name)) return 1;
		}
	return 0;
}

static void collect(struct list *list, const struct argp *argp, struct cluster *cluster)
{
	int group = 0;
	for (const struct argp_option *option = argp->options; option && !is_end(option); option++) {
		if (option->flags & OPTION_ALIAS && list->count) {
			list->items[list->count - 1].count++;
			continue;
		}
		if (option->group) group = option->group;
		else if (!option->name && !option->key) group++;
		list->items = realloc(list->items, (list->count + 1) * sizeof(struct item));
		list->items[list->count] = (struct item){option, 1, group, list->count, argp, cluster};
		list->count++;
	}
	for (const struct argp_child *child = argp->children; child && child->argp; child++) {
		struct cluster *own = cluster;
		if (child->group || child->header) {
			own = calloc(1, sizeof *own);
			*own = (struct cluster){child->header, list->clusters++, child->group, cluster ? cluster->depth + 1 : 0, argp, cluster};
		}
		collect(list, child->argp, own);
	}
}

/* Groups ascend from 0, negative ones are last. */
static int compare_groups(int a, int b, int otherwise)
{
	if (a == b) return otherwise;
	return (a < 0) == (b < 0) ? a - b : b - a;
}

static int compare_clusters(const struct cluster *a, const struct cluster *b)
{
	while (a->depth > b->depth) a = a->parent;
	while (b->depth > a->depth) b = b->parent;
	if (a == b) return 0;
	while (a->parent != b->parent) a = a->parent, b = b->parent;
	return compare_groups(a->group, b->group, a->index - b->index);
}

static int first_letter(const struct item *item)
{
	for (int i = 0; i < item->count; i++)
		if (letter(&item->option[i]) && is_visible(&item->option[i])) return letter(&item->option[i]);
	return 0;
}
static const char *first_name(const struct item *item)
{
	for (int i = 0; i < item->count; i++)
		if (item->option[i].name && is_visible(&item->option[i])) return item->option[i].name;
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	if (a->cluster != b->cluster) {
		if (!a->cluster) return compare_groups(a->group, b->cluster->parent ? b->cluster->parent->group : b->cluster->group, -1);
		if (!b->cluster) return compare_groups(a->cluster->parent ? a->cluster->parent->group : a->cluster->group, b->group, 1);
		int order = compare_clusters(a->cluster, b->cluster);
		if (order) return order;
		return a->order - b->order;
	}
	if (a->group != b->group) return compare_groups(a->group, b->group, 0);
	int header_a = !a->option->name && !a->option->key, header_b = !b->option->name && !b->option->key;
	if (header_a || header_b) return header_b - header_a;
	int doc_a = (a->option->flags & OPTION_DOC) != 0, doc_b = (b->option->flags & OPTION_DOC) != 0;
	if (doc_a != doc_b) return doc_a - doc_b;
	int short_a = first_letter(a), short_b = first_letter(b);
	const char *name_a = first_name(a), *name_b = first_name(b);
	if (!short_a && !short_b && name_a && name_b) return strcasecmp(name_a, name_b);
	int first_a = short_a ? short_a : name_a ? *name_a : 0, first_b = short_b ? short_b : name_b ? *name_b : 0;
	int lower = tolower(first_a) - tolower(first_b);
	return lower ? lower : first_b - first_a;
}

/* ---- the list of options ---- */

struct progress {
	struct page *page;
	const struct item *item, *previous;
	int is_first, separates, has_suppressed;
};

static char *filtered(const struct argp *argp, const struct argp_state *state, int key, const char *text)
{
	void *__argp_input(const struct argp *, const struct argp_state *);
	return argp->help_filter ? argp->help_filter(key, text, __argp_input(argp, state)) : (char *)text;
}

static void heading(struct progress *at, const char *text, const struct argp *argp, const struct argp_state *state)
{
	char *shown = filtered(argp, state, KEY_HELP_HEADER, text);
	if (shown && *shown) {
		if (at->previous) newline(at->page);
		indent(at->page, HEADER_COLUMN);
		at->page->left = HEADER_COLUMN;
		wrap(at->page, shown, strlen(shown));
		at->page->left = 0;
		newline(at->page);
	}
	if (shown) at->separates = 1;
	if (shown != text) free(shown);
}

static void next_column(struct progress *at, int column, const struct argp_state *state)
{
	if (!at->is_first) put(at->page, ", ", 2);
	else {
		const struct cluster *cluster = at->item->cluster;
		if (at->separates && at->previous && at->item->group != at->previous->group) newline(at->page);
		if (cluster && cluster->header && *cluster->header && (!at->previous || at->previous->cluster != cluster)) {
			/* Not when coming back from a cluster inside. */
			const struct cluster *before = at->previous ? at->previous->cluster : 0;
			while (before && before != cluster) before = before->parent;
			if (before != cluster) heading(at, cluster->header, cluster->argp, state);
		}
		at->is_first = 0;
	}
	indent(at->page, column);
}

static void argument(struct page *page, const struct argp_option *option, const char *required, const char *optional)
{
	if (!option->arg) return;
	char text[200];
	int length = snprintf(text, sizeof text, option->flags & OPTION_ARG_OPTIONAL ? optional : required, option->arg);
	put(page, text, length);
}

static void describe(struct progress *at, const struct list *list)
{
	const struct argp_option *real = at->item->option;
	int count = at->item->count, has_long = 0;
	at->is_first = 1;
	for (int i = 0; i < count; i++) has_long |= real[i].name && is_visible(&real[i]) && !(real->flags & OPTION_DOC) && !is_shadowed(list, &real[i], 0);
	for (int i = 0; i < count; i++) {
		if (!letter(&real[i]) || !is_visible(&real[i]) || is_shadowed(list, &real[i], 1)) continue;
		next_column(at, SHORT_COLUMN, list->state);
		char text[2] = {'-', (char)real[i].key};
		put(at->page, text, 2);
		if (!has_long) argument(at->page, real, " %s", "[%s]");
		else if (real->arg) at->has_suppressed = 1;
	}
	for (int i = 0; i < count; i++) {
		if (!real[i].name || !is_visible(&real[i])) continue;
		if (real->flags & OPTION_DOC) {
			next_column(at, DOC_COLUMN, list->state);
			put(at->page, real[i].name, strlen(real[i].name));
		} else if (!is_shadowed(list, &real[i], 0)) {
			next_column(at, LONG_COLUMN, list->state);
			put(at->page, "--", 2), put(at->page, real[i].name, strlen(real[i].name));
			argument(at->page, real, "=%s", "[=%s]");
		}
	}
	if (at->is_first) {
		if (real->name || real->key) return;
		/* A heading among the options. */
		const char *text = real->doc ? real->doc : "";
		heading(at, text, at->item->argp, list->state);
		at->previous = at->item;
		return;
	}
	char *text = filtered(at->item->argp, list->state, real->key, real->doc);
	if (text && *text) {
		struct page *page = at->page;
		if (page->column > TEXT_COLUMN + 3) newline(page);
		else if (page->column >= TEXT_COLUMN) put(page, "   ", 3);
		page->left = TEXT_COLUMN;
		indent(page, TEXT_COLUMN);
		wrap(page, text, strlen(text));
		page->left = 0;
	}
	if (text && text != real->doc) free(text);
	newline(at->page);
	at->previous = at->item;
}

static void options(struct page *page, const struct list *list)
{
	struct progress at = {.page = page};
	for (int i = 0; i < list->count; i++) at.item = &list->items[i], describe(&at, list);
	if (!at.has_suppressed) return;
	static const char note[] = "Mandatory or optional arguments to long options are also mandatory or optional for any corresponding short options.";
	const struct argp *root = list->state ? list->state->root_argp : 0;
	char *text = root ? filtered(root, list->state, KEY_HELP_DUP_ARGS_NOTE, note) : (char *)note;
	if (text && *text) {
		newline(page);
		wrap(page, text, strlen(text));
		newline(page);
	}
	if (text && text != note) free(text);
}

/* ---- usage ---- */

static void usage_of_options(struct page *page, const struct list *list)
{
	char letters[260], text[300];
	int used = 0;
	for (int i = 0; i < list->count; i++)
		for (int k = 0; k < list->items[i].count; k++) {
			const struct argp_option *real = list->items[i].option, *option = &real[k];
			if (letter(option) && !real->arg && !((real->flags | option->flags) & OPTION_NO_USAGE) && is_visible(option) && !is_shadowed(list, option, 1)) letters[used++] = (char)option->key;
		}
	letters[used] = 0;
	if (used) {
		int length = snprintf(text, sizeof text, "[-%s]", letters);
		space(page, length), put(page, text, length);
	}
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < list->count; i++)
			for (int k = 0; k < list->items[i].count; k++) {
				const struct argp_option *real = list->items[i].option, *option = &real[k];
				int optional = real->flags & OPTION_ARG_OPTIONAL, length;
				if ((real->flags | option->flags) & OPTION_NO_USAGE || !is_visible(option)) continue;
				if (!pass) {
					if (!letter(option) || !real->arg || is_shadowed(list, option, 1)) continue;
					length = snprintf(text, sizeof text, optional ? "[-%c[%s]]" : "[-%c %s]", option->key, real->arg);
				} else {
					if (!option->name || is_shadowed(list, option, 0)) continue;
					length = real->arg ? snprintf(text, sizeof text, optional ? "[--%s[=%s]]" : "[--%s=%s]", option->name, real->arg) : snprintf(text, sizeof text, "[--%s]", option->name);
				}
				space(page, length), put(page, text, length);
			}
}

/* The arguments' pattern number `which` of a parser and its children; 1 if there is a further one. */
static int patterns(struct page *page, const struct argp *argp, const struct argp_state *state, int which)
{
	int more = 0;
	char *text = filtered(argp, state, KEY_HELP_ARGS_DOC, argp->args_doc);
	if (text) {
		const char *line = text;
		for (int i = 0; i < which && strchr(line, '\n'); i++) line = strchr(line, '\n') + 1;
		const char *end = strchr(line, '\n');
		more = end != 0;
		size_t length = end ? (size_t)(end - line) : strlen(line);
		if (length) space(page, length + 1), wrap(page, line, length);
	}
	if (text && text != argp->args_doc) free(text);
	for (const struct argp_child *child = argp->children; child && child->argp; child++) more |= patterns(page, child->argp, state, which);
	return more;
}

/* Prints the documentation of a parser before the options, or (after \v) behind them. */
static int document(struct page *page, const struct argp *argp, const struct argp_state *state, int behind, int blank_before, int first_only)
{
	int anything = 0;
	const char *text = 0;
	size_t length = 0;
	if (argp->doc) {
		const char *middle = strchr(argp->doc, '\v');
		text = behind ? middle ? middle + 1 : 0 : argp->doc;
		if (text) length = !behind && middle ? (size_t)(middle - text) : strlen(text);
	}
	char *own = text ? strndup(text, length) : 0, *shown = own;
	if (argp->help_filter) shown = filtered(argp, state, behind ? KEY_HELP_POST_DOC : KEY_HELP_PRE_DOC, own);
	if (shown && (*shown || argp->help_filter)) {
		if (blank_before) newline(page);
		wrap(page, shown, strlen(shown));
		if (page->column) newline(page);
		anything = 1;
	}
	if (shown != own) free(shown);
	free(own);
	if (behind && argp->help_filter) {
		char *extra = filtered(argp, state, KEY_HELP_EXTRA, 0);
		if (extra) {
			if (anything || blank_before) newline(page);
			wrap(page, extra, strlen(extra));
			free(extra);
			if (page->column) newline(page);
			anything = 1;
		}
	}
	for (const struct argp_child *child = argp->children; child && child->argp && !(first_only && anything); child++)
		anything |= document(page, child->argp, state, behind, anything || blank_before, first_only);
	return anything;
}

static void help(const struct argp *argp, const struct argp_state *state, FILE *stream, unsigned flags, const char *name)
{
	struct page page = {stream};
	struct list list = {.state = state};
	int anything = 0, more = 1;
	if (!stream) return;
	if (flags & (HELP_USAGE | HELP_SHORT_USAGE | HELP_LONG)) {
		collect(&list, argp, 0);
		qsort(list.items, list.count, sizeof(struct item), compare);
	}
	for (int i = 0; flags & (HELP_USAGE | HELP_SHORT_USAGE) && more; i++) {
		char text[300];
		int length = snprintf(text, sizeof text, "%s %s", i ? "  or: " : "Usage:", name);
		put(&page, text, length);
		page.left = USAGE_INDENT;
		if (flags & HELP_SHORT_USAGE) {
			if (list.count) put(&page, " [OPTION...]", 12);
		} else {
			usage_of_options(&page, &list);
			flags |= HELP_SHORT_USAGE;
		}
		more = patterns(&page, argp, state, i);
		page.left = 0;
		newline(&page);
		anything = 1;
	}
	if (flags & HELP_PRE_DOC) anything |= document(&page, argp, state, 0, 0, 1);
	if (flags & HELP_SEE) fprintf(stream, "Try `%s --help' or `%s --usage' for more information.\n", name, name), anything = 1;
	if (flags & HELP_LONG && list.count) {
		if (anything) newline(&page);
		options(&page, &list);
		anything = 1;
	}
	if (flags & HELP_POST_DOC) anything |= document(&page, argp, state, 1, anything, 0);
	if (flags & HELP_BUG_ADDR && argp_program_bug_address) {
		if (anything) newline(&page);
		fprintf(stream, "Report bugs to %s.\n", argp_program_bug_address);
	}
	free(list.items);
}

void argp_help(const struct argp *argp, FILE *stream, unsigned flags, char *name) { help(argp, 0, stream, flags, name); }

void argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags)
{
	extern char *program_invocation_short_name;
	if ((state && state->flags & NO_ERRS) || !stream) return;
	if (state && state->flags & LONG_ONLY) flags |= HELP_LONG_ONLY;
	help(state ? state->root_argp : 0, state, stream, flags, state ? state->name : program_invocation_short_name);
	if (state && state->flags & NO_EXIT) return;
	if (flags & HELP_EXIT_ERR) exit(argp_err_exit_status);
	if (flags & HELP_EXIT_OK) exit(0);
}
