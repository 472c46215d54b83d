"""Calls of libc that read and write text, by family, as forms of `call_programs`."""

FORMS: dict[str, list[str]] = {
    "printed numbers": [
        """char f[] = {'%', @char{-+ #0'19}, @char{-+ #0'I5.}, @word{'3'|'.'|'7'|'l'|'h'|'0'}, @word{'d'|'i'|'o'|'u'|'x'|'X'}, 0};
        S(snprintf(buf, sizeof buf, f, @any{long:0|1|-1|255|-7|123456|1L<<40}, 3L, 4L));
        T(buf);""",
        """char f[] = {'<', '%', @char{-+0 1*}, @char{5.*2}, @char{lhjztqLZdx}, @char{dixXuo}, '>', 0};
        S(snprintf(buf, sizeof buf, f, 5L, 3L, @number{}, 4L, 5L));
        T(buf);""",
        """char f[] = {'a', '%', @char{dixcCpmkyBbn%qDOU5_}, @word{'d'|'%'|'x'|'>'|0}, '>', 0};
        for (char *p = f; *p; p++) if (*p == 'n') *p = 'o';
        S(snprintf(buf, sizeof buf, f, 7L, 8L, 9L));
        T(buf);""",
        """char f[] = {'%', @char{-+ #0'}, @word{'1'|'2'|'0'|'+'}, @word{'5'|'.'|'2'}, @word{'.'|'0'|'3'}, @char{aAeEfFgG}, 0};
        S(snprintf(buf, sizeof buf, f, @double{}));
        T(buf);""",
        """S(snprintf(buf, sizeof buf, "@word{%f|%e|%g|%a|%.0f|%.3g|%#g|%#.0e|%+.1f|%012.2f|% a|%.0a|%.2a|%.15g|%.17g|%A|%G|%.40f|%-9.1f|}@word{|%%|x}",
            @any{double:0.0|-0.0|1.5|2.5|0.5|1e23|123456.789|INFINITY|-INFINITY|NAN|5e-324|9.995|1e100|0x1.8p-3}));
        T(buf);""",
        """S(snprintf(buf, sizeof buf, "@word{%Lf|%La|%Le|%Lg|%.3La|%LA|%Lx}", (long double)@any{double:0.0|1.5|-2.25|1e300|0.1|INFINITY}));
        T(buf);""",
        """S(snprintf(buf, @up{12}, "@word{%ld|%5ld|%-8ld|%lx|%lo}-%d", (long)@number{}, 12)); T(buf);""",
        """int n = -1, m = -1; S(snprintf(buf, sizeof buf, "%@word{d|5d|-5d|05d|+d}%n%s%hhn", (int)@byte{} - @word{0|128|300}, &n, "ab", (signed char *)&m));
        S(n); S(m); T(buf);""",
        """S(snprintf(buf, sizeof buf, "@word{%2$d %1$d|%1$*2$d|%1$d %1$x|%2$-*1$d|%1$.*2$d|%2$05d %1$o}", @one{9}, @one{7})); T(buf);""",
    ],
    "printed text": [
        """char f[] = {'%', @char{-0 5+}, @char{3.912}, @word{'.'|'2'}, @char{01234}, @char{sS}, 0};
        if (strchr(f, 'S')) S(snprintf(buf, sizeof buf, f, L"wide")); else S(snprintf(buf, sizeof buf, f, "narrow"));
        T(buf);""",
        """S(snprintf(buf, sizeof buf, "@word{%c|%5c|%-3c|%05c}|@word{%s|%.2s|%6.1s|%-6s}|", @byte{}, @text{abc%d_})); bytes("buf", buf, 20);""",
        """A(snprintf(buf, sizeof buf, "%@word{|5|-4|.2|.0}@word{lc|C}", @any{wint_t:0|65|0xe4|0x20ac|0x1f600|0xd800|0x110000})); T(buf);""",
        """wchar_t t[] = {@any{wchar_t:65|0xe4|0x20ac|0x1f600|0x7f|0x80}, @any{wchar_t:0|66|0xfc|0x3b1}, 0};
        A(snprintf(buf, sizeof buf, "%@word{|6|-6|.1|.2|.3|.4|8.5}ls|", t)); T(buf);""",
        """A(snprintf(buf, sizeof buf, "%@word{m|5.3m|-30m|#m|s}", strerror(@one{6}))); T(buf);""",
        """errno = @one{9}; S(snprintf(buf, sizeof buf, "%@word{m|.4m|40m|#m|-3m}!")); T(buf);""",
        """char *p = 0; E(asprintf(&p, "%s%@word{d|x|c}", @text{xyz_}, @up{20} + 40)); T(p); free(p);""",
        """S(snprintf(buf, sizeof buf, "%@word{s|.3s|8s|-8s|.0s|.9s}", (char *)(@one{2} ? "set" : 0))); T(buf);""",
        """S(snprintf(buf, sizeof buf, "%@word{p|5p|-20p|020p|+p}|", (void *)(long)@any{int:0|1|255|65536})); T(buf);""",
        """char f[] = {@char{ab%}, @char{%dsx5}, @char{%_d5}, 0}; S(snprintf(buf, sizeof buf, f, 0L, 0L)); T(buf);""",
        """A(swprintf(wide, @any{size_t:0|1|3|4|5|60}, L"@word{%d-%ls|%lc%ls|%5d|%-6x|%c%.2ls}", 97, L"uvw")); W(wide[0] ? L"some" : L"none");""",
        """A(swprintf(wide, 60, L"@word{%s|%5s|%.2s|%-6s}|", @word{"abc"|"x"|"\\303\\244b"})); S(wide[0]);""",
    ],
    "scanned": [
        """char c[40] = "........"; int x = -7; S(sscanf(@text{0123+-xXz_}, "@word{%d|%i|%x|%o|%u|%2d|%3i|%*d%d|%hhd|%hd}@word{|%c|%n|x%c|%s| %c}", @word{&x, c|&x, (void *)c})); S(x); bytes("c", c, 8);""",
        """double x = -7; char c[40] = "...."; S(sscanf(@text{012.+-eExpinfa_(}, "%@word{lf|le|la|3lf|5lg}@word{|%c|%s|%3c}", &x, c)); D(x); bytes("c", c, 4);""",
        """double x = -7; char c[40] = "...."; S(sscanf(@word{"0x"|"0xz"|"0x.p1"|"0x1p"|"1e"|"1e+"|"1.0e+!"|"nan(1"|"nan(12)"|"nan()"|"infin"|"infinity"|".e1"|"+.5"|"-"|"0x1.8p3x"|".5."}, "%lf@word{|%c}", &x, c)); D(x); bytes("c", c, 4); S(@byte{});""",
        """char c[40] = "........", d[40] = "...."; S(sscanf(@text{abcde]-^_}, "%@word{|2|5}[@word{a-c|^b|]a|^]a|a-|-a|b-d^|a-ce|^a-c}]@word{|%c|%s|%3c}", c, d)); bytes("c", c, 8); bytes("d", d, 4);""",
        """char c[40] = "........"; int n = -1; S(sscanf(@text{ab_}, "@word{%3c|%63c|%1c%n|%s%n| %c%n|%2c|%*c%2c|a%c|%c%c}", c, c + 8, &n)); bytes("c", c, 10); S(n);""",
        """char *p = 0; S(sscanf(@text{ab1_}, "%@word{ms|m[a-b]|mc|2ms|m2c|m3[^1]}", &p)); if (p) S(p[0]); free(p);""",
        """int x = -1, y = -1, n = -1; S(sscanf(@text{12,:/_}, "%d@word{,|:| , |/|%*[,:]}%d%n", &x, &y, &n)); S(x); S(y); S(n);""",
        """int n = -1, x = -1; S(sscanf(@text{%12a_}, "@word{%% %d%n|%d%%%n|%%%n|a%d|%d a%n}", &x, &n)); S(n); S(x);""",
        """void *p = 0; S(sscanf(@word{"0x1f"|"(nil)"|"1f"|"0x"|"nil"|""}, "%p", &p)); S((long)p); S(@byte{} & 3);""",
        """long long x = -1; S(sscanf(@word{"9223372036854775808"|"-9223372036854775809"|"99999999999999999999"|"0x8000000000000000"|"077"|"08"}, "@word{%lld|%lli|%llu|%Ld|%qd|%jd|%zd|%llx|%5lld}", &x)); S(x); S(@up{3});""",
        """wchar_t c[20] = L"....", d[20] = L"...."; char t[] = {@byte{}, @word{(char)0xc3|'a'|(char)0xe2}, @word{(char)0xa4|'b'}, @word{0|'c'}, 0};
        A(sscanf(t, "%@word{ls|lc|2lc|l[a-c]|2ls|S|C}", c)); bytes("c", c, 12);""",
        """int x = -1; char c[20] = "...."; char m[8] = ""; strcpy(m, @text{0x1zag-_}); FILE *f = fmemopen(m, 3, "r");
        S(fscanf(f, "@word{%i|%x|%3i|%d}%2s", &x, c)); S(x); bytes("c", c, 3); S(ftell(f)); S(fgetc(f)); S(feof(f) != 0); fclose(f);""",
        """int x = -1, n = -1; wchar_t t[] = {@char{01 a}, @char{2-x+}, @char{3_}, 0}; S(swscanf(t, L"@word{%d%n|%i%n|%x%n|%3d%n|%*d%n}", &x, &n)); S(x); S(n);""",
        """unsigned char h = 1; short k = 2; S(sscanf(@word{"300"|"70000"|"-1"|"256 7"|"0x1ff"}, "@word{%hhu %hd|%hhi %hd|%hhx %hd}", &h, &k)); S(h); S(k); S(@up{4});""",
    ],
    "numbers from text": [
        """char *e = 0; char *t = @text{0123456789+-_xXabfz}; A(@word{strtol|strtoul|strtoll|strtoull|strtoimax|strtoumax}(t, &e, @any{int:0|2|8|10|16|36|1|37|-1})); S(e ? e - t : -1);""",
        """char *e = 0; char t[] = {@char{-+_ 9}, @word{'9'|'1'|'2'}, '2', '2', '3', '3', '7', '2', '0', '3', '6', '8', '5', '4', '7', '7', '5', '8', '0', @char{5678}, @char{06789a}, 0};
        A(@word{strtol|strtoul|strtoll|strtoull}(t, &e, @word{10|0|16|36})); S(e - t);""",
        """char *e = 0; char *t = @text{0123456789..+-eEpPxXinfaNAN_}; errno = 0; double d = strtod(t, &e); S(errno); D(d); S(e - t);""",
        """char *e = 0; const char *t = @word{"0x"|"0x.p"|"0x1p-1074"|"0x1p-1075"|"0x1.fffffffffffff8p1023"|"1e-324"|"4.9e-324"|"2.4e-324"|"1e309"|"1e"|"1e+"|".e1"|"nan(0x12)"|"nan(xyz"|"-nan"|"infinit"|"INF"|"0e99999"|"0x0p99999"|"1e-99999"|"0x1p99999"|"  +1.5z"|"1_000"|"1.7976931348623159e308"|"2.2250738585072011e-308"|"9007199254740993"|"0.1e1"|"00012"|"1e0000000005"|"0X1P+2"};
        errno = 0; @word{double d = strtod|float d = strtof|long double d = strtold}(t, &e); S(errno); D((double)d); S(e - t); S(@byte{} & 1);""",
        """T(@text{12.-x}); S(atoi(@text{012-+_x})); S(atol(@text{019-+_})); D(atof(@text{01.e-5}));""",
        """wchar_t *e = 0, t[] = {@char{0 +-1}, @char{x0129}, @char{a8fz}, 0}; A(@word{wcstol|wcstoul|wcstoll|wcstoull}(t, &e, @any{int:0|8|10|16|36|1})); S(e ? e - t : -1);""",
        """wchar_t *e = 0, t[] = {@char{0i+n1}, @char{xn.a1}, @char{1fne}, @char{p1.2}, 0}; errno = 0; double d = @word{wcstod|wcstof}(t, &e); S(errno); D(d); S(e - t);""",
        """T(l64a(@number{})); S(a64l(@text{./0AZaz_})); S(@byte{} == 0);""",
        """int p = -9, s = -9; T(@word{ecvt|fcvt}(@any{double:0.0|1.5|-2.25|123.456|1e-3|9.996}, @any{int:0|1|2|5|-1}, &p, &s)); S(p); S(s);""",
        """T(gcvt(@any{double:0.0|1.5|-2.25|123.456|1e-7|1e20}, @any{int:1|3|6|17}, buf));""",
        """E(strfromd(buf, @any{size_t:0|3|60}, "%@word{f|.2f|g|e|a|.0e|.3g}", @any{double:0.0|1.5|-2.25|1e22|NAN|INFINITY})); S(@byte{} & 1);""",
        """div_t d = div(@number{} % 1000, @any{int:1|2|-3|7}); S(d.quot); S(d.rem); lldiv_t l = lldiv(@number{}, 7); S(l.quot); S(l.rem);""",
        """S(rpmatch(@text{yYnN1_}));""",
    ],
    "strings": [
        """char *t = @text{abcab_}, *u = @short{abc}; char *p; p = strstr(t, u); S(p ? p - t : -1); p = strcasestr(t, @short{ABc}); S(p ? p - t : -1);""",
        """char *t = @text{abcab_}; S(strspn(t, @short{abc})); S(strcspn(t, @short{bc})); char *p = strpbrk(t, @short{cb_}); S(p ? p - t : -1);""",
        """char *t = @text{ab,;_}, *s = 0; for (char *p = strtok_r(t, ",; ", &s); p; p = strtok_r(0, @word{","|" ;"|",;"}, &s)) T(p); S(s ? *s : -1);""",
        """char *t = @text{ab,;_}, *s = t; for (char *p; (p = strsep(&s, @word{",;"|","|""}));) T(p); S(s == 0);""",
        """char *t = @text{abAB}, *u = @text{abAB}; int c = @word{strcmp|strcasecmp|strcoll|strverscmp}(t, u); S((c > 0) - (c < 0)); c = strncasecmp(t, u, @up{5}); S((c > 0) - (c < 0));""",
        """int c = strverscmp(@text{0019a.b}, @text{0019a.}); S((c > 0) - (c < 0));""",
        """bytes("stpncpy", buf, 1 + (stpncpy(buf, @text{abc}, @up{8}) - buf)); memset(buf, 'x', 9); strncpy(buf, @text{ab}, @up{8}); bytes("strncpy", buf, 9);""",
        """strcpy(buf, @text{abc}); strncat(buf, @text{xyz}, @up{4}); T(buf); S(stpcpy(buf, @text{abc}) - buf);""",
        """char *t = @text{abcb_}; void *p = memchr(t, @char{abcz}, @up{4} % (strlen(t) + 1)); S(p ? (char *)p - t : -1); p = memrchr(t, 'b', strlen(t)); S(p ? (char *)p - t : -1);""",
        """char *t = @text{aab}; void *p = memmem(t, strlen(t), @short{ab}, @up{3} % 2); S(p ? (char *)p - t : -1); S(strchrnul(t, @byte{}) - t);""",
        """memset(buf, '.', 20); void *p = memccpy(buf, @text{abcde}, @char{abcx}, @one{6} % 2 + 1); S(p ? (char *)p - buf : -1); bytes("buf", buf, 6);""",
        """size_t n = strxfrm(buf, @text{abAB}, @up{6}); S(n); if (n < 6) S(buf[0] != 0);""",
        """#include <libgen.h>
        strcpy(buf, @text{/a./}); T(@word{dirname|(basename)}(buf));""",
        """TOP #undef basename
        T(basename(@text{/ab.}));""",
        """T(strerror(@any{int:0|1|2|11|35|133|134|-1|1000|41|58})); T(strsignal(@any{int:0|1|9|15|32|34|64|65|-1|33}));""",
        """memset(buf, 0, 40); S(strerror_r(@any{int:1|2|0|999|-5}, buf, @any{int:0|3|40}) != 0); S(strerrordesc_np(@any{int:0|2|200|11}) == 0); const char *p = strerrorname_np(@any{int:0|2|200|11|35}); T(p);""",
        """T(strerrorname_np(@any{int:1|2|95|11|35|41|0})); T(sigdescr_np(@any{int:1|2|9|0|33|64})); T(sigabbrev_np(@any{int:1|2|9|0|33|64}));""",
        """char *t = @text{abc}; swab(t, buf, @one{2} * 2 % (strlen(t) + 1) / 2 * 2); S(ffs(@byte{})); S(ffsll((long long)@byte{} << @word{1|32|40}));""",
        """char *v = 0, *s = buf; char *const k[] = {"ro", "rw", "size", 0}; strcpy(buf, @word{"ro,size=5,x"|"size,rw"|"rw=,,ro"|"rox"}); buf[0] = @char{rsx,}; while (*s) { S(getsubopt(&s, k, &v)); T(v); }""",
        """#include <argz.h>
        char *z = 0; size_t n = 0; S(argz_create_sep(@text{a:b}, ':', &z, &n)); S(n); S(argz_count(z, n)); S(argz_add(&z, &n, "q")); bytes("argz", z, n); free(z);""",
        """S(strnlen(@text{abc}, @up{5})); char *p = strndup(@text{abc}, @up{4}); T(p); free(p); char *t = @text{abcb}; p = strrchr(t, @char{abz}); S(p ? p - t : -1); p = index(t, 'b'); S(p ? p - t : -1);""",
    ],
}
