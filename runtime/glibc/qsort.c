/* qsort as glibc 2.36 sorts: a stable merge sort over a temporary array, halves cut at n/2, the left element
 * taken on equality. Stability shows in programs' output, and the order of comparisons decides which
 * comparison a symbolic element forks at. */
#include <stdlib.h>
#include <string.h>

struct merge {
	size_t width;
	int (*compare)(const void *, const void *, void *);
	void *argument;
	char *scratch;
};

static void sort(const struct merge *merge, char *base, size_t count)
{
	size_t width = merge->width;
	if (count <= 1) return;
	size_t left_count = count / 2, right_count = count - left_count;
	char *left = base, *right = base + left_count * width;
	sort(merge, left, left_count);
	sort(merge, right, right_count);

	char *out = merge->scratch;
	while (left_count && right_count) {
		if (merge->compare(left, right, merge->argument) <= 0) {
			memcpy(out, left, width);
			left += width;
			left_count--;
		} else {
			memcpy(out, right, width);
			right += width;
			right_count--;
		}
		out += width;
	}
	/* The rest of the right half is already in place. */
	memcpy(out, left, left_count * width);
	memcpy(base, merge->scratch, (count - right_count) * width);
}

/* No memory: insertion sort needs none and is stable too. */
static void sort_in_place(const struct merge *merge, char *base, size_t count)
{
	size_t width = merge->width;
	for (size_t i = 1; i < count; i++)
		for (char *p = base + i * width; p > base && merge->compare(p - width, p, merge->argument) > 0; p -= width)
			for (size_t byte = 0; byte < width; byte++) {
				char kept = p[byte];
				p[byte] = p[(long)(byte - width)];
				p[(long)(byte - width)] = kept;
			}
}

void qsort_r(void *base, size_t count, size_t width, int (*compare)(const void *, const void *, void *), void *argument)
{
	char small[1024];
	struct merge merge = { width, compare, argument, small };
	if (count <= 1 || width == 0) return;
	if (count * width <= sizeof small) {
		sort(&merge, base, count);
		return;
	}
	merge.scratch = malloc(count * width);
	if (!merge.scratch) {
		sort_in_place(&merge, base, count);
		return;
	}
	sort(&merge, base, count);
	free(merge.scratch);
}

static int call_plain(const void *a, const void *b, void *compare)
{
	return ((int (*)(const void *, const void *))compare)(a, b);
}

void qsort(void *base, size_t count, size_t width, int (*compare)(const void *, const void *))
{
	qsort_r(base, count, width, call_plain, (void *)compare);
}

void __qsort_r(void *base, size_t count, size_t width, int (*compare)(const void *, const void *, void *), void *argument)
{
	qsort_r(base, count, width, compare, argument);
}
