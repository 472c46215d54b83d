/* on_exit: handlers that receive the exit status. They share one order with atexit's, so each is registered there
 * with a separate record. */
#include <stdlib.h>

int __cxa_atexit(void (*function)(void *), void *argument, void *object);
extern int __homi_exit_status;

struct handler {
	void (*function)(int, void *);
	void *argument;
};

static void call(void *record)
{
	struct handler *handler = record;
	handler->function(__homi_exit_status, handler->argument);
}

int on_exit(void (*function)(int, void *), void *argument)
{
	struct handler *handler = malloc(sizeof *handler);
	if (!handler) return -1;
	handler->function = function;
	handler->argument = argument;
	return __cxa_atexit(call, handler, 0);
}
