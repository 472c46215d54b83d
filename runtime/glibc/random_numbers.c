/* random and its family with glibc's numbers, which differ from musl's: an additive generator (x[i] = x[i-31] + x[i-3], by the size
 * of the state other distances), seeded by the minimal standard generator. The reentrant forms are the generators; the others
 * have a state of the library's. The 48-bit family's numbers are POSIX's. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As in glibc's <stdlib.h>, which musl's lacks. */
struct random_data {
	int32_t *fptr, *rptr, *state;
	int rand_type, rand_deg, rand_sep;
	int32_t *end_ptr;
};
struct drand48_data {
	unsigned short x[3], old_x[3], c, init;
	unsigned long long a;
};

enum { KINDS = 5 };
static const struct { short bytes, degree, distance; } kinds[KINDS] = {{8, 0, 0}, {32, 7, 3}, {64, 15, 1}, {128, 31, 3}, {256, 63, 1}};

/* The library's own state, seeded when it is first asked for. */
static int32_t first_state[32] = {3};
static struct random_data own = {0, first_state + 1, first_state + 1, 3, 31, 3, first_state + 32};

int random_r(struct random_data *restrict data, int32_t *restrict result)
{
	if (!data || !result) return errno = EINVAL, -1;
	if (data->rand_type == 0) {
		*result = *data->state = (int32_t)((uint32_t)*data->state * 1103515245u + 12345u & 0x7fffffff);
		return 0;
	}
	uint32_t sum = *data->fptr = (int32_t)((uint32_t)*data->fptr + (uint32_t)*data->rptr);
	*result = (int32_t)(sum >> 1);
	if (++data->fptr == data->end_ptr) data->fptr = data->state;
	if (++data->rptr == data->end_ptr) data->rptr = data->state;
	return 0;
}

int srandom_r(unsigned seed, struct random_data *data)
{
	if (!data || (unsigned)data->rand_type >= KINDS) return -1;
	int32_t *state = data->state, unused;
	state[0] = (int32_t)(seed ? seed : 1);
	if (data->rand_type == 0) return 0;
	long word = state[0];
	for (int i = 1; i < data->rand_deg; i++) {
		/* 16807 * word modulo 2^31 - 1, by remainders whose sign C keeps. */
		word = 16807 * (word % 127773) - 2836 * (word / 127773);
		if (word < 0) word += 2147483647;
		state[i] = (int32_t)word;
	}
	data->fptr = state + data->rand_sep;
	data->rptr = state;
	for (int i = 0; i < 10 * data->rand_deg; i++) random_r(data, &unused);
	return 0;
}

/* The word before a state tells its kind and how far it is. */
static void note(struct random_data *data)
{
	if (data->state) data->state[-1] = data->rand_type ? KINDS * (int32_t)(data->rptr - data->state) + data->rand_type : 0;
}

static void use(struct random_data *data, int32_t *state, int kind)
{
	data->rand_type = kind;
	data->rand_deg = kinds[kind].degree;
	data->rand_sep = kinds[kind].distance;
	data->state = state;
	data->end_ptr = state + data->rand_deg;
}

int initstate_r(unsigned seed, char *restrict memory, size_t size, struct random_data *restrict data)
{
	int kind = KINDS - 1;
	if (!data || size < (size_t)kinds[0].bytes) return errno = EINVAL, -1;
	while (size < (size_t)kinds[kind].bytes) kind--;
	note(data);
	use(data, (int32_t *)memory + 1, kind);
	srandom_r(seed, data);
	note(data);
	return 0;
}

int setstate_r(char *restrict memory, struct random_data *restrict data)
{
	if (!data || !memory) return errno = EINVAL, -1;
	int32_t *state = (int32_t *)memory + 1;
	/* It may be the state in use. */
	note(data);
	int32_t kind = state[-1] % KINDS, rear = state[-1] / KINDS;
	if (kind < 0) return errno = EINVAL, -1;
	use(data, state, kind);
	if (kind) {
		data->rptr = state + rear;
		data->fptr = state + (rear + data->rand_sep) % data->rand_deg;
	}
	return 0;
}

/* A program that seeds nothing has seeded with 1. */
static struct random_data *library(void)
{
	if (!own.fptr) srandom_r(1, &own);
	return &own;
}

long random(void)
{
	int32_t result;
	random_r(library(), &result);
	return result;
}

void srandom(unsigned seed) { srandom_r(seed, &own); }
int rand(void) { return (int)random(); }
void srand(unsigned seed) { srandom_r(seed, &own); }

char *initstate(unsigned seed, char *memory, size_t size)
{
	char *old = (char *)(library()->state - 1);
	return initstate_r(seed, memory, size, &own) ? 0 : old;
}

char *setstate(char *memory)
{
	char *old = (char *)(library()->state - 1);
	return setstate_r(memory, &own) ? 0 : old;
}

/* Three steps of a linear generator, some of the middle bits of each. */
int rand_r(unsigned *seed)
{
	unsigned next = *seed, result = 0;
	for (int i = 0; i < 3; i++) {
		next = next * 1103515245u + 12345u;
		result = result << (i ? 10 : 0) ^ next / 65536 % (i ? 1024 : 2048);
	}
	*seed = next;
	return (int)result;
}

static uint64_t step(unsigned short x[3], const struct drand48_data *data)
{
	uint64_t a = data->init ? data->a : 0x5deece66dull, c = data->init ? data->c : 0xb;
	uint64_t value = ((uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0]) * a + c & 0xffffffffffffull;
	for (int i = 0; i < 3; i++) x[i] = (unsigned short)(value >> 16 * i);
	return value;
}

int erand48_r(unsigned short x[3], struct drand48_data *data, double *result) { return *result = 0x1p-48 * step(x, data), 0; }
int nrand48_r(unsigned short x[3], struct drand48_data *data, long *result) { return *result = (long)(step(x, data) >> 17), 0; }
int jrand48_r(unsigned short x[3], struct drand48_data *data, long *result) { return *result = (int32_t)(step(x, data) >> 16), 0; }
int drand48_r(struct drand48_data *data, double *result) { return erand48_r(data->x, data, result); }
int lrand48_r(struct drand48_data *data, long *result) { return nrand48_r(data->x, data, result); }
int mrand48_r(struct drand48_data *data, long *result) { return jrand48_r(data->x, data, result); }

static void usual(struct drand48_data *data) { data->a = 0x5deece66dull, data->c = 0xb, data->init = 1; }

int srand48_r(long seed, struct drand48_data *data)
{
	data->x[0] = 0x330e, data->x[1] = (unsigned short)seed, data->x[2] = (unsigned short)(seed >> 16);
	usual(data);
	return 0;
}

int seed48_r(unsigned short seed[3], struct drand48_data *data)
{
	memcpy(data->old_x, data->x, sizeof data->x);
	memcpy(data->x, seed, sizeof data->x);
	usual(data);
	return 0;
}

int lcong48_r(unsigned short words[7], struct drand48_data *data)
{
	memcpy(data->x, words, sizeof data->x);
	data->a = (unsigned long long)words[5] << 32 | (unsigned)words[4] << 16 | words[3];
	data->c = words[6];
	data->init = 1;
	return 0;
}
