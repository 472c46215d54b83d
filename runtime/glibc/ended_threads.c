/* Threads that cannot be waited for, by the addresses that name them: a joined one is no thread, a detached one none to wait for. */
#include "pthread_impl.h"

enum { MOST_KNOWN = 64 };
static struct { pthread_t thread; int refusal; } known[MOST_KNOWN];
static unsigned next;

static int place_of(pthread_t thread)
{
	for (int i = 0; i < MOST_KNOWN && known[i].thread; i++)
		if (known[i].thread == thread) return i;
	return -1;
}

/* The error number of a call that joins or detaches this thread; 0: none. */
hidden int __homi_join_refusal(pthread_t thread)
{
	int place = place_of(thread);
	return place < 0 ? 0 : known[place].refusal;
}

/* A thread that begins at an address may be waited for unless it is detached (EINVAL); a joined one (ESRCH) never. */
hidden void __homi_refuse_join(pthread_t thread, int refusal)
{
	int place = place_of(thread);
	if (place < 0 && !refusal) return;
	if (place < 0) place = (int)(next++ % MOST_KNOWN);
	known[place].thread = thread;
	known[place].refusal = refusal;
}
