/* Stands before each test of glibc and each file of its library for tests: what glibc's own build defines. */
#define _GNU_SOURCE 1
#define TIMEOUTFACTOR 10
#define attribute_hidden
#define libc_hidden_proto(...)
#define libc_hidden_def(...)
#define OBJPFX ""
#define SRCDIR_PATH "/no/source"
#define OBJDIR_PATH "/no/objects"
#define OBJDIR_ELF_LDSO_PATH "/no/loader"
#define INSTDIR_PATH "/no/prefix"
#define SLIBDIR_PATH "/no/lib"
#define LIBDIR_PATH "/no/lib"
#define BINDIR_PATH "/no/bin"
#define SBINDIR_PATH "/no/sbin"
#define ROOTSBINDIR_PATH "/no/sbin"
#define COMPLOCALEDIR_PATH "/no/locale"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
