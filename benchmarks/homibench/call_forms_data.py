"""Calls of libc on characters, times, patterns, tables and numbers, as forms of `call_programs`."""

FORMS: dict[str, list[str]] = {
    "characters": [
        """int c = @byte{} - @word{0|1}; S(!!isalpha(c)); S(!!ispunct(c)); S(!!isspace(c)); S(!!isxdigit(c)); S(toupper(c));""",
        """int c = @byte{}; S(!!isblank(c)); S(!!iscntrl(c)); S(!!isgraph(c)); S(!!isprint(c)); S(tolower(c)); S(toascii(c));""",
        """wint_t c = @any{wint_t:65|0xe4|0xdf|0x130|0x131|0x1c5|0x3c2|0x20ac|0x2160|0x660|0xff10|0x1f600|0x3000|0xa0|0x2028|0x200b|0x378|0xd800|0x110000|0x7fffffff|WEOF|0xaa|0x1d400|0x10400|0xab70|0x1e9e};
        S(!!iswalpha(c)); S(!!iswpunct(c)); S(!!iswspace(c)); S(!!iswdigit(c)); S(!!iswupper(c)); S(!!iswlower(c)); S(!!iswprint(c)); S(towupper(c)); S(towlower(c));""",
        """wint_t c = @any{wint_t:65|0xe4|0x300|0x20ac|0x1100|0x3042|0x1f600|0x200b|0xad|0|7|0x378|0x110000|0xff01|0xe000};
        S(wcwidth(c)); S(!!iswctype(c, wctype("@word{alpha|punct|blank|graph|cntrl|xdigit|alnum|none}"))); S(towctrans(c, wctrans("@word{toupper|tolower|none|totitle}")));""",
        """S(wctype("@word{alpha|none|}") != 0); S(wctrans("@word{toupper|none}") != 0); S(iswctype(@byte{}, 0)); S(btowc(@byte{})); S(wctob(@any{wint_t:65|0x7f|0x80|0xe4|0x100|WEOF}));""",
    ],
    "wide characters": [
        """char t[] = {@byte{}, @word{(char)0xa4|'a'|(char)0x9f|0}, @word{'b'|(char)0x98|0}, 0}; wchar_t c = 7; A(mbtowc(&c, t, @any{size_t:1|2|3|4})); S(c);""",
        """char t[] = {@word{(char)0xc3|(char)0xe2|(char)0xf0|'a'}, @byte{}, @word{(char)0x82|'x'}, (char)0x80, 0}; wchar_t c = 7; mbstate_t s = {0}; A(mbrtowc(&c, t, @any{size_t:0|1|2|3|4}, &s)); S(c); A(mbrtowc(&c, t + 2, 2, &s)); S(!!mbsinit(&s));""",
        """char t[] = {@word{'a'|(char)0xc3}, @byte{}, 'b', 0}; A(mbstowcs(wide, t, @any{size_t:0|1|2|9})); A(mbstowcs(0, t, 0)); S(wide[0]);""",
        """char t[] = {@word{'a'|(char)0xc3}, @byte{}, 'b', 0}; const char *p = t; mbstate_t s = {0}; wide[0] = 5; A(mbsrtowcs(wide, &p, @any{size_t:0|1|2|9}, &s)); S(p ? p - t : -1); S(wide[0]); p = t; A(mbsnrtowcs(wide, &p, @up{4}, 3, &s)); S(p ? p - t : -1);""",
        """memset(buf, 0, 9); A(wctomb(buf, @any{wchar_t:0|65|0x7f|0x80|0xff|0xe4|0x20ac|0xd800|0xdfff|0x10ffff|0x110000|-1|0x7fffffff})); bytes("buf", buf, 5);""",
        """wchar_t t[] = {@any{wchar_t:65|0xe4|0x80|0xd800}, @any{wchar_t:0|66|0x20ac|0x110000}, 0}; const wchar_t *p = t; mbstate_t s = {0}; memset(buf, 0, 12); A(wcsrtombs(buf, &p, @any{size_t:0|1|2|3|9}, &s)); S(p ? p - t : -1); bytes("buf", buf, 6); p = t; A(wcsnrtombs(buf, &p, @any{size_t:0|1|2|3}, 8, &s)); A(wcstombs(0, t, 0));""",
        """char t[] = {@byte{}, (char)0xa4, 0}; mbstate_t s = {0}; A(mbrlen(t, @any{size_t:0|1|2}, &s)); A(mblen(t, 2)); A(mblen(t, 0));""",
        """#include <uchar.h>
        char16_t c = 7; mbstate_t s = {0}; char t[] = {(char)0xf0, (char)0x9f, @byte{}, (char)0x80, 0}; A(mbrtoc16(&c, t, @any{size_t:1|2|4}, &s)); S(c); A(mbrtoc16(&c, t + 1, 3, &s)); S(c);""",
        """#include <uchar.h>
        mbstate_t s = {0}; memset(buf, 0, 9); A(c16rtomb(buf, @any{char16_t:65|0xe4|0xd83d|0xde00}, &s)); A(c16rtomb(buf, @any{char16_t:65|0xde00|0xd83d}, &s)); A(c32rtomb(buf, @any{char32_t:65|0xe4|0xd83d|0x110000}, &s)); bytes("buf", buf, 5);""",
        """wchar_t t[] = {@char{abc_}, @char{ab;}, @char{abc}, 0}, *s = 0; for (wchar_t *p = wcstok(t, L"; ", &s); p; p = wcstok(0, L";", &s)) W(p); wchar_t u[] = {@char{aB}, 0}; const wchar_t *q = wcsstr(t, u); S(q ? q - t : -1);""",
        """wchar_t t[] = {@char{aAbB}, @char{abB}, 0}, u[] = {@char{abAB}, 'b', 0}; int c = wcscmp(t, u); S((c > 0) - (c < 0)); c = wcscasecmp(t, u); S((c > 0) - (c < 0)); c = wmemcmp(t, u, 2); S((c > 0) - (c < 0)); c = wcscoll(t, u); S((c > 0) - (c < 0)); S(wcsspn(t, L"ab")); S(wcscspn(t, L"B"));""",
        """wchar_t t[] = {@any{wchar_t:65|0xe4|0x3042|0x300|7|0}, 66, 0}; S(wcswidth(t, @any{size_t:0|1|2})); S(wcsnlen(t, 2)); W(wcpncpy(wide, t, 5) - wcslen(t)); W(wcsncat(wide, L"xy", @up{3}));""",
    ],
    "times": [
        """time_t t = @any{long:0|1|-1|951782400|1234567890|2147483648|253402300799|-62135596800|-1e12|4e9|68719476736}; struct tm m; char *p = asctime_r(gmtime_r(&t, &m), buf); T(p); S(m.tm_yday); S(timegm(&m) == t); S(@byte{} & 1);""",
        """setenv("TZ", "@word{UTC0|EST5EDT,M3.2.0,M11.1.0|CET-1CEST,M3.5.0,M10.5.0/3|<+0330>-3:30|NZST-12NZDT,M9.5.0,M4.1.0/3|AAA|XYZ3XYW,J60/0,300/2|:Europe/Berlin|America/New_York}", 1); tzset();
        time_t t = @any{long:0|1700000000|1678604399|1678604400|1699163999|1711846800|1711846799|-100000000|4102444800}; struct tm m; localtime_r(&t, &m); S(m.tm_hour); S(m.tm_isdst); S(m.tm_gmtoff); T(m.tm_zone); S(timezone); S(daylight); T(tzname[@one{2}]); T(ctime_r(&t, buf));""",
        """setenv("TZ", "@word{UTC0|EST5EDT,M3.2.0,M11.1.0|CET-1CEST,M3.5.0,M10.5.0/3|Australia/Lord_Howe}", 1); tzset();
        struct tm m = {.tm_year = 123, .tm_mon = @any{int:2|10|0|9|3|-5|14}, .tm_mday = @any{int:12|5|26|29|0|32|-40}, .tm_hour = @any{int:0|1|2|3|25}, .tm_min = 30, .tm_sec = @word{0|61|-1}, .tm_isdst = @any{int:-1|0|1|2}};
        S(mktime(&m)); S(m.tm_mday); S(m.tm_hour); S(m.tm_isdst); S(m.tm_wday);""",
        """struct tm m = {.tm_year = @any{int:100|0|-1900|70|8100|-1901|69|124}, .tm_mon = @any{int:0|11|1|6}, .tm_mday = @any{int:1|31|9|29}, .tm_hour = @any{int:0|12|13|23}, .tm_min = 5, .tm_sec = 9, .tm_wday = @one{7}, .tm_yday = @any{int:0|364|200}, .tm_zone = "ZON"};
        char f[] = {'%', @char{-_0^#EO+5}, @char{1234OE_^}, @word{'Y'|'C'|'d'|'e'|'H'|'I'|'k'|'l'|'y'|'G'|'g'|'V'|'U'|'W'|'u'|'w'|'j'|'m'|'M'|'S'|'p'|'P'|'a'|'A'|'b'|'B'|'c'|'x'|'X'|'D'|'F'|'T'|'R'|'r'|'z'|'Z'|'h'|'n'|'t'|'%'|'q'|'L'|'f'|'N'|'+'}, '|', 0}; S(strftime(buf, sizeof buf, f, &m)); T(buf);""",
        """struct tm m = {.tm_year = 123, .tm_mon = 5, .tm_mday = @any{int:1|15|30}, .tm_hour = @any{int:0|9|12|21}, .tm_isdst = @word{0|1|-1}}; S(strftime(buf, @up{24}, "@word{%F %T|%c|%x|%X|%s|%P %p|%e/%k|%10Y|%-d.%-m|%^a %#Z|%Ey %Od|%G-%V|%j%%}", &m)); """,
        """struct tm m = {0}; char *p = strptime(@word{"2023-05-17 12:34:56"|"17/May/2023"|"5 pm"|"12 am"|"Mon, 01 Jan 2024"|"99 366"|"+0530"|"1700000000"|"  7 x"|"Januar 5"|"20230517"}, "@word{%Y-%m-%d %H:%M:%S|%d/%b/%Y|%I %p|%a, %d %b %Y|%y %j|%z|%s|%e x|%B %d|%Y%m%d|%F %T|%D|%C%y|%n%d|%h %Ed}", &m); S(p != 0); if (p) T(p); S(m.tm_year); S(m.tm_mon); S(m.tm_mday); S(m.tm_hour); S(m.tm_wday); S(m.tm_yday); S(@byte{} & 1);""",
        """struct tm m = {0}; char *t = @text{0123459-/:_+}; char *p = strptime(t, "@word{%d|%H:%M|%y|%m/%d|%j|%Y|%e-%m|%S|%U|%u|%w|%C|%k|%l|%t%d|%%|%z|%g|%V}", &m); S(p ? p - t : -1); S(m.tm_year); S(m.tm_mon); S(m.tm_mday); S(m.tm_hour); S(m.tm_min); S(m.tm_sec); S(m.tm_wday);""",
        """struct tm m = {.tm_year = @any{int:100|-1900|8099|8100|-2899|2147483647}, .tm_mday = 1, .tm_wday = @any{int:0|6|7|-1}, .tm_mon = @any{int:0|11|12|-1}}; A(asctime_r(&m, buf) != 0); S(@byte{} & 1);""",
        """wcsftime(wide, 60, L"@word{%F|%A %e|%5d|%Z|%-m}", &(struct tm){.tm_year = 100, .tm_mon = @one{12}, .tm_mday = @any{int:1|31}, .tm_wday = 3, .tm_zone = "UTC"}); W(wide);""",
    ],
    "patterns": [
        """#include <fnmatch.h>
        S(fnmatch(@text{ab*?[]!-^.\\/}, @text{ab./-_}, @word{0|FNM_PATHNAME|FNM_PERIOD|FNM_NOESCAPE|FNM_CASEFOLD|FNM_LEADING_DIR|FNM_EXTMATCH|FNM_PATHNAME | FNM_PERIOD|FNM_PATHNAME | FNM_LEADING_DIR}));""",
        """#include <fnmatch.h>
        S(fnmatch("@word{[a-c]*|[!a]b|[^a]b|[]a]b|[[:alpha:]]?|[[:digit:]-]*|[a-|[[.a.]]b|[[=a=]]*|*(a)b|+(a|?(ab)*|!(a*)|@(a)b|a\\\\*|[\\\\a]b|[a\\\\]*|?*b|**|[[.hyphen.]]*|[[:none:]]b|[/]b}", @text{ab.-/]_1}, @word{0|FNM_EXTMATCH|FNM_CASEFOLD|FNM_PATHNAME|FNM_PERIOD|FNM_NOESCAPE}));""",
        """#include <glob.h>
        mkdir("d", 0755); close(creat("d/ab", 0644)); close(creat("d/a", 0644)); close(creat("d/.h", 0644)); mkdir("d/s", 0700); glob_t g = {.gl_offs = 1};
        char p[] = {'d', '/', @char{a*?.[s}, @char{*b?/]a}, 0}; S(glob(p, @word{0|GLOB_MARK|GLOB_NOCHECK|GLOB_NOMAGIC|GLOB_PERIOD|GLOB_DOOFFS|GLOB_ONLYDIR|GLOB_NOESCAPE}, 0, &g)); S(g.gl_pathc); for (size_t i = 0; g.gl_pathv && i < g.gl_pathc; i++) S(g.gl_pathv[i + 0] ? g.gl_pathv[i][0] : 0); globfree(&g);""",
        """#include <glob.h>
        mkdir("e", 0755); close(creat("e/x", 0644)); close(creat("e/{y}", 0644)); glob_t g = {0}; const char *p[] = {"e/{x,z}", "{e,f}/*", "e/{", "e/{x,*}", "~none/x", "*/x", "e/[!x]*", "e//x", "e/\\\\x", "e/{}"};
        S(glob(p[@one{10}], @word{GLOB_BRACE|GLOB_BRACE + GLOB_NOCHECK|GLOB_TILDE|GLOB_TILDE_CHECK|0}, 0, &g)); S(g.gl_pathc); for (size_t i = 0; i < g.gl_pathc; i++) T(g.gl_pathv[i]); globfree(&g);""",
        """#include <regex.h>
        regex_t x; regmatch_t m[3]; int c = regcomp(&x, @text{ab*.+?()|[]^$\\}, @word{0|REG_EXTENDED|REG_ICASE|REG_EXTENDED | REG_NEWLINE}); S(c); if (c == 0) { int v = regexec(&x, @text{abc}, 3, m, @word{0|REG_NOTBOL|REG_NOTEOL}); S(v); if (v == 0) { S(m[0].rm_so); S(m[0].rm_eo); S(m[1].rm_so); } regfree(&x); }""",
        """#include <regex.h>
        const char *p[] = {"(a|b)*c", "a{1,2}b", "^a*$", "[[:alpha:]]+", "(a)(b)?", "a**", "[a-", "()b", "a|*b", "[[=a=]-c]", "a{2,1}", "(a", "a)", "x{,2}"};
        regex_t x; regmatch_t m[3]; int c = regcomp(&x, p[@one{14}], @word{REG_EXTENDED|0}); S(c); if (c) { S(regerror(c, &x, buf, sizeof buf)); T(buf); } else { int v = regexec(&x, @text{abc1}, 3, m, 0); S(v); if (v == 0) { S(m[0].rm_so); S(m[0].rm_eo); S(m[1].rm_so); S(m[2].rm_eo); } regfree(&x); }""",
        """#include <wordexp.h>
        const char *p[] = {"a b", "~/x", "$V", "'$V' x", "a\\\\ b", "${V}c", "${N:-d}", "${#V}", "$((1+2))", "a;b", "*.none", "${V#a}", "\\"$V\\"", "a|b", "${N-e}${V+f}"};
        wordexp_t w = {0}; setenv("HOME", "/h", 1); setenv("V", "a b", 1); int c = wordexp(p[@one{15}], &w, @word{0|WRDE_NOCMD|WRDE_UNDEF}); S(c); if (c == 0) { S(w.we_wordc); for (size_t i = 0; i < w.we_wordc; i++) T(w.we_wordv[i]); wordfree(&w); }""",
    ],
    "tables": [
        """TOP static int by_int(const void *a, const void *b) { return *(int *)a - *(int *)b; }
        int v[] = {@up{9}, 4, @up{7}, 1, @up{5}}; qsort(v, 5, sizeof *v, by_int); bytes("v", v, sizeof v); int k = 4; int *p = bsearch(&k, v, 5, sizeof *v, by_int); S(p ? *p : -1);""",
        """TOP static int by_one(const void *a, const void *b) { return *(char *)a - *(char *)b; }
        char v[][2] = {{@char{ab}, '1'}, {'a', '2'}, {@char{abc}, '3'}, {'b', '4'}}; qsort(v, 4, 2, by_one); bytes("v", v, 8);""",
        """#include <search.h>
        TOP static int same(const void *a, const void *b) { return *(int *)a != *(int *)b; }
        int v[6] = {3, 1, 2}; size_t n = 3; int k = @up{5}; int *p = lfind(&k, v, &n, sizeof *v, same); S(p ? p - v : -1); p = lsearch(&k, v, &n, sizeof *v, same); S(p - v); S(n);""",
        """#include <search.h>
        S(hcreate(@any{size_t:1|4|30})); ENTRY e = {@text{ab}, "d"}, *f; f = hsearch(e, ENTER); S(f != 0); e.key = @short{ab}; f = hsearch(e, FIND); S(f != 0); hdestroy();""",
        """#include <search.h>
        TOP static int order(const void *a, const void *b) { return strcmp(a, b); }
        TOP static void visit(const void *n, VISIT v, int l) { S(v); S(l); T(*(char **)n); }
        void *root = 0; tsearch(@short{ab}, &root, order); tsearch("b", &root, order); tsearch(@short{abc}, &root, order); twalk(root, visit); S(tfind("a", &root, order) != 0); S(tdelete("b", &root, order) != 0);""",
        """char *v[] = {"p", "@word{-a|-ab|-b|-x|--}", "@word{v|-b|--|-}", @text{-abx}, "w", 0}; int c; opterr = @word{0|1}; optind = @word{0|1}; while ((c = getopt(5, v, "@word{ab:|:ab:|+ab|-ab:|ab::|a}")) != -1) { S(c); S(optopt); T(optarg); } S(optind); for (int i = 0; i < 5; i++) T(v[i]);""",
        """#include <getopt.h>
        int flag = 0; struct option o[] = {{"alpha", 0, 0, 'a'}, {"alps", 1, 0, 'b'}, {"flag", 0, &flag, 9}, {"opt", 2, 0, 'o'}, {0, 0, 0, 0}};
        char *v[] = {"p", "@word{--alpha|--alp|--alps=3|--alps|--flag|--opt|--opt=|--opt=x|--flag=1|-W|--none|--al=2|-alpha|-opt=2}", "@word{x|-a|--|--opt}", @text{-ab=}, 0}; int c, i = -1; optind = 0; while ((c = getopt_long@word{|_only}(4, v, "@word{ab:|+ab|-a|:ab:|aW;}", o, &i)) != -1) { S(c); S(i); T(optarg); S(optopt); } S(optind); S(flag);""",
        """S(setenv("@word{A1|B=|}", @text{ab}, @up{2})); T(getenv("A1")); S(putenv("@word{C=1|A1=5|D}")); S(unsetenv("@word{A1|C|X=|}")); T(getenv("C")); S(getenv("D") != 0); S(@byte{} == 5);""",
        """#include <obstack.h>
        TOP #define obstack_chunk_alloc malloc
        TOP #define obstack_chunk_free free
        struct obstack o; obstack_init(&o); obstack_grow0(&o, @text{abc}, 2 * 0 + 1); char *p = obstack_finish(&o); T(p); S(obstack_printf(&o, "%d", @byte{})); obstack_1grow(&o, 0); T(obstack_finish(&o)); obstack_free(&o, 0);""",
        """srand(@any{unsigned:0|1|7|4294967295}); S(rand()); S(rand()); srandom(5); S(random()); unsigned s = @byte{}; S(rand_r(&s)); srand48(@any{long:1|0|-1}); S(lrand48()); D(drand48()); S(mrand48());""",
    ],
    "mathematics": [
        """double x = @any{double:0.0|-0.0|0.5|1.5|2.5|-2.5|1e300|-INFINITY|NAN|0x1p-1074|0x1.fffffffffffffp52|4503599627370497.5}; D(@word{floor|ceil|round|trunc|rint|nearbyint|roundeven|fabs|sqrt|cbrt|logb|significand}(x)); S(fpclassify(x)); S(!!signbit(x)); S(@byte{} & 1);""",
        """double x = @any{double:0.5|-1.5|2.5|1e10|1e300|INFINITY|NAN|-0.0|9.3e18}; errno = 0; S(@word{lrint|lround|llrint|llround|ilogb}(x)); S(errno); S(@byte{} & 1);""",
        """errno = 0; D(@word{fmod|remainder|drem|fmin|fmax|fdim|copysign|nextafter|hypot|pow|atan2|scalb}(@any{double:5.5|-5.5|0.0|INFINITY|NAN|1e308|-1.0}, @any{double:2.0|-2.0|0.0|INFINITY|0.5|NAN})); S(errno);""",
        """int e = -1; D(frexp(@any{double:0.0|8.0|0.3|5e-324|-1.5}, &e)); S(e & 0xfff); errno = 0; D(ldexp(@any{double:1.0|-1.5|0.0}, @any{int:0|1024|-1074|-1080|5})); S(errno); double i; D(modf(@any{double:1.5|-2.75|INFINITY|-0.0}, &i)); D(i);""",
        """errno = 0; snprintf(buf, sizeof buf, "%.10g", @word{exp|log|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|exp2|exp10|expm1|log10|log2|log1p|asinh|acosh|atanh|erf|erfc|tgamma|lgamma|j0|y0}(@any{double:0.0|-0.0|1.0|-1.0|2.0|0.5|-2.5|710.0|-800.0|1e10|INFINITY|NAN|171.0|172.0})); T(buf); S(errno);""",
        """errno = 0; snprintf(buf, sizeof buf, "%.6g", (double)@word{expf|logf|sinf|powf|sqrtf|tgammaf|acosf|log10f|exp2f|hypotf}(@any{float:0.0f|1.0f|-1.0f|89.0f|200.0f|2.5f|1e-40f}@word{|}@word{|})); T(buf); S(errno);""",
        """int q = 0; D(remquo(@any{double:5.0|-7.5|0.0|1e10}, @any{double:3.0|-2.0|0.7}, &q)); S(q); D(nexttoward(1.0, 2.0L)); D(scalbn(1.5, @any{int:-1080|2000|3})); D(fma(@any{double:1e308|3.0}, 10.0, -1e308)); S(@byte{} & 1);""",
        """D(nan("@word{|1|0x7|abc|123456789}")); D(strtod("nan(@word{1|0xff|})", 0)); L(floorl(@any{long double:2.5L|-2.5L|1e18L})); L(fmodl(@any{long double:5.5L|1e20L}, 3.0L)); S(@byte{} & 1);""",
        """#include <fenv.h>
        feclearexcept(FE_ALL_EXCEPT); volatile double x = @any{double:1.0|0.0|-1.0|1e300}, y = @any{double:3.0|0.0|1e-300}; x = x / y; S(fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW)); S(fesetround(@word{FE_UPWARD|FE_DOWNWARD|FE_TOWARDZERO|FE_TONEAREST})); D(rint(2.5)); S(lrint(-1.5)); snprintf(buf, 60, "%.0f %.1f", 2.5, 0.25); T(buf); D(strtod("0.1", 0)); fesetround(FE_TONEAREST);""",
    ],
    "conversions": [
        """#include <arpa/inet.h>
        struct in_addr a = {0}; S(inet_aton(@text{0127.x}, &a)); S(ntohl(a.s_addr)); S(inet_pton(AF_INET, "@word{1.2.3.4|1.2.3|01.2.3.4|1.2.3.256|1.2.3.4 |}", &a)); S(ntohl(inet_network("@word{1.2|0x7f.1|1.2.3.4.5|300}")));""",
        """#include <arpa/inet.h>
        unsigned char a[16] = {0}; S(inet_pton(AF_INET6, "@word{::1|1:2:3:4:5:6:7:8|::ffff:1.2.3.4|1::2::3|:1|1:2:3:4:5:6:7::|12345::|fe80::1%lo}", a)); a[@one{16}] ^= @byte{}; E(inet_ntop(AF_INET6, a, buf, @any{int:46|5|20}) ? 0 : -1); T(buf);""",
        """#include <iconv.h>
        iconv_t c = iconv_open("@word{UTF-8|UTF-16LE|UTF-16|ASCII//TRANSLIT|ISO-8859-1|UTF-32BE|ASCII//IGNORE|none|UCS-2|CP1252|UTF-7}", "@word{UTF-8|ISO-8859-1|ASCII|UTF-16LE|CP1252|KOI8-R}"); S(c != (iconv_t)-1); if (c != (iconv_t)-1) { char t[] = {@byte{}, @word{'b'|(char)0xa4|0}, @word{'c'|(char)0x82}}; char *i = t, *o = buf; size_t n = 3, m = @any{size_t:1|4|60}; memset(buf, 0, 16); A(iconv(c, &i, &n, &o, &m)); S(n); bytes("buf", buf, 12); iconv_close(c); }""",
        """#include <langinfo.h>
        T(nl_langinfo(@any{nl_item:CODESET|D_T_FMT|D_FMT|T_FMT|T_FMT_AMPM|AM_STR|RADIXCHAR|THOUSEP|YESEXPR|NOEXPR|YESSTR|CRNCYSTR|ERA|DAY_1|ABMON_12|999999})); struct lconv *l = localeconv(); T(l->decimal_point); T(l->grouping); S(l->frac_digits); T(l->currency_symbol); S(@byte{} & 1);""",
        """T(setlocale(@word{LC_ALL|LC_CTYPE|LC_NUMERIC|LC_TIME|99}, @word{"C"|"POSIX"|"C.UTF-8"|"C.utf8"|"none"|0|"LC_CTYPE=C.UTF-8"})); T(setlocale(LC_ALL, 0)); S(MB_CUR_MAX); S(@byte{} & 1);""",
        """S(confstr(@any{int:_CS_PATH|_CS_GNU_LIBC_VERSION|99999}, buf, @any{size_t:0|3|60})); E(sysconf(@any{int:_SC_OPEN_MAX|_SC_PAGESIZE|_SC_CLK_TCK|_SC_IOV_MAX|99999|_SC_LINE_MAX|_SC_NGROUPS_MAX|_SC_VERSION|_SC_HOST_NAME_MAX|_SC_SYMLOOP_MAX|_SC_LOGIN_NAME_MAX|_SC_TTY_NAME_MAX|_SC_BC_BASE_MAX})); S(@byte{} & 1);""",
        """A(pathconf("@word{/|.|none}", @any{int:_PC_NAME_MAX|_PC_PATH_MAX|_PC_LINK_MAX|_PC_PIPE_BUF|999|_PC_CHOWN_RESTRICTED|_PC_SYMLINK_MAX})); S(@byte{} & 1);""",
        """S(MB_LEN_MAX); imaxdiv_t d = imaxdiv(@number{}, @any{long:3|-7}); S(d.rem); S(labs(-5L - @byte{}));""",
        """#include <libintl.h>
        T(gettext("@word{hello|}")); T(ngettext("one", "many", @up{3})); T(textdomain(0)); T(dgettext("none", @text{ab}));""",
    ],
}
