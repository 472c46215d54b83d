/* error and error_at_line: a message on standard error that starts with the program's name, after standard output
 * was flushed; a status other than 0 ends the program. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*error_print_progname)(void);
unsigned int error_message_count;
int error_one_per_line;

extern char *program_invocation_name;

static void finish(int status, int number, const char *format, va_list arguments)
{
	vfprintf(stderr, format, arguments);
	error_message_count++;
	if (number) fprintf(stderr, ": %s", strerror(number));
	putc('\n', stderr);
	fflush(stderr);
	if (status) exit(status);
}

void error(int status, int number, const char *format, ...)
{
	va_list arguments;
	fflush(stdout);
	if (error_print_progname) error_print_progname();
	else fprintf(stderr, "%s: ", program_invocation_name);
	va_start(arguments, format);
	finish(status, number, format, arguments);
	va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned int line, const char *format, ...)
{
	static const char *last_file;
	static unsigned int last_line;
	va_list arguments;

	if (error_one_per_line) {
		if (last_line == line && (file == last_file || (file && last_file && !strcmp(file, last_file)))) return;
		last_file = file;
		last_line = line;
	}
	fflush(stdout);
	if (error_print_progname) error_print_progname();
	else fprintf(stderr, "%s:", program_invocation_name);
	fprintf(stderr, file ? "%s:%u: " : " ", file, line);
	va_start(arguments, format);
	finish(status, number, format, arguments);
	va_end(arguments);
}
