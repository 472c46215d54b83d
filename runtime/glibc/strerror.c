/* Texts of errors and signals as the machine's own C library words them, since the native run prints those. The table
 * is made at set-up by asking that library (prepare.py), so nothing of it is kept here. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
/* musl's header declares the XSI strerror_r. Programs mean glibc's by that name. */
#define strerror_r xsi_strerror_r
#include <string.h>
#undef strerror_r

static const char *const error_texts[] = {
#define ERROR_TEXT(number, text) [number] = text,
#define SIGNAL_TEXT(number, text)
#define ERROR_NAME(number, name)
#include "homi_messages.h"
#undef ERROR_TEXT
#undef SIGNAL_TEXT
#undef ERROR_NAME
};

static const char *const signal_texts[] = {
#define ERROR_TEXT(number, text)
#define SIGNAL_TEXT(number, text) [number] = text,
#define ERROR_NAME(number, name)
#include "homi_messages.h"
#undef ERROR_TEXT
#undef SIGNAL_TEXT
#undef ERROR_NAME
};

static const char *const error_names[] = {
#define ERROR_TEXT(number, text)
#define SIGNAL_TEXT(number, text)
#define ERROR_NAME(number, name) [number] = name,
#include "homi_messages.h"
#undef ERROR_TEXT
#undef SIGNAL_TEXT
#undef ERROR_NAME
};

const char *strerrorname_np(int number)
{
	return (unsigned)number < sizeof error_names / sizeof *error_names ? error_names[number] : 0;
}

const char *strerrordesc_np(int number)
{
	return (unsigned)number < sizeof error_texts / sizeof *error_texts ? error_texts[number] : 0;
}

const char *sigdescr_np(int number)
{
	return (unsigned)number < sizeof signal_texts / sizeof *signal_texts ? signal_texts[number] : 0;
}

char *strerror(int number)
{
	static char unknown[32];
	const char *text = strerrordesc_np(number);
	if (text) return (char *)text;
	snprintf(unknown, sizeof unknown, "Unknown error %d", number);
	return unknown;
}

char *strerror_l(int number, locale_t locale) { return strerror(number); }
char *__strerror_l(int number, locale_t locale) { return strerror(number); }

/* glibc's own strerror_r returns the text, which need not be in the buffer. */
char *strerror_r(int number, char *buffer, size_t size)
{
	const char *text = strerrordesc_np(number);
	if (text) return (char *)text;
	snprintf(buffer, size, "Unknown error %d", number);
	return buffer;
}

char *__strerror_r(int number, char *buffer, size_t size) { return strerror_r(number, buffer, size); }

int __xpg_strerror_r(int number, char *buffer, size_t size)
{
	const char *text = strerrordesc_np(number);
	size_t length = text ? snprintf(buffer, size, "%s", text) : snprintf(buffer, size, "Unknown error %d", number);
	return !text ? EINVAL : length >= size ? ERANGE : 0;
}

char *strsignal(int number)
{
	static char unknown[32];
	const char *text = sigdescr_np(number);
	if (text) return (char *)text;
	snprintf(unknown, sizeof unknown, number >= 34 && number <= 64 ? "Real-time signal %d" : "Unknown signal %d",
		number >= 34 && number <= 64 ? number - 34 : number);
	return unknown;
}
