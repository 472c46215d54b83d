#ifndef HOMI_SETTLE_H
#define HOMI_SETTLE_H

unsigned klee_is_symbolic(unsigned long value);

/* One path per width: a positive symbolic number becomes a plain one by halving the range, small numbers first, so a
 * path asks about six to forty questions once. Without it the padding of every later column has a symbolic length, the
 * stream a symbolic position, and each character written asks again (pr spent most of a run so). */
static inline int homi_settled(int value)
{
	int low = 0, high = 7;
	if (!klee_is_symbolic((unsigned long)value)) return value;
	while (value > high) {
		low = high + 1;
		high = high < 0xfffffff ? high * 8 + 7 : 0x7fffffff;
	}
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (value <= middle) high = middle;
		else low = middle + 1;
	}
	return low;
}

#endif
