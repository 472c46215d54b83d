/* Asks this machine's C library for the values of sysconf that do not change while it runs, and prints them as C. Set-up runs it
 * (see ../prepare.py); runtime/glibc/system_values.c has the others. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { NAMES = 256 };

int main(void)
{
	printf("/* Made by set-up from this machine's C library: LONG_MIN for a name that is unknown. */\n");
	printf("const long __homi_system_values[%d] = {", NAMES);
	for (int name = 0; name < NAMES; name++) {
		errno = 0;
		long value = sysconf(name);
		printf(name % 12 ? " " : "\n\t");
		printf(value == -1 && errno ? "-__LONG_MAX__ - 1," : "%ld,", value);
	}
	printf("\n};\n");
	return 0;
}
