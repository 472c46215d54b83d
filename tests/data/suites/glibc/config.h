/* glibc's build makes this file; what its tests need of it is in before.h. */
