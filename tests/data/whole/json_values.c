/* A JSON reader and writer: tagged unions, a pool of nodes, recursion, strtod, escapes, errors by longjmp, sorting of keys with qsort_r. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum kind { NIL, TRUTH, NUMBER, TEXT, LIST, OBJECT };
struct value { enum kind kind : 8; unsigned line : 24; union { _Bool truth; double number; char *text; struct { struct value **items; unsigned count, room; } list; struct { struct pair *pairs; unsigned count; } object; }; };
struct pair { char *key; struct value *value; };
struct reader { const char *at; unsigned line; jmp_buf fail; char message[80]; size_t used; };
static _Noreturn void fail(struct reader *r, const char *format, ...) { va_list ap; va_start(ap, format); int n = snprintf(r->message, sizeof r->message, "line %u: ", r->line); vsnprintf(r->message + n, sizeof r->message - n, format, ap); va_end(ap); longjmp(r->fail, 1); }
static void *take(struct reader *r, size_t n) { r->used += n; void *p = calloc(1, n); if (!p) fail(r, "no memory"); return p; }
static void space(struct reader *r) { while (isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n'; }
static char *text(struct reader *r) {
  char *out = take(r, strlen(r->at) * 2 + 1), *p = out; r->at++;
  while (*r->at != '"') {
    unsigned char c = *r->at++;
    if (!c) fail(r, "text without an end");
    if (c != '\\') { *p++ = c; continue; }
    switch (c = *r->at++) {
    case 'n': *p++ = '\n'; break; case 't': *p++ = '\t'; break; case '"': case '\\': case '/': *p++ = c; break;
    case 'u': { char hex[5] = {0}; strncpy(hex, r->at, 4); char *end; unsigned long u = strtoul(hex, &end, 16); if (end != hex + 4) fail(r, "bad escape \\u%.4s", r->at); r->at += 4;
      if (u < 0x80) *p++ = u; else if (u < 0x800) *p++ = 0xc0 | u >> 6, *p++ = 0x80 | (u & 63); else *p++ = 0xe0 | u >> 12, *p++ = 0x80 | (u >> 6 & 63), *p++ = 0x80 | (u & 63); break; }
    default: fail(r, "bad escape \\%c", c); } }
  r->at++; return out; }
static struct value *parse(struct reader *r, int depth) {
  struct value *v = take(r, sizeof *v); space(r); v->line = r->line; if (depth > 20) fail(r, "too deep");
  switch (*r->at) {
  case '"': v->kind = TEXT; v->text = text(r); break;
  case '[': v->kind = LIST; r->at++; space(r); if (*r->at == ']') { r->at++; break; }
    for (;;) { if (v->list.count == v->list.room) { v->list.room = v->list.room * 2 + 1; v->list.items = realloc(v->list.items, v->list.room * sizeof *v->list.items); } v->list.items[v->list.count++] = parse(r, depth + 1); space(r); if (*r->at == ',') { r->at++; continue; } if (*r->at++ == ']') break; fail(r, "expected , or ] but '%.1s'", r->at - 1); } break;
  case '{': v->kind = OBJECT; r->at++; space(r); if (*r->at == '}') { r->at++; break; }
    for (;;) { space(r); if (*r->at != '"') fail(r, "expected a key"); struct pair p = {text(r)}; space(r); if (*r->at++ != ':') fail(r, "expected :"); p.value = parse(r, depth + 1); v->object.pairs = reallocarray(v->object.pairs, v->object.count + 1, sizeof p); v->object.pairs[v->object.count++] = p; space(r); if (*r->at == ',') { r->at++; continue; } if (*r->at++ == '}') break; fail(r, "expected , or }"); } break;
  case 't': if (strncmp(r->at, "true", 4)) fail(r, "what is %.5s", r->at); v->kind = TRUTH, v->truth = 1, r->at += 4; break; case 'f': if (strncmp(r->at, "false", 5)) fail(r, "what is %.5s", r->at); v->kind = TRUTH, r->at += 5; break; case 'n': if (strncmp(r->at, "null", 4)) fail(r, "what is %.5s", r->at); r->at += 4; break;
  default: { char *end; v->kind = NUMBER; v->number = strtod(r->at, &end); if (end == r->at) fail(r, "unexpected '%c' (%d)", isprint((unsigned char)*r->at) ? *r->at : '?', *r->at); r->at = end; } }
  return v; }
static int by_key(const void *a, const void *b, void *order) { return strcmp(((const struct pair *)a)->key, ((const struct pair *)b)->key) * *(int *)order; }
static void put(FILE *f, const struct value *v, int order) {
  switch (v->kind) {
  case NIL: fputs("null", f); break; case TRUTH: fputs(v->truth ? "true" : "false", f); break; case NUMBER: fprintf(f, "%.17g", v->number); break;
  case TEXT: putc('"', f); for (const unsigned char *p = (void *)v->text; *p; p++) if (*p < 32 || *p == '"' || *p > 126) fprintf(f, "\\x%02x", *p); else putc(*p, f); putc('"', f); break;
  case LIST: putc('[', f); for (unsigned i = 0; i < v->list.count; i++) { if (i) putc(',', f); put(f, v->list.items[i], order); } putc(']', f); break;
  case OBJECT: qsort_r(v->object.pairs, v->object.count, sizeof(struct pair), by_key, &order); putc('{', f); for (unsigned i = 0; i < v->object.count; i++) { fprintf(f, "%s%s:", i ? "," : "", v->object.pairs[i].key); put(f, v->object.pairs[i].value, order); } putc('}', f); } }
static void drop(struct value *v) { if (v->kind == TEXT) free(v->text); if (v->kind == LIST) { for (unsigned i = 0; i < v->list.count; i++) drop(v->list.items[i]); free(v->list.items); } if (v->kind == OBJECT) { for (unsigned i = 0; i < v->object.count; i++) free(v->object.pairs[i].key), drop(v->object.pairs[i].value); free(v->object.pairs); } free(v); }
int main(void) {
  static const char *const samples[] = {"{\"b\": [1, -2.5e3, 0.1, 1e400, -0, 123456789012345678901234567890], \"a\": {\"x\": null, \"\\u00e9\\u20acz\": \"tab\\there\"}, \"c\": true}", "[[[[]]], {}, \"\", false]", "[1, 2", "{\"a\" 1}", "\"\\q\"", "[1,\n2,\n@]", "tru", "\"\\u12g4\"", "[[[[[[[[[[[[[[[[[[[[[[[1]]]]", "  0x1.8p3 ", "-", "\"open"};
  for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
    struct reader r = {.at = samples[i], .line = 1};
    if (setjmp(r.fail)) { printf("error: %s (%d)\n", r.message, r.used > 0); continue; }
    struct value *v = parse(&r, 0);
    for (int order = 1; order >= -1; order -= 2) { char *out = 0; size_t n = 0; FILE *f = open_memstream(&out, &n); put(f, v, order); fclose(f); printf("%zu %s rest '%s'\n", n, out, r.at); free(out); }
    drop(v);
  }
  return 0;
}
