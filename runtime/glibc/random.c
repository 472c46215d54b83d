/* Random numbers: arc4random from the kernel's generator (which the model makes deterministic), and the reentrant
 * forms of the classic generators as far as their state is a plain number. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void)
{
	uint32_t value = 0;
	getrandom(&value, sizeof value, 0);
	return value;
}

void arc4random_buf(void *to, size_t size)
{
	for (unsigned char *p = to; size;) {
		size_t part = size < 256 ? size : 256;
		getrandom(p, part, 0);
		p += part;
		size -= part;
	}
}

/* Values below 2^32 mod bound are drawn again, so that every remainder is as likely. */
uint32_t arc4random_uniform(uint32_t bound)
{
	uint32_t value;
	if (bound < 2) return 0;
	do value = arc4random();
	while (value < -bound % bound);
	return value % bound;
}
