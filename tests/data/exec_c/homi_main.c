/* Driver in homi: only holds the results, which the test reads from the final state. */
unsigned long results[65536];
unsigned long count;
