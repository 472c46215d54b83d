/* struct _IO_FILE such that code compiled against glibc's headers finds what it looks for: gnulib's modules
 * (fseeko, fflush, freadahead, freadptr ...) and the inline versions of getc_unlocked, putc_unlocked and
 * feof_unlocked read and write these fields directly. Up to byte 152 each field sits where glibc for x86-64 keeps
 * the field of that meaning, in 32-bit programs up to byte 84 where glibc for i386 does; the save area stays null (no push-back area of glibc's kind exists). The rest is
 * musl's own. stdio allocates all streams, so the size is free. */
struct _IO_FILE {
	unsigned flags;                /*   0 _flags: 16 end of file, 32 error, in both */
#if __SIZEOF_POINTER__ == 8
	int lbf;                       /*   4 (a hole in glibc's) */
#endif
	unsigned char *rpos;           /*   8 _IO_read_ptr */
	unsigned char *rend;           /*  16 _IO_read_end */
	unsigned char *unused_base;    /*  24 _IO_read_base */
	unsigned char *wbase;          /*  32 _IO_write_base */
	unsigned char *wpos;           /*  40 _IO_write_ptr */
	unsigned char *wend;           /*  48 _IO_write_end */
	unsigned char *buf;            /*  56 _IO_buf_base */
	unsigned char *unused_end;     /*  64 _IO_buf_end */
	unsigned char *mustbezero_1;   /*  72 _IO_save_base */
	unsigned char *unused_backup;  /*  80 _IO_backup_base */
	void *mustbezero_2;            /*  88 _IO_save_end */
	void *unused_markers;          /*  96 _markers */
	FILE *next;                    /* 104 _chain */
	int fd;                        /* 112 _fileno */
	int unused_flags2;             /* 116 _flags2 */
	long unused_old_offset;        /* 120 _old_offset */
	long unused_column;            /* 128 _cur_column, _vtable_offset, _shortbuf */
	volatile int lock;             /* 136 _lock */
#if __SIZEOF_POINTER__ == 8
	int pipe_pid;                  /* 140 */
#endif
	off_t off;                     /* 144 _offset */

	FILE *prev;
	size_t buf_size;
	int (*close)(FILE *);
	size_t (*read)(FILE *, unsigned char *, size_t);
	size_t (*write)(FILE *, const unsigned char *, size_t);
	int mode;                      /* 192 _mode: wide or narrow orientation */
#if __SIZEOF_POINTER__ == 8
	int padding;
#else
	int lbf;
	int pipe_pid;
#endif
	off_t (*seek)(FILE *, off_t, int);
	void *cookie;
	long lockcount;
	char *getln_buf;
	unsigned char *shend;
	off_t shlim, shcnt;
	FILE *prev_locked, *next_locked;
	struct __locale_struct *locale;
};

#define HOMI_FIELD_AT(field, offset) \
	_Static_assert(__builtin_offsetof(struct _IO_FILE, field) == offset, "layout of " #field)
#if __SIZEOF_POINTER__ == 8
HOMI_FIELD_AT(rpos, 8);
HOMI_FIELD_AT(wbase, 32);
HOMI_FIELD_AT(wend, 48);
HOMI_FIELD_AT(mustbezero_1, 72);
HOMI_FIELD_AT(next, 104);
HOMI_FIELD_AT(fd, 112);
HOMI_FIELD_AT(lock, 136);
HOMI_FIELD_AT(off, 144);
HOMI_FIELD_AT(mode, 192);
#else
HOMI_FIELD_AT(rpos, 4);
HOMI_FIELD_AT(wbase, 16);
HOMI_FIELD_AT(wend, 24);
HOMI_FIELD_AT(mustbezero_1, 36);
HOMI_FIELD_AT(next, 52);
HOMI_FIELD_AT(fd, 56);
HOMI_FIELD_AT(lock, 72);
HOMI_FIELD_AT(off, 76);
HOMI_FIELD_AT(mode, 104);
#endif
#undef HOMI_FIELD_AT
