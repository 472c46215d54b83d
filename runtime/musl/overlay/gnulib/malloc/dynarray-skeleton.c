/* The one growing array that gnulib's regexec.c asks for (gnulib makes such by macros), of the calls that it makes. */
struct regmatch_list {
	size_t used;
	DYNARRAY_ELEMENT *elements;
	DYNARRAY_ELEMENT few[10];
};

static void regmatch_list_init(struct regmatch_list *list)
{
	list->used = 0;
	list->elements = list->few;
}

static int regmatch_list_resize(struct regmatch_list *list, size_t count)
{
	if (count > sizeof list->few / sizeof *list->few) {
		DYNARRAY_ELEMENT *more = malloc(count * sizeof *more);
		if (!more) return 0;
		list->elements = more;
	}
	list->used = count;
	return 1;
}

static DYNARRAY_ELEMENT *regmatch_list_begin(struct regmatch_list *list)
{
	return list->elements;
}

static void regmatch_list_free(struct regmatch_list *list)
{
	if (list->elements != list->few) free(list->elements);
}
