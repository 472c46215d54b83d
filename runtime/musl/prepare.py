#!/usr/bin/env python3
"""Makes homi's copy of musl: the release tarball, plus our overlay, plus a few edits.

usage: prepare.py TARBALL GNULIB TREE

GNULIB is a release tarball with gnulib's lib/regex.c and its kin (coreutils has them).

Idea: nothing of musl is kept in this repository; what must differ is either a file of ours (overlay/, found by
musl's own rule that src/X/homi/f.c replaces src/X/f.c) or one entry of EDITS. An edit that does not match
stops the set-up, so a new musl release cannot slip through half patched.
A file is written only when its content changes, so that make rebuilds only what is needed.
"""

import json
import os
import pathlib
import re
import signal
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
SHIM = HERE.parent / "glibc"

# Not compiled: the allocator is the executor's, and the families that runtime/glibc/ writes anew (see the
# first lines of each file there for why).
DROPPED = [
    "src/malloc/**/*",
    "src/signal/siglongjmp.c",
    "src/ldso/dl_iterate_phdr.c",
    "src/legacy/valloc.c",
    "src/legacy/getdtablesize.c",
    "src/process/posix_spawnattr_sched.c",
    "src/prng/random.c",
    "src/prng/rand.c",
    "src/prng/rand_r.c",
    "src/misc/getopt.c",
    "src/misc/getopt_long.c",
    "src/errno/strerror.c",
    "src/string/strerror_r.c",
    "src/string/strsignal.c",
    "src/stdlib/qsort.c",
    "src/stdlib/qsort_nr.c",
    "src/stdlib/strtol.c",
    "src/stdlib/ato[il].c",
    "src/stdlib/atoll.c",
    "src/string/strstr.c",
    "src/string/memmem.c",
    "src/regex/reg*.c",
    "src/regex/tre*",
    "src/locale/strfmon.c",
    "src/misc/mntent.c",
    "src/network/inet_legacy.c",
    "src/network/inet_aton.c",
    "src/network/ether.c",
    "src/network/gai_strerror.c",
    "src/network/hstrerror.c",
    "src/sched/sched_[gs]et[sp]*r*.c",
    "src/ctype/is[a-vx-z]*.c",
    "src/ctype/__ctype_to*_loc.c",
    "src/ctype/toascii.c",
    "src/ctype/tolower.c",
    "src/ctype/toupper.c",
    *(f"src/math/{name}{suffix}.c" for name in ("ceil", "floor", "trunc", "rint", "nearbyint", "fabs", "sqrt")
      for suffix in ("", "f", "l")),
]
# Of gnulib: GNU's regular expressions (glibc/regex.c includes them); the header takes the place of musl's.
GNULIB = "regex.c regcomp.c regexec.c regex_internal.c regex_internal.h regex.h intprops.h verify.h".split()
# Dropped folders' files that stay.
KEPT = ["src/malloc/reallocarray.c"]

FENV = ("ilogb ilogbf ilogbl lrint lrintl llrintl fma fmaf fmal").split()

# Patterns that may match more than once.
MANY = ("#pragma", "errno = EINVAL;", "extern FILE", "return ENOENT;")

# (file, pattern, replacement): each must match once (MANY: at least once).
EDITS = [
    # glibc's layout of FILE.
    ("src/internal/stdio_impl.h", r"struct _IO_FILE \{.*?\n\};", '#include "homi_file.h"'),
    # ABI of glibc.
    ("include/alltypes.h.in", r"TYPEDEF _Addr regoff_t;", "TYPEDEF int regoff_t;"),
    # ABI of glibc: the kinds that nftw passes start at 0.
    ("include/ftw.h", r"#define FTW_F +1\n.*?#define FTW_SLN +7\n",
     "".join(f"#define FTW_{name} {value}\n" for value, name in enumerate("F D DNR NS SL DP SLN".split()))),
    # As in glibc, a catalogue that was not opened is an error, not a crash: programs look up messages without a check.
    ("src/locale/catgets.c", r"\{\n\tconst char \*map", "{\n\tif (catd == (nl_catd)-1) return errno = EBADF, (char *)s;\n\tconst char *map"),
    ("src/locale/catclose.c", r"\{\n\tchar \*map", "{\n\tif (catd == (nl_catd)-1) return errno = EBADF, -1;\n\tchar *map"),
    ("src/locale/catclose.c", r"#include <stdint.h>", "#include <errno.h>\n#include <stdint.h>"),
    # glibc/strptime.c adds to it.
    ("src/time/strptime.c", r"char \*strptime\(const char \*restrict s, const char \*restrict f, struct tm \*restrict tm\)\n\{",
     "char *__homi_strptime(const char *restrict s, const char *restrict f, struct tm *restrict tm)\n{\n\tchar *strptime(const char *, const char *, struct tm *);"),
    # Conversions that glibc has besides, and blanks before numbers.
    ("src/time/strptime.c", r"\t\tcase 'D':\n",
     "\t\tcase 'F':\n\t\t\ts = strptime(s, \"%Y-%m-%d\", tm);\n\t\t\tif (!s) return 0;\n\t\t\tbreak;\n"
     "\t\tcase 'k': dest = &tm->tm_hour, min = 0, range = 24;\n\t\t\tgoto numeric_range;\n"
     "\t\tcase 'l': dest = &tm->tm_hour, min = 1, range = 12;\n\t\t\tgoto numeric_range;\n"
     "\t\tcase 'G': dest = &dummy, w = 4;\n\t\t\tgoto numeric_digits;\n"
     "\t\tcase 'g': case 'V': dest = &dummy, min = 0, range = 100;\n\t\t\tgoto numeric_range;\n"
     "\t\tcase 'u':\n\t\t\tif (*s < '1' || *s > '7') return 0;\n\t\t\ttm->tm_wday = (*s++ - '0') % 7;\n\t\t\tbreak;\n"
     "\t\tcase 'Z':\n\t\t\tfor (; isspace(*s); s++);\n\t\t\tfor (; *s && !isspace(*s); s++);\n\t\t\tbreak;\n"
     "\t\tcase 's': {\n\t\t\ttime_t seconds = 0;\n\t\t\tif (!isdigit(*s)) return 0;\n"
     "\t\t\tfor (; isdigit(*s); s++) seconds = seconds * 10 + *s - '0';\n\t\t\tif (!localtime_r(&seconds, tm)) return 0;\n\t\t\tbreak;\n\t\t}\n"
     "\t\tcase 'z': {\n\t\t\tfor (; isspace(*s); s++);\n\t\t\tif (*s == 'Z') {\n\t\t\t\ts++, tm->__tm_gmtoff = 0;\n\t\t\t\tbreak;\n\t\t\t}\n"
     "\t\t\tif (*s != '+' && *s != '-') return 0;\n\t\t\tint west = *s++ == '-', digits = 0, value = 0;\n"
     "\t\t\tfor (; digits < 4 && isdigit(*s); digits++) {\n\t\t\t\tvalue = value * 10 + *s++ - '0';\n"
     "\t\t\t\tif (*s == ':' && digits == 1 && isdigit(s[1])) s++;\n\t\t\t}\n"
     "\t\t\tif (digits == 2) value *= 100;\n\t\t\telse if (digits != 4 || value % 100 >= 60) return 0;\n"
     "\t\t\ttm->__tm_gmtoff = (west ? -1 : 1) * (value / 100 * 3600 + value % 100 * 60);\n\t\t\tbreak;\n\t\t}\n\t\tcase 'D':\n"),
    ("src/time/strptime.c", r"\t\tnumeric_range:\n", "\t\tnumeric_range:\n\t\t\tfor (; *s == ' '; s++);\n"),
    ("src/time/strptime.c", r"\t\tnumeric_digits:\n", "\t\tnumeric_digits:\n\t\t\tfor (; *s == ' '; s++);\n"),
    # As in glibc, of no text a short piece is nothing.
    ("src/stdio/vfprintf.c", r'a = arg.p \? arg.p : "\(null\)";', 'a = arg.p ? arg.p : p >= 0 && p < 6 ? "" : "(null)";'),
    # glibc's sizes, which programs see in *n: 120 bytes at first, then at least twice as many. A line of unknown length
    # then asks for no buffer of unknown size.
    ("src/stdio/getdelim.c", r"size_t m = i\+k\+2;\n\t\t\tif \(!z && m < SIZE_MAX/4\) m \+= m/2;",
     "size_t had = *n ? *n : 120, m = had;\n\t\t\tif (i+k >= had) m = had < SIZE_MAX/4 && 2*had > i+k+1 ? 2*had : i+k+1;"),
    ("src/stdio/vfwprintf.c", r'if \(!arg.p\) arg.p = "\(null\)";', 'if (!arg.p) arg.p = p >= 0 && p < 6 ? "" : "(null)";'),
    # A call without bytes flushes what the stream has, or numbers that wprintf writes are lost.
    ("src/stdio/open_wmemstream.c", r"size_t len2;\n\twchar_t \*newbuf;",
     "size_t len2 = f->wpos - f->wbase;\n\twchar_t *newbuf;\n\tif (len2) {\n\t\tf->wpos = f->wbase;\n"
     "\t\tif (wms_write(f, f->wbase, len2) < len2) return 0;\n\t}"),
    # glibc/glob.c expands braces.
    ("src/regex/glob.c", r"int glob\(const char", "int __homi_glob(const char"),
    ("src/regex/glob.c", r"weak_alias\(glob, glob64\);\n", ""),
    # exit.c asks whether anything is registered.
    ("src/exit/atexit.c", r"\} builtin, \*head;\n",
     "} builtin, *head;\n\nhidden int __homi_has_handlers(void)\n{\n\treturn head != 0;\n}\n"),
    # Every path ends in __stdio_exit, and calls cost more than looks: one for each stream with something to do.
    ("src/stdio/ofl.c", r"static FILE \*ofl_head;", "#define ofl_head __homi_open_streams\nhidden FILE *ofl_head;"),
    ("src/stdio/__stdio_exit.c", r"void __stdio_exit\(void\)\n\{.*?\n\}\n", """#include "libc.h"
hidden extern FILE *__homi_open_streams; /* ofl.c */

#define FINISH(stream) do { \\
	FILE *file = (stream); \\
	if (file && (file->lock >= 0 || file->wpos != file->wbase || file->rpos != file->rend)) close_file(file); \\
} while (0)

void __stdio_exit(void)
{
	FILE *open = libc.need_locks ? *__ofl_lock() : __homi_open_streams;
	for (; open; open = open->next) FINISH(open);
	FINISH(__stdin_used);
	FINISH(__stdout_used);
	FINISH(__stderr_used);
}
"""),
    # Defaults of glibc: no locale variable means C, no TZ means UTC (the machine's own zone must not matter).
    ("src/locale/locale_map.c", r'\(val = "C.UTF-8"\);', '(val = "C");'),
    ("src/time/__tz.c", r'if \(!s\) s = "/etc/localtime";', "if (!s) s = __utc;"),
    # Access to the floating-point environment would turn all arithmetic of the file into constrained intrinsics.
    *((f"src/math/{name}.c", r"#pragma STDC FENV_ACCESS ON", "") for name in FENV),
    ("src/locale/langinfo.c", r'"ASCII"', '"ANSI_X3.4-1968"'),
    # The first real-time signal is glibc's; signal 34 is none of libc's own.
    ("src/signal/sigrtmin.c", r"return 35;", "return 34;"),
    *((f"src/signal/{name}.c", r"sig-32U < 3", "sig-32U < 2") for name in ("sigaction", "sigaddset", "sigdelset")),
    ("src/signal/sigfillset.c", r"0xfffffffc7ffffffful", "0xfffffffe7ffffffful"),
    ("src/signal/block.c", r"0xfffffffc7fffffff\n", "0xfffffffe7fffffff\n"),
    # glibc does not tell a signal of raise from one of kill.
    ("src/signal/sigtimedwait.c", r"while \(ret==-EINTR\);", "while (ret==-EINTR);\n\tif (ret > 0 && si && si->si_code == SI_TKILL) si->si_code = SI_USER;"),
    # glibc's headers look into a locale_t for the tables of characters.
    ("src/internal/libc.h", r"const struct __locale_map \*cat\[6\];",
     "const struct __locale_map *cat[6];\n\tvoid *unused[7];\n\tconst unsigned short *classes;\n"
     "\tconst int *lower, *upper;\n\tconst char *names[13];"),
    ("src/ctype/__ctype_b_loc.c", r"static const unsigned short table\[\]", "const unsigned short __homi_classes[]"),
    ("src/ctype/__ctype_b_loc.c", r"ptable = table\+128", "ptable = __homi_classes+128"),
    ("src/locale/c_locale.c", r"const struct __locale_struct __c_locale = \{ 0 \};",
     "extern const unsigned short __homi_classes[];\nextern const int __homi_lower[], __homi_upper[];\n"
     "#define HOMI_TABLES .classes = __homi_classes + 128, .lower = __homi_lower + 128, .upper = __homi_upper + 128\n"
     "const struct __locale_struct __c_locale = { HOMI_TABLES };"),
    ("src/locale/c_locale.c", r"\.cat\[LC_CTYPE\] = &__c_dot_utf8", ".cat[LC_CTYPE] = &__c_dot_utf8, HOMI_TABLES"),
    ("src/locale/newlocale.c", r"struct __locale_struct tmp;", "struct __locale_struct tmp = *C_LOCALE;"),
    ("src/locale/newlocale.c", r"if \(!default_locale_init_done\) \{",
     "if (!default_locale_init_done) {\n\t\tdefault_locale = default_ctype_locale = *C_LOCALE;"),
    ("src/locale/duplocale.c", r"\*new = \*old;",
     "*new = *old;\n\tnew->classes = C_LOCALE->classes, new->lower = C_LOCALE->lower, new->upper = C_LOCALE->upper;"),
    # Of locales there are C and any language's with UTF-8; another name is an error.
    ("src/locale/locale_map.c", r"const struct __locale_map \*__get_locale\(int cat",
     "static int is_known(const char *name)\n{\n\tconst char *set = strchr(name, '.');\n\tsize_t n = set ? set - name : 0, i;\n"
     "\tif (!set || (strncasecmp(set, \".utf8\", 5) && strncasecmp(set, \".utf-8\", 6))) return 0;\n"
     "\tset += set[4] == '-' ? 6 : 5;\n\tif (*set && *set != '@') return 0;\n"
     "\tif (n == 1 && *name == 'C') return 1;\n\tfor (i = 0; i < n && name[i] >= 'a' && name[i] <= 'z'; i++);\n"
     "\treturn (i == 2 || i == 3) && n == i + 3 && name[i] == '_' && name[i+1] - 'A' < 26u && name[i+2] - 'A' < 26u;\n}\n\n"
     "const struct __locale_map *__get_locale(int cat"),
    ("src/locale/locale_map.c", r"#include <string.h>", "#include <errno.h>\n#include <string.h>\n#include <strings.h>"),
    ("src/locale/locale_map.c", r"val\[n\]\) val = \"C.UTF-8\";", "val[n]) return LOC_MAP_FAILED;"),
    ("src/locale/locale_map.c", r"if \(!new && \(new = malloc", "if (!new && !is_known(val)) {\n\t\terrno = ENOENT;\n\t\treturn LOC_MAP_FAILED;\n\t}\n\tif (!new && (new = malloc"),
    # The word that no key matches is the value.
    ("src/misc/getsubopt.c", r"\treturn -1;", "\t*val = s;\n\treturn -1;"),
    ("src/unistd/dup3.c", r"#ifdef SYS_dup2", "#ifndef SYS_dup3"),
    ("src/mq/mq_open.c", r"if \(\*name == '/'\) name\+\+;", "if (*name++ != '/') return __syscall_ret(-EINVAL);"),
    ("src/mq/mq_unlink.c", r"if \(\*name == '/'\) name\+\+;", "if (*name++ != '/') return __syscall_ret(-EINVAL);"),
    ("src/linux/epoll.c", r"return epoll_create1\(0\);", "return size <= 0 ? __syscall_ret(-EINVAL) : epoll_create1(0);"),
    # A machine without the file has no such account.
    *((f"src/passwd/get{kind}_a.c", rf'(fopen\("/etc/{name}", "rbe"\);\n\tif \(!f\) \{{\n\t\trv = errno);', r"\1 == ENOENT ? 0 : errno;")
      for kind, name in (("pw", "passwd"), ("gr", "group"))),
    ("src/aio/aio.c", r"/\* Unspecified behavior case\.", "if (__syscall(SYS_fcntl, fd, 1) < 0) {\n\t\terrno = EBADF;\n\t\treturn -1;\n\t}\n\t/* Unspecified behavior case."),
    ("src/ctype/__ctype_get_mb_cur_max.c", r"return MB_CUR_MAX;", "return MB_CUR_MAX == 1 ? 1 : 6;"),
    ("src/misc/pty.c", r"return ioctl\(fd, TIOCSPTLCK, &unlock\);", "int result = ioctl(fd, TIOCSPTLCK, &unlock);\n\tif (result < 0 && errno == ENOTTY) errno = EINVAL;\n\treturn result;"),
    ("src/misc/pty.c", r"(int grantpt\(int fd\)\n\{\n)\treturn 0;", r"\1\treturn __syscall(SYS_fcntl, fd, 1) < 0 ? __syscall_ret(-EBADF) : 0;"),
    # IPv4 addresses in IPv6 ones end with dots; an address without names has no aliases; protocols of numeric services.
    ("src/network/inet_ntop.c", r"if \(memcmp\(a,",
     "if (!memcmp(a, \"\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\", 12) && (a[12] || a[13]))\n"
     "\t\t\tsnprintf(buf, sizeof buf, \"::%d.%d.%d.%d\", a[12], a[13], a[14], a[15]);\n\t\telse if (memcmp(a,"),
    ("src/network/getaddrinfo.c", r"if \(canon_len\) \{", "if (canon_len && (flags & AI_CANONNAME)) {"),
    ("src/network/getaddrinfo.c", r"\.ai_canonname = outcanon", ".ai_canonname = k ? 0 : outcanon"),
    ("src/network/lookup_serv.c", r"(case IPPROTO_TCP:\n\t\t\tbreak;\n\t\tdefault:\n\t\t\treturn) EAI_SERVICE;", r"\1 EAI_SOCKTYPE;"),
    ("src/network/lookup_serv.c", r"(case IPPROTO_UDP:\n\t\t\tbreak;\n\t\tdefault:\n\t\t\treturn) EAI_SERVICE;", r"\1 EAI_SOCKTYPE;"),
    ("src/network/lookup_serv.c", r"if \(name\) return EAI_SERVICE;", "if (socktype != SOCK_RAW) return EAI_SOCKTYPE;\n\t\tif (name) return EAI_SERVICE;"),
    *((f"src/network/getservby{key}.c", r"return &se;", "return res;") for key in ("name", "port")),
    # Programs are compiled with glibc's headers, whose structures are the kernel's own: nothing to convert.
    *((f"src/network/{name}.c", r"#if LONG_MAX > INT_MAX", "#if 0") for name in ("sendmsg", "sendmmsg")),
    # A query asks for no authentic data.
    ("src/network/res_mkquery.c", r"q\[3\] = 32;[^\n]*", ""),
    # No such service is no error.
    *((f"src/network/getservby{key}_r.c", r"return ENOENT;", "return 0;") for key in ("name", "port")),
    ("src/network/gethostbyname2_r.c", r"h->h_name = h->h_aliases\[0\] = buf;", "h->h_name = buf;"),
    ("src/network/gethostbyname2_r.c", r"h->h_aliases\[1\] = buf;\n\t\tstrcpy\(h->h_aliases\[1\], name\);\n\t\tbuf \+= strlen\(h->h_aliases\[1\]\)\+1;"
     r"\n\t\} else h->h_aliases\[1\] = 0;\n\n\th->h_aliases\[2\] = 0;",
     "h->h_aliases[0] = buf;\n\t\tstrcpy(h->h_aliases[0], name);\n\t} else h->h_aliases[0] = 0;\n\n\th->h_aliases[1] = 0;"),
    ("src/network/lookup.h", r"#define MAXSERVS 2", "#define MAXSERVS 3"),
    ("src/network/lookup_serv.c", r"buf\[cnt\+\+\]\.proto = IPPROTO_UDP;\n\t\t\}\n\t\treturn cnt;",
     "buf[cnt++].proto = IPPROTO_UDP;\n\t\t}\n\t\tif (cnt == 2 && !proto) {\n\t\t\tbuf[cnt].port = port;\n"
     "\t\t\tbuf[cnt].socktype = SOCK_RAW;\n\t\t\tbuf[cnt++].proto = 0;\n\t\t}\n\t\treturn cnt;"),
    ("src/network/lookup_ipliteral.c", r"/\* wrong family \*/\n\t\t\treturn EAI_NONAME;", "/* EAI_ADDRFAMILY */\n\t\t\treturn -9;"),
    ("src/network/lookup_ipliteral.c", r"if \(family == AF_INET\) /\* wrong family \*/\n\t\treturn EAI_NONAME;", "if (family == AF_INET)\n\t\treturn -9;"),
    # %a: subnormal numbers keep the least exponent, four bits of a long double come before the point.
    ("src/stdio/vfprintf.c", r"l = fmt_fp\(f, arg\.f, w, p, fl, t\);", "l = fmt_fp(f, arg.f, w, p, fl | (st==LDBL ? 1<<30 : 0), t);"),
    ("src/stdio/vfprintf.c", r"long double round = 8\.0;\n\t\tint re;",
     "long double round = 8.0;\n\t\tint re, least = fl & 1<<30 ? -16385 : -1022, more = fl & 1<<30 ? 3 : 0;\n"
     "\t\tif (y) {\n\t\t\tif (e2 - more < least) more = e2 - least;\n\t\t\ty = scalbnl(y, more);\n\t\t\te2 -= more;\n\t\t}"),
    ("src/stdio/vfprintf.c", r"\t\testr=fmt_u\(e2<0 \? -e2 : e2, ebuf\);\n\t\tif \(estr==ebuf\) \*--estr='0';\n\t\t\*--estr = \(e2<0 \? '-' : '\+'\);\n\t\t\*--estr = t\+\('p'-'a'\);",
     "\t\tif (y >= 16) y /= 16, e2 += 4;\n\t\testr=fmt_u(e2<0 ? -e2 : e2, ebuf);\n\t\tif (estr==ebuf) *--estr='0';\n"
     "\t\t*--estr = (e2<0 ? '-' : '+');\n\t\t*--estr = t+('p'-'a');"),
    # Symbolic widths: a path for each width, not symbolic lengths of everything that follows (see homi_settle.h).
    ("src/stdio/vfprintf.c", r"static void pad\(", '#include "homi_settle.h"\n\nstatic void pad('),
    ("src/stdio/vfprintf.c", r"l = w - l;\n\tmemset", "l = homi_settled(w - l);\n\tmemset"),
    ("src/stdio/vfprintf.c", r"if \(w < pl\+p\) w = pl\+p;", "w = w <= pl+p ? pl+p : pl+p + homi_settled(w - (pl+p));"),
    # Symbolic numbers in a fixed number of hexadecimal digits (see homi_hex.h).
    ("src/stdio/vfprintf.c", r"static void pad\(", '#include "homi_hex.h"\n\nstatic void pad('),
    ("src/stdio/vfprintf.c", r"\t\t\ta = fmt_x\(arg\.i, z, t&32\);",
     "\t\t\tif (!(fl & (ALT_FORM|LEFT_ADJ)) && (l = homi_hex_digits(arg.i, xp ? p : fl & ZERO_PAD ? w : 0))) {\n"
     "\t\t\t\ta = homi_hex(arg.i, z, t&32, p = l);\n\t\t\t\tfl &= ~ZERO_PAD;\n\t\t\t\tbreak;\n\t\t\t}\n\t\t\ta = fmt_x(arg.i, z, t&32);"),
    # Characters that the target does not have, and glibc's name of ASCII (see homi_iconv.h).
    ("src/locale/iconv.c", r"static int fuzzycmp", '#include "homi_iconv.h"\n\nstatic int fuzzycmp'),
    ("src/locale/iconv.c", r'"ascii\\0usascii', r'"ascii\\0ansix341968\\0usascii'),
    ("src/locale/iconv.c", r"struct stateful_cd \*scd;\n\n\tif", "struct stateful_cd *scd;\n\tchar to_name[64], from_name[64];\n"
     "\tsize_t flags = homi_iconv_name(to_name, sizeof to_name, to);\n\thomi_iconv_name(from_name, sizeof from_name, from);\n"
     "\tto = to_name;\n\tfrom = from_name;\n\n\tif"),
    ("src/locale/iconv.c", r"iconv_t cd = combine_to_from\(t, f\);", "iconv_t cd = (iconv_t)((size_t)combine_to_from(t, f) | flags << 48);"),
    ("src/locale/iconv.c", r"return \(size_t\)cd >> 16;", "return (size_t)cd >> 16 & 0xffff;"),
    ("src/locale/iconv.c", r"unsigned c, d;\n\tsize_t k, l;", "unsigned c, d, wide, flags = (size_t)cd >> 48, ignored = 0;\n\tsize_t k, l;"),
    ("src/locale/iconv.c", r"\t\tswitch \(totype\) \{\n", "\t\twide = c;\n\t\tswitch (totype) {\n"),
    ("src/locale/iconv.c", r"if \(c > 0x7f\) subst: x\+\+, c='\*';",
     "if (c > 0x7f) {\n\t\t\tsubst:\n\t\t\t\tif (flags & HOMI_TRANSLIT) {\n\t\t\t\t\tconst char *text = homi_transliteration(wide);\n"
     "\t\t\t\t\tk = strlen(text);\n\t\t\t\t\tif (*outb < k) goto toobig;\n\t\t\t\t\tmemcpy(*out, text, k);\n\t\t\t\t\t*out += k;\n"
     "\t\t\t\t\t*outb -= k;\n\t\t\t\t\tx++;\n\t\t\t\t\tbreak;\n\t\t\t\t}\n\t\t\t\tif (!(flags & HOMI_IGNORE)) goto ilseq;\n"
     "\t\t\t\tignored = 1;\n\t\t\t\tbreak;\n\t\t\t}"),
    ("src/locale/iconv.c", r"\t\*ploc = loc;\n\treturn x;\nilseq:", "\tif (!ignored) {\n\t\t*ploc = loc;\n\t\treturn x;\n\t}\nilseq:"),
    # Nobody else runs while a thread spins.
    ("src/thread/__wait.c", r"int spins=100;", "int spins=0;"),
    # Programs may assign to the standard streams, which glibc declares as variables.
    ("include/stdio.h", r"extern FILE \*const std", "extern FILE *std"),
    *((f"src/stdio/{name}.c", rf"FILE \*const {name} =", f"FILE *{name} =") for name in ("stdin", "stderr")),
    # %p prints (nil), and no leading zeros.
    ("src/stdio/vfprintf.c", r"case 'p':\n\t\t\tp = MAX\(p, 2\*sizeof\(void\*\)\);",
     "case 'p':\n\t\t\tif (!arg.i) {\n\t\t\t\ta = \"(nil)\";\n\t\t\t\tz = a + (p = 5);\n\t\t\t\tfl &= ~ZERO_PAD;\n"
     "\t\t\t\tbreak;\n\t\t\t}"),
    # No number in the text is no error.
    ("src/internal/floatscan.c", r"errno = EINVAL;", ""),
    # Symbolic digits: a zero digit is no fork, and short numbers take one operation (see homi_decimal.h).
    ("src/internal/floatscan.c", r"static long double decfloat", '#include "homi_decimal.h"\n\nstatic long double decfloat'),
    ("src/internal/floatscan.c", r"if \(c!='0'\) lnz = dc;", "lnz += (int)(dc - lnz) & -(c != '0');"),
    ("src/internal/floatscan.c", r"/\* Align incomplete final B1B digit \*/",
     "if (homi_short_decimal(x, dc, lrp - dc, bits, sign, &y)) return y;\n"
     "\tlrp = homi_one_value(x, dc, lrp);"),
    ("src/internal/floatscan.c", r"\(bits>30 \|\| x\[0\]>>bits==0\)\)\n\t\treturn sign \* \(long double\)x\[0\];",
     "(bits>30 || x[0]>>bits==0))\n\t\treturn (long double)((long long)sign * x[0]);"),
    # The same for up to eight hexadecimal digits.
    ("src/internal/floatscan.c", r"if \(bits < LDBL_MANT_DIG\)\n\t\tbias = copysignl\(scalbn\(1, 32",
     "if (bits >= 32 && !y) return scalbnl((long double)((long long)sign * x), e2);\n"
     "\tif (bits < LDBL_MANT_DIG)\n\t\tbias = copysignl(scalbn(1, 32"),
    # The sharpest limits of the exponent: what overflows or vanishes in any case takes no part in what follows.
    ("src/internal/floatscan.c", r"lrp > -emin/2", "lrp > HOMI_LARGEST_POINT(bits)"),
    ("src/internal/floatscan.c", r"lrp < emin-2\*LDBL_MANT_DIG", "lrp < HOMI_SMALLEST_POINT(bits)"),
    # Of the at most 64 binary digits before the radix point the low ones are cut off as an integer, without fmodl.
    ("src/internal/floatscan.c", r"for \(y=i=0; i<LD_B1B_DIG; i\+\+\)", "uint64_t whole = 0;\n\tfor (i=0; i<LD_B1B_DIG; i++)"),
    ("src/internal/floatscan.c", r"y = 1000000000.0L \* y \+ x\[a\+i & MASK\];", "whole = 1000000000 * whole + x[a+i & MASK];"),
    ("src/internal/floatscan.c", r"y \*= sign;", "y = sign < 0 ? -(long double)whole : (long double)whole;"),
    ("src/internal/floatscan.c", r"frac = fmodl\(y, scalbn\(1, LDBL_MANT_DIG-bits\)\);",
     "whole &= bits ? ((uint64_t)1 << (LDBL_MANT_DIG - bits)) - 1 : -1;\n"
     "\t\tfrac = sign < 0 ? -(long double)whole : (long double)whole;"),
    # Only the smallest normal number is not subnormal of those that rounding up gives.
    ("src/internal/floatscan.c", r"bits==LDBL_MANT_DIG\+e2-emin", "LDBL_MANT_DIG+e2-emin == (emin == -149 ? 23 : emin == -1074 ? 52 : 63)"),
    # Hours padded with blanks, am and pm in small letters; an unknown conversion is copied.
    ("src/time/strftime.c", r"\tcase 'p':\n",
     "\tcase 'k':\n\tcase 'l':\n\t\tval = f == 'k' ? tm->tm_hour : (tm->tm_hour + 11) % 12 + 1;\n\t\t*l = snprintf(*s, sizeof *s, pad == '0' ? \"%02lld\" : pad == '-' ? \"%lld\" : \"%2lld\", val);\n"
     "\t\treturn *s;\n\tcase 'P':\n\t\t*l = 2;\n\t\treturn tm->tm_hour >= 12 ? \"pm\" : \"am\";\n\tcase 'p':\n"),
    ("src/time/strftime.c", r"\t\tf\+\+;\n\t\tpad = 0;", "\t\tconst char *start = f++;\n\t\tint bad = 0;\n\t\tpad = 0;"),
    ("src/time/strftime.c", r"if \(\*f == 'E' \|\| \*f == 'O'\) f\+\+;",
     "if (*f == 'E' || *f == 'O') {\n\t\t\tbad = f[1] && !strchr(*f == 'E' ? \"cCxXyYpPrRTZzntu%\" : \"bBCdegGhHIjklmMsSuUVwWypPrRTZznt%\", f[1]);\n\t\t\tf++;\n\t\t}"),
    ("src/time/strftime.c", r"t = __strftime_fmt_1\(&buf, &k, \*f, tm, loc, pad\);\n\t\tif \(!t\) break;",
     "t = bad ? 0 : __strftime_fmt_1(&buf, &k, *f, tm, loc, pad);\n\t\tif (!t) {\n\t\t\tt = start;\n\t\t\tk = f - start + (*f != 0);\n"
     "\t\t\tf -= !*f;\n\t\t\twidth = 0;\n\t\t}"),
    # A hexadecimal number that is cut off because it is subnormal, too.
    ("src/internal/floatscan.c", r"\ty = bias \+ sign\*\(long double\)x \+ sign\*y;\n\ty -= bias;\n\n\tif \(!y\) errno = ERANGE;",
     "\tlong double exact = sign*(long double)x + sign*y;\n\ty = bias + sign*(long double)x + sign*y;\n\ty -= bias;\n\n"
     "\tif (!y || (y != exact && bits == 32+e2-emin && fabsl(scalbnl(y, e2)) < (emin == -149 ? 0x1p-126L : emin == -1074 ? 0x1p-1022L : 0x1p-16382L))) errno = ERANGE;"),
    # A stream used against its mode sets errno.
    *((f"src/stdio/__to{way}.c", r"f->flags \|= F_ERR;", "f->flags |= F_ERR;\n\t\terrno = EBADF;") for way in ("read", "write")),
    # In the C locale one byte is one character, with one fork (is it ASCII) instead of three.
    ("src/multibyte/mbrtowc.c", r"if \(\*s < 0x80\) return !!\(\*wc = \*s\);\n\t\tif \(MB_CUR_MAX==1\)[^\n]*",
     "if (MB_CUR_MAX==1) {\n\t\t\tif (*s >= 0x80) goto ilseq;\n\t\t\treturn !!(*wc = *s);\n\t\t}\n"
     "\t\tif (*s < 0x80) return !!(*wc = *s);"),
    ("src/multibyte/btowc.c", r"\(MB_CUR_MAX==1 && c!=EOF\) \? CODEUNIT\(c\) : WEOF", "WEOF"),
    *((f"src/ctype/isw{kind}.c", rf"int isw{kind}\(wint_t (\w+)\)\n\{{",
       rf'#include "homi_wide.h"\nint isw{kind}(wint_t \1)\n{{\n\tHOMI_IN_C_LOCALE(\1, is{kind}(\1))')
      for kind in "alpha blank cntrl graph lower print punct space upper".split()),
    *((f"src/ctype/towctrans.c", rf"wint_t tow{kind}\(wint_t (\w+)\)\n\{{",
       rf'#include "homi_wide.h"\nwint_t tow{kind}(wint_t \1)\n{{\n\tHOMI_CASE_IN_C_LOCALE(\1, to{kind})')
      for kind in ("upper", "lower")),
    ("src/ctype/wcwidth.c", r"int wcwidth\(wchar_t (\w+)\)\n\{",
     '#include "homi_wide.h"\nint wcwidth(wchar_t \\1)\n{\n\tHOMI_WIDTH_IN_C_LOCALE(\\1)'),
]


def wanted(name, dropped):
    """Whether the tarball's member is part of the copy: sources and headers, no other machine's files."""
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "compat":
        return parts[-1] in ("__xstat.c", "time32.h")
    if parts[0] == "arch":
        return parts[1] == "generic" or (parts[1] == "x86_64" and (
            parts[2] == "bits" or parts[2] in ("kstat.h", "ksigaction.h")))
    if parts[0] == "src":
        if len(parts) > 3 and parts[1] not in ("malloc", "include"):
            return False  # src/X/ARCH/
        return name in KEPT or name not in dropped
    return parts[0] in ("include", "tools") or name in ("VERSION", "COPYRIGHT")


def messages():
    """The machine's own texts of errors and signals (Python asks its C library), as an X-macro list in C."""
    lines = ["/* Made by prepare.py from this machine's C library. */"]
    for number in range(134):
        text = os.strerror(number)
        if not text.startswith("Unknown error"):
            lines.append(f"ERROR_TEXT({number}, {json.dumps(text)})")
    for number in range(1, 32):
        text = signal.strsignal(number)
        if text:
            lines.append(f"SIGNAL_TEXT({number}, {json.dumps(text)})")
    return "\n".join(lines).encode() + b"\n"


def regular_expressions(tarball):
    """GNU's regular expressions of a tarball that has gnulib."""
    result = {}
    with tarfile.open(tarball) as archive:
        for member in archive:
            parts = member.name.split("/")
            if parts[1:-1] == ["lib"] and parts[-1] in GNULIB:
                result["gnulib/" + parts[-1]] = archive.extractfile(member).read()
    missing = [name for name in GNULIB if "gnulib/" + name not in result]
    if missing:
        sys.exit(f"prepare.py: {tarball} has no lib/{missing[0]}")
    result["include/regex.h"] = result.pop("gnulib/regex.h")
    return result


def main(tarball, gnulib, tree):
    tree = pathlib.Path(tree)
    files = {}
    with tarfile.open(tarball) as archive:
        for member in archive:
            if member.isfile():
                files[member.name.split("/", 1)[1]] = archive.extractfile(member).read()

    dropped = {name for name in files for pattern in DROPPED if pathlib.PurePosixPath(name).match(pattern)}
    for pattern in DROPPED:
        if not any(pathlib.PurePosixPath(name).match(pattern) for name in files):
            sys.exit(f"prepare.py: nothing in {tarball} matches {pattern}")
    result = {}
    for name, content in files.items():
        if name.startswith("src/malloc/") and name not in KEPT:
            continue
        if wanted(name, dropped):
            # Struct layouts, numbers of system calls: the kernel's for x86-64, as glibc's.
            result[name.replace("arch/x86_64/", "arch/homi/")] = content

    for name, pattern, replacement in EDITS:
        text, count = re.subn(pattern, replacement, result[name].decode(), flags=re.S)
        if count == 0 or (count > 1 and not pattern.startswith(MANY)):
            sys.exit(f"prepare.py: {pattern!r} matches {count} times in {name}")
        result[name] = text.encode()

    overlay = HERE / "overlay"
    for path in sorted(overlay.rglob("*")):
        if path.is_file():
            name = str(path.relative_to(overlay))
            result[name] = path.read_bytes()
            if "/homi/" in name and name.startswith("src/"):
                replaced = name.replace("/homi/", "/")
                if replaced not in result:
                    sys.exit(f"prepare.py: {name} replaces nothing")
                del result[replaced]
    result.update(regular_expressions(gnulib))
    result["src/internal/homi_messages.h"] = messages()
    for path in sorted(SHIM.glob("*.[ch]")):
        result[f"src/glibc/{path.name}"] = path.read_bytes()

    for old in sorted(tree.rglob("*"), reverse=True):
        if old.is_file() and str(old.relative_to(tree)) not in result:
            old.unlink()
    for name, content in result.items():
        path = tree / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
