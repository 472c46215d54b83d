/* Obstacks, as glibc's <obstack.h> expands them: the header's macros touch these fields, the functions only add
 * chunks and free them. Objects grow at the end of the current chunk; a chunk knows its predecessor, and freeing an
 * object frees every chunk made after its own. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
	char *limit;
	struct chunk *previous;
	char contents[4];
};

struct obstack {
	long chunk_size;
	struct chunk *chunk;
	char *object_base;
	char *next_free;
	char *chunk_limit;
	union { intptr_t number; void *pointer; } temporary;
	int alignment_mask;
	void *(*allocate)(void *, long);
	void (*release)(void *, struct chunk *);
	void *extra_argument;
	unsigned use_extra_argument : 1, maybe_empty_object : 1, allocation_failed : 1;
};

int obstack_exit_failure = 1;

static void out_of_memory(void)
{
	fputs("memory exhausted\n", stderr);
	exit(obstack_exit_failure);
}

void (*obstack_alloc_failed_handler)(void) = out_of_memory;

static struct chunk *new_chunk(struct obstack *h, long size)
{
	struct chunk *chunk = h->use_extra_argument ? h->allocate(h->extra_argument, size)
		: ((void *(*)(long))h->allocate)(size);
	if (!chunk) obstack_alloc_failed_handler();
	chunk->limit = (char *)chunk + size;
	return chunk;
}

static void free_chunk(struct obstack *h, struct chunk *chunk)
{
	if (h->use_extra_argument) h->release(h->extra_argument, chunk);
	else ((void (*)(void *))h->release)(chunk);
}

static char *first_object(const struct obstack *h, struct chunk *chunk)
{
	size_t misalignment = (uintptr_t)chunk->contents & h->alignment_mask;
	return chunk->contents + (misalignment ? h->alignment_mask + 1 - misalignment : 0);
}

static int begin(struct obstack *h, int size, int alignment)
{
	h->chunk_size = size ? size : 4064;
	h->alignment_mask = (alignment ? alignment : 16) - 1;
	struct chunk *chunk = h->chunk = new_chunk(h, h->chunk_size);
	chunk->previous = 0;
	h->next_free = h->object_base = first_object(h, chunk);
	h->chunk_limit = chunk->limit;
	h->maybe_empty_object = h->allocation_failed = 0;
	return 1;
}

int _obstack_begin(struct obstack *h, int size, int alignment, void *(*allocate)(long), void (*release)(void *))
{
	h->allocate = (void *(*)(void *, long))allocate;
	h->release = (void (*)(void *, struct chunk *))release;
	h->use_extra_argument = 0;
	return begin(h, size, alignment);
}

int _obstack_begin_1(struct obstack *h, int size, int alignment, void *(*allocate)(void *, long),
	void (*release)(void *, void *), void *argument)
{
	h->allocate = allocate;
	h->release = (void (*)(void *, struct chunk *))release;
	h->extra_argument = argument;
	h->use_extra_argument = 1;
	return begin(h, size, alignment);
}

/* Room for `length` more bytes of the growing object, which moves to a new chunk. */
void _obstack_newchunk(struct obstack *h, int length)
{
	struct chunk *old = h->chunk;
	long size = h->next_free - h->object_base;
	long wanted = size + length + (size >> 3) + h->alignment_mask + 100;
	struct chunk *chunk = new_chunk(h, wanted < h->chunk_size ? h->chunk_size : wanted);
	h->chunk = chunk;
	chunk->previous = old;
	h->chunk_limit = chunk->limit;

	char *base = first_object(h, chunk);
	memcpy(base, h->object_base, size);
	/* The old chunk held only this object: it can be freed. */
	if (!h->maybe_empty_object && h->object_base == first_object(h, old)) {
		chunk->previous = old->previous;
		free_chunk(h, old);
	}
	h->object_base = base;
	h->next_free = base + size;
	h->maybe_empty_object = 0;
}

static int holds(const struct chunk *chunk, const void *object)
{
	return (const char *)chunk < (const char *)object && (const char *)object <= chunk->limit;
}

int _obstack_allocated_p(struct obstack *h, void *object)
{
	struct chunk *chunk = h->chunk;
	while (chunk && !holds(chunk, object)) chunk = chunk->previous;
	return chunk != 0;
}

void obstack_free(struct obstack *h, void *object)
{
	struct chunk *chunk = h->chunk;
	while (chunk && !holds(chunk, object)) {
		struct chunk *previous = chunk->previous;
		free_chunk(h, chunk);
		chunk = previous;
		h->maybe_empty_object = 1;
	}
	if (chunk) {
		h->object_base = h->next_free = object;
		h->chunk_limit = chunk->limit;
		h->chunk = chunk;
	} else if (object) {
		/* Not an object of this obstack. */
		abort();
	}
}

void _obstack_free(struct obstack *h, void *object)
{
	obstack_free(h, object);
}

int _obstack_memory_used(struct obstack *h)
{
	int bytes = 0;
	for (struct chunk *chunk = h->chunk; chunk; chunk = chunk->previous) bytes += chunk->limit - (char *)chunk;
	return bytes;
}

int obstack_vprintf(struct obstack *h, const char *format, va_list arguments)
{
	char *text;
	int length = vasprintf(&text, format, arguments);
	if (length < 0) return length;
	if (h->next_free + length > h->chunk_limit) _obstack_newchunk(h, length);
	memcpy(h->next_free, text, length);
	h->next_free += length;
	free(text);
	return length;
}

int obstack_printf(struct obstack *h, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = obstack_vprintf(h, format, arguments);
	va_end(arguments);
	return length;
}

int __obstack_vprintf_chk(struct obstack *h, int flag, const char *format, va_list arguments)
{
	return obstack_vprintf(h, format, arguments);
}

int __obstack_printf_chk(struct obstack *h, int flag, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = obstack_vprintf(h, format, arguments);
	va_end(arguments);
	return length;
}
