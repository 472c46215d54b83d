"""Seeds bugs of ten kinds into the functions of C libraries, at their beginnings.

usage: seeds.py SET DIR

SET is `first` (tiny-regex-c, libcsv, inih) or `second` (sds, microtar, jsmn, whose jsmn.h is
jsmn.c here). DIR has the sources, which are changed. Prints file, function and kind of each bug.
"""

import os, random, re, sys

KINDS = [
    ("oob-write-stack", "{ volatile char seeded[8]; seeded[(E) & 15] = 1; }"),
    ("oob-read-global", '{ static const char seeded[4] = "abc"; static volatile char sink; '
     "sink = seeded[(E) & 7]; }"),
    ("null", "{ volatile int one = 1; volatile int *seeded = (E) == 9 ? 0 : &one; *seeded = 2; }"),
    ("use-after-free", "{ volatile char *seeded = malloc(4); if (seeded) { seeded[0] = 1; "
     "if ((E) > 60) free((void *)seeded); seeded[1] = 2; if ((E) <= 60) free((void *)seeded); } }"),
    ("double-free", "{ char *seeded = malloc(4); if ((E) > 70) free(seeded); free(seeded); }"),
    ("bad-free", "{ char seeded[4]; char *heap = malloc(4); free((E) == 15 ? seeded : heap); "
     "if ((E) == 15) free(heap); }"),
    ("div", "{ static volatile int sink; sink = 100 / ((E) - 17); }"),
    ("oob-write-heap", "{ volatile char *seeded = malloc(4); if (seeded) { "
     "seeded[((E) & 7) % 5] = 1; free((void *)seeded); } }"),
    ("wild", "{ volatile char local = 0; volatile char *seeded; if ((E) != 19) seeded = &local; "
     "*seeded = 1; }"),
    ("assert", "{ volatile int seeded = (E); assert(seeded != 21); }"),
]
C, S, N = "(unsigned char)c", "(unsigned char)*s", "(int)(len & 255)"
FIRST = {
    "re.c": [("matchdigit", C), ("matchalpha", C), ("matchwhitespace", C), ("matchalphanum", C),
             ("matchrange", C), ("ismetachar", C), ("matchmetachar", C), ("matchcharclass", C),
             ("matchone", C), ("re_compile", "(unsigned char)pattern[0]")],
    "libcsv.c": [("csv_strerror", "status"), ("csv_set_opts", "options"), ("csv_init", "options"),
                 ("csv_set_delim", "c"), ("csv_set_quote", "c"),
                 ("csv_get_delim", "p ? p->delim_char : 0"),
                 ("csv_get_quote", "p ? p->quote_char : 0"),
                 ("csv_set_blk_size", "(int)(size & 255)"),
                 ("csv_write", "(int)(src_size & 255)"), ("csv_fwrite2", "quote")],
    "ini.c": [("ini_rstrip", S), ("ini_lskip", S), ("ini_find_chars_or_comment", S),
              ("ini_strncpy0", "(unsigned char)*src"), ("ini_reader_string", "num"),
              ("ini_parse_string", "(unsigned char)*string"),
              ("ini_parse", "(unsigned char)*filename"), ("ini_strncpy0", "(unsigned char)*src"),
              ("ini_parse_string_length", "(int)(length & 255)"),
              ("ini_reader_string", "num & 255")],
}
SECOND = {
    "sds.c": [("sdsnewlen", "(int)(initlen & 255)"), ("sdsnew", "init ? (unsigned char)*init : 0"),
              ("sdsMakeRoomFor", "(int)(addlen & 255)"), ("sdsIncrLen", "(int)incr"),
              ("sdsgrowzero", N), ("sdscatlen", N), ("sdscpylen", N),
              ("sdsll2str", "(int)(value & 255)"), ("sdsull2str", "(int)(v & 255)"),
              ("sdstrim", "(unsigned char)*cset"), ("sdsrange", "(int)start"),
              ("hex_digit_to_int", C), ("is_hex_digit", C), ("sdscat", "(unsigned char)*t")],
    "microtar.c": [("round_up", "(int)n"), ("twrite", "(int)size"), ("write_null_bytes", "n"),
                   ("mtar_strerror", "err"), ("mtar_open", "(unsigned char)*mode"),
                   ("mtar_seek", "(int)pos"), ("mtar_find", "(unsigned char)*name"),
                   ("mtar_write_file_header", "(int)size"),
                   ("mtar_write_dir_header", "(unsigned char)*name"),
                   ("mtar_read_data", "(int)size")],
    "jsmn.c": [("jsmn_alloc_token", "(int)(num_tokens & 255)"), ("jsmn_fill_token", "start"),
               ("jsmn_parse_primitive", N), ("jsmn_parse_string", N),
               ("jsmn_parse", "(unsigned char)*js"), ("jsmn_init", "(int)parser->pos")],
}


def main():
    which, directory = sys.argv[1:]
    files = FIRST if which == "first" else SECOND
    shuffled = [kind for kind in KINDS for _ in range(3)]
    random.Random(65).shuffle(shuffled)
    for name, places in files.items():
        path = os.path.join(directory, name)
        text = open(path, encoding="latin-1").read()
        kinds = KINDS if which == "first" else [shuffled.pop(0) for _ in places]
        for (function, expression), (kind, code) in zip(places, kinds):
            head = r"(?m)^(?:[A-Za-z_][^\n;{}#]*)?\b" + function + r"\s*\([^;{}]*\)\s*\{"
            end = re.search(head, text).end()
            text = text[:end] + " " + code.replace("(E)", f"({expression})") + text[end:]
            print(name, function, kind)
        with open(path, "w", encoding="latin-1") as out:
            out.write("#include <assert.h>\n#include <stdlib.h>\n" + text)


main()
