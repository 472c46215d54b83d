/* Nothing: runtime/glibc/regex.c has defined what gnulib would find here. */
