/* Structure that the modeled kernel writes: the 144 bytes of x86-64. */
struct kstat {
	dev_t st_dev;
	ino_t st_ino;
	unsigned long long st_nlink;
	mode_t st_mode;
	uid_t st_uid;
	gid_t st_gid;
	unsigned __padding;
	dev_t st_rdev;
	off_t st_size;
	long long st_blksize;
	blkcnt_t st_blocks;
	long long st_atime_sec;
	long long st_atime_nsec;
	long long st_mtime_sec;
	long long st_mtime_nsec;
	long long st_ctime_sec;
	long long st_ctime_nsec;
	long long __unused[3];
};
