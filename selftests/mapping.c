// SPDX-License-Identifier: GPL-2.0
/*
 * What a program can do to a mapping once it has it: advice, moves, protection,
 * locks, fork, exec, other ways to its bytes, and what is left when it ends.
 */
#include "node_fs.h"
#include "touch.h"

#include <sys/resource.h>
#include <sys/uio.h>

#define PAGES 4

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#define ADVISE_DONTNEED_LOCKED 24
#define ADVISE_COLLAPSE 25
#define ADVISE_GUARD_INSTALL 102

FIXTURE(mapping)
{
	int fd;
	size_t page, size;
	long long buffers;
	struct kohaku_buf_alloc alloc;
	unsigned char *bytes;
};

static unsigned char *map_at(FIXTURE_DATA(mapping) *self, int fd, size_t page, size_t pages,
			     int prot, int flags)
{
	return mmap(NULL, pages * self->page, prot, flags, fd,
		    self->alloc.out_map_offset + page * self->page);
}

/* Every page begins with its own number, from 1. */
static void number_pages(FIXTURE_DATA(mapping) *self)
{
	for (unsigned int i = 0; i < PAGES; i++)
		memset(self->bytes + i * self->page, i + 1, self->page);
}

static bool numbered(FIXTURE_DATA(mapping) *self, const unsigned char *bytes, unsigned int first,
		     unsigned int pages)
{
	for (unsigned int i = 0; i < pages; i++)
		if (!all_bytes(bytes + i * self->page, first + i + 1, self->page))
			return false;
	return true;
}

FIXTURE_SETUP(mapping)
{
	struct kohaku_info info;

	self->buffers = sysfs_number(node_path(), "buffers");
	self->fd = open_node(_metadata);
	self->page = sysconf(_SC_PAGESIZE);
	self->size = PAGES * self->page;
	test_info(self->fd, &info);
	if (!(info.out_caps & KOHAKU_CAP_MMAP))
		SKIP_SETUP("this node's buffers cannot be mapped");
	test_alloc_on(self->fd, 0, KOHAKU_TIER_DRAM, 0, self->size, &self->alloc);
	self->bytes = map_at(self, self->fd, 0, PAGES, PROT_READ | PROT_WRITE, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, self->bytes);
	number_pages(self);
}

static long long settled_buffers(long long expected)
{
	for (int i = 0; i < 100 && sysfs_number(node_path(), "buffers") != expected; i++)
		sleep_ms(20);
	return sysfs_number(node_path(), "buffers");
}

/* However it was used, the buffer goes with the last mapping and descriptor. */
FIXTURE_TEARDOWN(mapping)
{
	munmap(self->bytes, self->size);
	close(self->fd);
	EXPECT_EQ(self->buffers, settled_buffers(self->buffers));
}

static const struct advice {
	const char *name;
	int advice;
	int live, read_only, freed;	/* errnos */
	bool optional;			/* EINVAL where the kernel refuses it */
} advices[] = {
	{ "NORMAL", MADV_NORMAL, 0, 0, 0, false },
	{ "RANDOM", MADV_RANDOM, 0, 0, 0, false },
	{ "SEQUENTIAL", MADV_SEQUENTIAL, 0, 0, 0, false },
	{ "WILLNEED", MADV_WILLNEED, 0, 0, 0, false },
	{ "DONTNEED", MADV_DONTNEED, 0, 0, 0, false },
	{ "DONTNEED_LOCKED", ADVISE_DONTNEED_LOCKED, 0, 0, 0, true },
	{ "FREE", MADV_FREE, EINVAL, EINVAL, EINVAL, false },
	{ "REMOVE", MADV_REMOVE, ENODEV, ENODEV, ENODEV, false },
	{ "COLD", MADV_COLD, 0, 0, 0, false },
	{ "PAGEOUT", MADV_PAGEOUT, 0, 0, 0, false },
	{ "POPULATE_READ", MADV_POPULATE_READ, 0, 0, EFAULT, false },
	{ "POPULATE_WRITE", MADV_POPULATE_WRITE, 0, EINVAL, EFAULT, false },
	{ "HUGEPAGE", MADV_HUGEPAGE, 0, 0, 0, true },
	{ "NOHUGEPAGE", MADV_NOHUGEPAGE, 0, 0, 0, true },
	{ "COLLAPSE", ADVISE_COLLAPSE, EINVAL, EINVAL, EINVAL, true },
	{ "MERGEABLE", MADV_MERGEABLE, 0, 0, 0, true },
	{ "UNMERGEABLE", MADV_UNMERGEABLE, 0, 0, 0, true },
	{ "WIPEONFORK", MADV_WIPEONFORK, EINVAL, EINVAL, EINVAL, false },
	{ "KEEPONFORK", MADV_KEEPONFORK, 0, 0, 0, false },
	{ "DONTFORK", MADV_DONTFORK, 0, 0, 0, false },
	{ "DOFORK", MADV_DOFORK, 0, 0, 0, true },
	{ "DODUMP", MADV_DODUMP, EINVAL, EINVAL, EINVAL, false },
	{ "DONTDUMP", MADV_DONTDUMP, 0, 0, 0, false },
	{ "GUARD_INSTALL", ADVISE_GUARD_INSTALL, EINVAL, EINVAL, EINVAL, false },
};

static bool advised(const struct advice *advice, void *at, size_t size, int expected)
{
	int err = madvise(at, size, advice->advice) ? errno : 0;

	return err == expected || (advice->optional && err == EINVAL);
}

/* No advice changes a byte, of the whole mapping or of a page in the middle. */
TEST_F(mapping, advice)
{
	unsigned char *view = map_at(self, self->fd, 0, PAGES, PROT_READ, MAP_SHARED);
	unsigned char *seen = malloc(self->size);

	ASSERT_NE(MAP_FAILED, view);
	for (unsigned int i = 0; i < ARRAY_SIZE(advices); i++) {
		const struct advice *advice = &advices[i];

		EXPECT_TRUE(advised(advice, self->bytes, self->size, advice->live) &&
			    advised(advice, self->bytes + self->page, self->page, advice->live) &&
			    advised(advice, view, self->size, advice->read_only)) {
			TH_LOG("MADV_%s: errno %d", advice->name, errno);
		}
		test_read(self->fd, self->alloc.out_buffer, 0, self->size, seen);
		EXPECT_TRUE(numbered(self, self->bytes, 0, PAGES) &&
			    numbered(self, view, 0, PAGES) && numbered(self, seen, 0, PAGES)) {
			TH_LOG("bytes after MADV_%s", advice->name);
		}
	}
	free(seen);
	munmap(view, self->size);
}

/* Nor does any bring a page back that is gone. */
TEST_F(mapping, advice_after_free)
{
	test_free(self->fd, self->alloc.out_buffer);
	for (unsigned int i = 0; i < ARRAY_SIZE(advices); i++) {
		const struct advice *advice = &advices[i];

		EXPECT_TRUE(advised(advice, self->bytes, self->size, advice->freed)) {
			TH_LOG("MADV_%s: errno %d", advice->name, errno);
		}
		EXPECT_EQ(SIGBUS, touch(self->bytes, false));
		EXPECT_EQ(SIGBUS, touch(self->bytes + self->page, true));
	}
}

/* An old length of 0 asks for a second mapping: that could be longer than the first. */
TEST_F(mapping, cannot_be_copied_or_grown)
{
	EXPECT_EQ(MAP_FAILED, mremap(self->bytes, 0, self->size, MREMAP_MAYMOVE));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(MAP_FAILED, mremap(self->bytes, self->size, self->size + self->page, 0));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(MAP_FAILED, mremap(self->bytes + self->page, self->page, 2 * self->page,
				     MREMAP_MAYMOVE));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_TRUE(numbered(self, self->bytes, 0, PAGES));
}

TEST_F(mapping, shrinks)
{
	ASSERT_EQ(self->bytes, mremap(self->bytes, self->size, 2 * self->page, 0));
	EXPECT_TRUE(numbered(self, self->bytes, 0, 2));
	EXPECT_EQ(SIGSEGV, touch(self->bytes + 2 * self->page, false));
	test_free(self->fd, self->alloc.out_buffer);
	EXPECT_EQ(SIGBUS, touch(self->bytes + self->page, false));
}

/* Pages that were moved away one by one stay those of the buffer. */
TEST_F(mapping, moves_in_parts)
{
	unsigned char *parts[PAGES];

	for (int i = PAGES - 1; i >= 0; i--) {
		parts[i] = mmap(NULL, self->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		ASSERT_NE(MAP_FAILED, parts[i]);
		ASSERT_EQ(parts[i], mremap(self->bytes + i * self->page, self->page, self->page,
					   MREMAP_MAYMOVE | MREMAP_FIXED, parts[i]));
		EXPECT_EQ(SIGSEGV, touch(self->bytes + i * self->page, false));
	}
	for (unsigned int i = 0; i < PAGES; i++)
		EXPECT_TRUE(numbered(self, parts[i], i, 1));
	test_free(self->fd, self->alloc.out_buffer);
	for (unsigned int i = 0; i < PAGES; i++) {
		EXPECT_EQ(SIGBUS, touch(parts[i], false));
		EXPECT_EQ(0, munmap(parts[i], self->page));
	}
}

/* The old call that rearranges pages looks the buffer up like mmap(). */
TEST_F(mapping, rearranged_pages)
{
	size_t first = self->alloc.out_map_offset / self->page;

	ASSERT_EQ(0, remap_file_pages(self->bytes, self->page, 0, first + 2, 0));
	EXPECT_TRUE(numbered(self, self->bytes, 2, 1));
	EXPECT_TRUE(numbered(self, self->bytes + self->page, 1, PAGES - 1));
	EXPECT_EQ(-1, remap_file_pages(self->bytes + self->page, self->page, 0, first + PAGES, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, remap_file_pages(self->bytes + self->page, self->page, 0, 0, 0));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(mapping, flags)
{
	const int rw = PROT_READ | PROT_WRITE;
	unsigned char *at;

	at = map_at(self, self->fd, 0, PAGES, rw, MAP_SHARED | MAP_POPULATE);
	ASSERT_NE(MAP_FAILED, at);
	EXPECT_TRUE(numbered(self, at, 0, PAGES));
	/* Over itself. */
	ASSERT_EQ(at + self->page, mmap(at + self->page, self->page, rw, MAP_SHARED | MAP_FIXED,
					self->fd, self->alloc.out_map_offset));
	EXPECT_TRUE(numbered(self, at, 0, 1) && numbered(self, at + self->page, 0, 1) &&
		    numbered(self, at + 2 * self->page, 2, PAGES - 2));
	munmap(at, self->size);
	EXPECT_EQ(MAP_FAILED, map_at(self, self->fd, 0, PAGES, rw, MAP_SHARED | MAP_HUGETLB));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, map_at(self, self->fd, 0, PAGES, rw,
				     MAP_SHARED_VALIDATE | MAP_SYNC));
	EXPECT_EQ(EOPNOTSUPP, errno);
}

TEST_F(mapping, protection)
{
	int fd = open(node_path(), O_RDONLY | O_CLOEXEC);
	struct kohaku_buf_alloc alloc;
	unsigned char *view;

	ASSERT_EQ(0, mprotect(self->bytes, self->page, PROT_READ));
	EXPECT_EQ(0, touch(self->bytes, false));
	EXPECT_EQ(SIGSEGV, touch(self->bytes, true));
	EXPECT_EQ(0, touch(self->bytes + self->page, true));
	ASSERT_EQ(0, mprotect(self->bytes, self->size, PROT_NONE));
	EXPECT_EQ(SIGSEGV, touch(self->bytes + self->page, false));
	ASSERT_EQ(0, mprotect(self->bytes, self->size, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, touch(self->bytes, true));
	EXPECT_TRUE(numbered(self, self->bytes, 0, PAGES));

	/* What was opened for reading is mapped for reading, and stays so. */
	ASSERT_LE(0, fd);
	test_alloc_on(fd, 0, KOHAKU_TIER_DRAM, 0, self->page, &alloc);
	view = mmap(NULL, self->page, PROT_READ, MAP_SHARED, fd, alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, view);
	EXPECT_EQ(-1, mprotect(view, self->page, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(SIGSEGV, touch(view, true));
	munmap(view, self->page);
	close(fd);
}

/* Locked pages go like others when their buffer does. */
TEST_F(mapping, locks)
{
	ASSERT_EQ(0, mlock(self->bytes, self->size));
	ASSERT_EQ(0, munlock(self->bytes + self->page, self->page));
	ASSERT_EQ(0, mlock(self->bytes, self->size));
	EXPECT_TRUE(numbered(self, self->bytes, 0, PAGES));
	test_free(self->fd, self->alloc.out_buffer);
	EXPECT_EQ(SIGBUS, touch(self->bytes, false));
	EXPECT_EQ(-1, mlock(self->bytes, self->size));
	EXPECT_EQ(ENOMEM, errno);
	EXPECT_EQ(0, munlock(self->bytes, self->size));
}

/* There is nothing behind a mapping to write back to. */
TEST_F(mapping, sync)
{
	EXPECT_EQ(0, msync(self->bytes, self->size, MS_ASYNC));
	EXPECT_EQ(0, msync(self->bytes, self->size, MS_INVALIDATE));
	EXPECT_EQ(-1, msync(self->bytes, self->size, MS_SYNC));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(numbered(self, self->bytes, 0, PAGES));
}

/* The ways of a debugger. */
TEST_F(mapping, through_other_doors)
{
	int mem = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	unsigned char *seen = calloc(1, self->size);
	off_t at = (uintptr_t)self->bytes;

	ASSERT_LE(0, mem);
	EXPECT_EQ((ssize_t)self->size, pread(mem, seen, self->size, at));
	EXPECT_TRUE(numbered(self, seen, 0, PAGES));
	memset(seen, 0x71, self->size);
	EXPECT_EQ((ssize_t)self->page, pwrite(mem, seen, self->page, at));
	memset(seen, 0, self->size);
	test_read(self->fd, self->alloc.out_buffer, 0, self->size, seen);
	EXPECT_TRUE(all_bytes(seen, 0x71, self->page));
	EXPECT_TRUE(numbered(self, seen + self->page, 1, PAGES - 1));

	test_free(self->fd, self->alloc.out_buffer);
	EXPECT_EQ(-1, pread(mem, seen, self->size, at));
	EXPECT_EQ(EIO, errno);
	EXPECT_EQ(-1, pwrite(mem, seen, self->size, at));
	EXPECT_EQ(EIO, errno);
	close(mem);
	free(seen);
}

TEST_F(mapping, from_another_process)
{
	unsigned char *seen = calloc(1, self->size);
	struct iovec here = { seen, self->size }, there = { self->bytes, self->size };

	if (process_vm_readv(getpid(), NULL, 0, NULL, 0, 0) && errno == ENOSYS)
		SKIP(return, "no process_vm_readv()");
	EXPECT_EQ((ssize_t)self->size, process_vm_readv(getpid(), &here, 1, &there, 1, 0));
	EXPECT_TRUE(numbered(self, seen, 0, PAGES));
	memset(seen, 0x71, self->size);
	there.iov_base = self->bytes + self->page;
	here.iov_len = self->page;
	EXPECT_EQ((ssize_t)self->page, process_vm_writev(getpid(), &here, 1, &there, 1, 0));
	memset(seen, 0, self->size);
	test_read(self->fd, self->alloc.out_buffer, 0, self->size, seen);
	EXPECT_TRUE(numbered(self, seen, 0, 1));
	EXPECT_TRUE(all_bytes(seen + self->page, 0x71, self->page));
	EXPECT_TRUE(numbered(self, seen + 2 * self->page, 2, PAGES - 2));

	test_free(self->fd, self->alloc.out_buffer);
	EXPECT_EQ(-1, process_vm_readv(getpid(), &here, 1, &there, 1, 0));
	EXPECT_EQ(EFAULT, errno);
	free(seen);
}

/*
 * Whoever holds a page when its buffer is freed, here in a pipe, keeps the bytes
 * of that moment: the next owner of the memory has other pages.
 */
TEST_F(mapping, pages_held_elsewhere)
{
	unsigned char *seen = malloc(self->size), *secret = malloc(self->size);
	struct iovec iov = { self->bytes, self->size };
	int pipes[2], other = open_node(_metadata);
	__u32 ids[16];

	ASSERT_EQ(0, pipe2(pipes, O_CLOEXEC));
	ASSERT_EQ((ssize_t)self->size, vmsplice(pipes[1], &iov, 1, 0));
	test_free(self->fd, self->alloc.out_buffer);
	memset(secret, 0x77, self->size);
	for (unsigned int i = 0; i < ARRAY_SIZE(ids); i++) {
		test_alloc(other, KOHAKU_TIER_DRAM, self->size, &ids[i]);
		test_write(other, ids[i], 0, self->size, secret);
	}
	ASSERT_EQ((ssize_t)self->size, read(pipes[0], seen, self->size));
	EXPECT_TRUE(numbered(self, seen, 0, PAGES));
	close(other);
	close(pipes[0]);
	close(pipes[1]);
	free(seen);
	free(secret);
}

/* Runs a check in a child: 0 is well. */
#define IN_CHILD(expression) ({						\
	int _status;							\
	pid_t _pid = fork();						\
									\
	ASSERT_LE(0, _pid);						\
	if (!_pid)							\
		_exit((expression) ? 0 : 1);				\
	ASSERT_EQ(_pid, waitpid(_pid, &_status, 0));			\
	_status;							\
})

/* User-Mode Linux forks its own process too, with every page that is mapped there. */
TEST_F(mapping, advice_for_fork)
{
	if (user_mode_linux())
		SKIP(return, "MADV_DONTFORK does nothing on User-Mode Linux");
	ASSERT_EQ(0, madvise(self->bytes, self->page, MADV_DONTFORK));
	EXPECT_EQ(0, IN_CHILD(touch(self->bytes, false) == SIGSEGV &&
			      numbered(self, self->bytes + self->page, 1, PAGES - 1)));
	/* Newer kernels do not take it back for what cannot grow. */
	if (madvise(self->bytes, self->page, MADV_DOFORK)) {
		EXPECT_EQ(EINVAL, errno);
		return;
	}
	EXPECT_EQ(0, IN_CHILD(numbered(self, self->bytes, 0, PAGES)));
}

/* A child's mapping is its own: what either does to theirs leaves the other's. */
TEST_F(mapping, fork_outlives_the_parent)
{
	int go[2], status;
	pid_t pid;

	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		char byte;

		close(go[1]);
		close(self->fd);
		read(go[0], &byte, 1);
		_exit(numbered(self, self->bytes, 0, PAGES) && !touch(self->bytes, true) ? 0 : 1);
	}
	EXPECT_EQ(0, munmap(self->bytes, self->size));
	EXPECT_EQ(0, close(self->fd));
	EXPECT_EQ(self->buffers + 1, sysfs_number(node_path(), "buffers"));
	close(go[1]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(mapping, fork_and_free)
{
	int seen[2], go[2], status;
	pid_t pid;
	char byte;

	ASSERT_EQ(0, pipe2(seen, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (!numbered(self, self->bytes, 0, PAGES))
			_exit(1);
		close(go[1]);
		close(seen[1]);
		read(go[0], &byte, 1);
		_exit(touch(self->bytes, false) == SIGBUS ? 0 : 2);
	}
	close(seen[1]);
	EXPECT_EQ(0, read(seen[0], &byte, 1));
	test_free(self->fd, self->alloc.out_buffer);
	close(go[1]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* A program that is started drops mapping and descriptor, unless it shall inherit that. */
static void check_exec(struct __test_metadata *_metadata, FIXTURE_DATA(mapping) *self,
		       bool inherits)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, fcntl(self->fd, F_SETFD, inherits ? 0 : FD_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		execl("/bin/sleep", "sleep", "100", NULL);
		_exit(1);
	}
	munmap(self->bytes, self->size);
	close(self->fd);
	if (inherits)
		sleep_ms(200);
	EXPECT_EQ(self->buffers + inherits, settled_buffers(self->buffers + inherits));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(mapping, exec) { check_exec(_metadata, self, false); }
TEST_F(mapping, exec_with_the_descriptor) { check_exec(_metadata, self, true); }

/* RESET takes the mappings of others; those of the caller stay, with their bytes. */
TEST_F(mapping, own_reset)
{
	struct sim_node node;
	struct kohaku_buf_alloc alloc;
	unsigned char *bytes;
	int fd;

	make_node(_metadata, &node, "kselftest-mapping", 1);
	fd = open_sim(_metadata, &node);
	test_alloc_on(fd, 0, KOHAKU_TIER_DRAM, 0, self->page, &alloc);
	bytes = mmap(NULL, self->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		     alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, bytes);
	memset(bytes, 0x44, self->page);
	ASSERT_EQ(0, _test_reset(fd));
	EXPECT_TRUE(all_bytes(bytes, 0x44, self->page));
	EXPECT_EQ(0, touch(bytes, true));
	munmap(bytes, self->page);
	close(fd);
	sim_destroy(&node);
}

/* Says how often needle stands in a file. */
static int count_in_file(const char *path, const unsigned char *needle, size_t length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), found = 0;
	struct stat stat;
	unsigned char *text, *at;

	if (fd < 0 || fstat(fd, &stat) || !stat.st_size)
		return -1;
	text = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (text == MAP_FAILED)
		return -1;
	at = text;
	while ((at = memmem(at, text + stat.st_size - at, needle, length))) {
		found++;
		at += length;
	}
	munmap(text, stat.st_size);
	return found;
}

#define CORE_PATTERN "/proc/sys/kernel/core_pattern"
#define CORE_FILE "/tmp/kselftest-core"

/* A core dump has the program's memory, but not the node's. */
TEST_F(mapping, not_in_a_core_dump)
{
	static const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	unsigned char own[64], buffers[64];
	char pattern[256];
	__u64 seed = random_seed();
	int status;
	pid_t pid;

	if (text_read(CORE_PATTERN, pattern, sizeof(pattern)) ||
	    text_write(CORE_PATTERN, CORE_FILE))
		SKIP(return, "cannot say where core dumps go");
	unlink(CORE_FILE);
	random_bytes(&seed, own, sizeof(own));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		for (unsigned int i = 0; i < sizeof(own); i++)
			self->bytes[i] = own[i] ^ 0xff;
		setrlimit(RLIMIT_CORE, &unlimited);
		abort();
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	text_write(CORE_PATTERN, pattern);
	ASSERT_TRUE(WIFSIGNALED(status));
	for (unsigned int i = 0; i < sizeof(own); i++)
		buffers[i] = own[i] ^ 0xff;
	EXPECT_EQ(0, memcmp(buffers, self->bytes, sizeof(buffers)));
	if (!WCOREDUMP(status))
		SKIP(return, "no core dumps");
	EXPECT_LE(1, count_in_file(CORE_FILE, own, sizeof(own)));
	EXPECT_EQ(0, count_in_file(CORE_FILE, buffers, sizeof(buffers)));
	unlink(CORE_FILE);
}

TEST_HARNESS_MAIN
