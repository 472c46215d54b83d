/* A moment as a calendar date, without a branch once it is in range. A symbolic file has a symbolic moment of change, and every
 * branch on it costs questions about divisions of 64 bits; the usual loop over the months alone would fork twelve times. The
 * year begins in March, so that the leap day is its last: months then have a formula. */
#include "../time_impl.h"

/* 2000-03-01, the first day of a cycle of 400 years. */
#define EPOCH (946684800LL + 86400 * (31 + 29))
#define DAYS_OF_CYCLE 146097u
/* Cycles before the epoch that no moment in range reaches: numbers are then unsigned. A cycle has whole weeks. */
#define CYCLES 5500000LL
#define BEFORE (CYCLES * DAYS_OF_CYCLE * 86400)
/* The moments whose year is an int, counted from 1900. */
#define FIRST (-67768040609740800LL)
#define LAST 67768036191676799LL

int __secs_to_tm(long long moment, struct tm *result)
{
	if (moment < FIRST || moment > LAST) return -1;
	unsigned long long seconds = moment - EPOCH + BEFORE;
	unsigned long long days = seconds / 86400;
	unsigned second = seconds % 86400;
	unsigned day = days % DAYS_OF_CYCLE;
	/* Of the cycle; days before it that are leap days do not count. */
	unsigned year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	unsigned day_of_year = day - (365 * year + year / 4 - year / 100);
	unsigned month = (5 * day_of_year + 2) / 153;
	unsigned next_year = month >= 10;
	unsigned leap = (year % 4 == 0) & ((year % 100 != 0) | (year == 0));
	result->tm_year = (long long)(days / DAYS_OF_CYCLE * 400) - CYCLES * 400 + year + next_year + 100;
	result->tm_mon = month + 2 - 12 * next_year;
	result->tm_mday = day_of_year - (153 * month + 2) / 5 + 1;
	result->tm_wday = (days + 3) % 7;
	result->tm_yday = day_of_year + 59 + leap - (365 + leap) * next_year;
	result->tm_hour = second / 3600;
	result->tm_min = second / 60 % 60;
	result->tm_sec = second % 60;
	return 0;
}
