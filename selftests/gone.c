// SPDX-License-Identifier: GPL-2.0
/*
 * The node goes away under everything that can be open: every kind of descriptor
 * and of mapping, and the files around the node.  Whatever one does with any of
 * them answers at once, with the errno that stands here.
 *
 * The node is a simulated one, or with $KOHAKU_UNPLUG the card under test: that is
 * the file to which the word "unplug" is written to have it taken out.
 */
#include "cmd_table.h"
#include "node_fs.h"
#include "pass_fd.h"
#include "touch.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/uio.h>

#define PAGES 3
#define IN_FLIGHT 4

enum kind { OWN, DUPLICATE, PASSED, READ_ONLY, NONBLOCKING, KINDS };

static const char *const kinds[KINDS] = {
	"the file itself", "a duplicate", "one that was passed", "one for reading",
	"one that does not block",
};

enum held_file { SYSFS, SYSFS_MESH, DEBUGFS, DEBUGFS_KNOB, TRACE, HELD };

FIXTURE(gone)
{
	struct sim_node node;
	const char *path;
	int fds[KINDS], held[HELD], event, epoll;
	size_t page;
	__u64 caps;
	struct kohaku_buf_alloc alloc;
	unsigned char *map;		/* NULL: nothing can be mapped */
	struct kohaku_op op;
	struct kohaku_submit submit;
};

/* The same open file under another number, as a process gets it from another. */
static int pass(int fd)
{
	int ends[2], passed = -1;

	/* A kernel may be built without sockets. */
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return errno == ENOSYS ? dup(fd) : -1;
	if (!pass_send(ends[0], fd))
		passed = pass_receive(ends[1]);
	close(ends[0]);
	close(ends[1]);
	return passed;
}

static int hold(const char *folder, const char *path, const char *file, int flags)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/%s/%s", folder, node_name(path), file);
	return open(name, flags | O_CLOEXEC);
}

static void hold_files(FIXTURE_DATA(gone) *self)
{
	self->held[SYSFS] = hold(SYSFS_KOHAKU, self->path, "jobs", O_RDONLY);
	self->held[SYSFS_MESH] = hold(SYSFS_KOHAKU, self->path, "mesh0/done", O_RDONLY);
	self->held[DEBUGFS] = hold(DEBUGFS_KOHAKU, self->path, "mesh0/registers", O_RDONLY);
	self->held[DEBUGFS_KNOB] = hold(DEBUGFS_KOHAKU, self->path, "mesh0/hang", O_WRONLY);
	self->held[TRACE] = open("/sys/kernel/tracing/trace_pipe",
				 O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	text_write("/sys/kernel/tracing/events/kohaku/enable", "1");
}

static void map_buffer(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	self->page = sysconf(_SC_PAGESIZE);
	test_alloc_on(self->fds[OWN], 0, KOHAKU_TIER_DRAM, 0, PAGES * self->page, &self->alloc);
	if (!(self->caps & KOHAKU_CAP_MMAP))
		return;
	self->map = mmap(NULL, PAGES * self->page, PROT_READ | PROT_WRITE, MAP_SHARED,
			 self->fds[OWN], self->alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, self->map);
	memset(self->map, 0x51, PAGES * self->page);
}

FIXTURE_SETUP(gone)
{
	struct kohaku_info info;

	if (getenv("KOHAKU_UNPLUG")) {
		self->path = node_path();
	} else {
		make_node(_metadata, &self->node, "kselftest-gone", 2);
		self->path = self->node.path;
	}
	self->fds[OWN] = open(self->path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fds[OWN]);
	test_info(self->fds[OWN], &info);
	self->caps = info.out_caps;
	self->fds[DUPLICATE] = dup(self->fds[OWN]);
	self->fds[PASSED] = pass(self->fds[OWN]);
	self->fds[READ_ONLY] = open(self->path, O_RDONLY | O_CLOEXEC);
	self->fds[NONBLOCKING] = open(self->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	self->epoll = epoll_create1(EPOLL_CLOEXEC);
	for (unsigned int i = 0; i < KINDS; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };

		ASSERT_LE(0, self->fds[i]);
		ASSERT_EQ(0, epoll_ctl(self->epoll, EPOLL_CTL_ADD, self->fds[i], &event));
	}
	map_buffer(_metadata, self);
	hold_files(self);
	self->op = op_fill(walk_linear(self->alloc.out_buffer, 0, 1), 0x11111111);
	self->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ASSERT_EQ(0, _test_eventfd(self->fds[OWN], self->event));
}

FIXTURE_TEARDOWN(gone)
{
	text_write("/sys/kernel/tracing/events/kohaku/enable", "0");
	if (self->map)
		munmap(self->map, PAGES * self->page);
	for (unsigned int i = 0; i < KINDS; i++)
		close(self->fds[i]);
	if (!getenv("KOHAKU_UNPLUG"))
		sim_destroy(&self->node);
}

/* Jobs are in flight when it happens, where a node can be made slow. */
static void unplug(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	const char *file = getenv("KOHAKU_UNPLUG");
	struct kohaku_info info;

	if (!file) {
		knob_write(self->path, 0, "ns_per_move", "5000000000");
		for (unsigned int i = 0; i < IN_FLIGHT; i++)
			test_submit(self->fds[OWN], &self->op, 1, KOHAKU_SUBMIT_ASYNC,
				    &self->submit);
		ASSERT_EQ(0, sim_unplug(&self->node));
		return;
	}
	test_submit(self->fds[OWN], &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	ASSERT_EQ(0, text_write(file, "unplug\n"));
	for (unsigned int i = 0; i < 3000 && !_test_info(self->fds[OWN], &info); i++)
		sleep_ms(10);
	for (unsigned int i = 0; i < 3000 && !access(self->path, F_OK); i++)
		sleep_ms(10);
}

static int verb_unknown_command(FIXTURE_DATA(gone) *self, int fd)
{
	return ioctl(fd, _IO(KOHAKU_TYPE, 0xff), NULL) ? errno : 0;
}

static int verb_poll(FIXTURE_DATA(gone) *self, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, -1) == 1 && p.revents == (POLLHUP | POLLERR) ? 0 : EIO;
}

static int verb_read(FIXTURE_DATA(gone) *self, int fd)
{
	struct kohaku_completion completion;

	return read(fd, &completion, sizeof(completion)) < 0 ? errno : 0;
}

static int verb_pread(FIXTURE_DATA(gone) *self, int fd)
{
	struct kohaku_completion completion;

	return pread(fd, &completion, sizeof(completion), 0) < 0 ? errno : 0;
}

static int verb_seek(FIXTURE_DATA(gone) *self, int fd)
{
	return lseek(fd, 0, SEEK_SET) < 0 ? errno : 0;
}

static int verb_sync(FIXTURE_DATA(gone) *self, int fd)
{
	return fsync(fd) ? errno : 0;
}

static int verb_stat(FIXTURE_DATA(gone) *self, int fd)
{
	struct stat stat;

	return fstat(fd, &stat) ? errno : S_ISCHR(stat.st_mode) ? 0 : EIO;
}

static int verb_lock(FIXTURE_DATA(gone) *self, int fd)
{
	if (!flock(fd, LOCK_EX | LOCK_NB) && !flock(fd, LOCK_UN))
		return 0;
	/* A kernel may be built without locks of files. */
	return errno == ENOSYS ? 0 : errno;
}

static int verb_mmap(FIXTURE_DATA(gone) *self, int fd)
{
	void *at = mmap(NULL, self->page, PROT_READ, MAP_SHARED, fd,
			self->map ? self->alloc.out_map_offset : self->page);

	return at == MAP_FAILED ? errno : 0;
}

/* Through the very inode, of which the device file has lost its name. */
static int verb_open_again(FIXTURE_DATA(gone) *self, int fd)
{
	char name[64];
	int again;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	again = open(name, O_RDONLY | O_CLOEXEC);
	return again < 0 ? errno == ENXIO ? ENODEV : errno : 0;
}

static const struct verb {
	const char *name;
	int (*run)(FIXTURE_DATA(gone) *self, int fd);
	int err;
} verbs[] = {
	{ "an unknown command", verb_unknown_command, ENOTTY },
	{ "poll()", verb_poll, 0 },
	{ "read()", verb_read, ENODEV },
	{ "pread()", verb_pread, ESPIPE },
	{ "lseek()", verb_seek, ESPIPE },
	{ "fsync()", verb_sync, EINVAL },
	{ "fstat()", verb_stat, 0 },
	{ "flock()", verb_lock, 0 },
	{ "mmap()", verb_mmap, ENODEV },
	{ "open() of the descriptor", verb_open_again, ENODEV },
};

/* Every command and every other call, twice: the answer does not change. */
static unsigned int wrong_verbs(FIXTURE_DATA(gone) *self, int fd, const char *kind)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i / 2];
		union cmd_arg arg;
		int err;

		cmd_idle(row, &arg, row->size);
		err = _test_cmd(fd, row->nr, &arg);
		if (err != ENODEV) {
			fprintf(stderr, "# %s of %s: errno %d\n", row->name, kind, err);
			wrong++;
		}
	}
	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(verbs); i++) {
		const struct verb *verb = &verbs[i / 2];
		int err = verb->run(self, fd);

		if (err != verb->err) {
			fprintf(stderr, "# %s of %s: errno %d\n", verb->name, kind, err);
			wrong++;
		}
	}
	return wrong;
}

static void check_descriptors(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	struct epoll_event events[KINDS];
	int status;
	pid_t pid;

	for (unsigned int i = 0; i < KINDS; i++)
		EXPECT_EQ(0, wrong_verbs(self, self->fds[i], kinds[i]));
	ASSERT_EQ(KINDS, epoll_wait(self->epoll, events, KINDS, 0));
	for (unsigned int i = 0; i < KINDS; i++)
		EXPECT_EQ(EPOLLHUP | EPOLLERR, events[i].events & (EPOLLHUP | EPOLLERR));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(wrong_verbs(self, self->fds[OWN], "an inherited one") ? 1 : 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

/* Every one of the jobs has ended, which was told. */
static void check_event(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	unsigned int expected = getenv("KOHAKU_UNPLUG") ? 1 : IN_FLIGHT;
	struct pollfd p = { .fd = self->event, .events = POLLIN };
	eventfd_t told = 0, more;

	while (told < expected && poll(&p, 1, 5000) == 1 && !eventfd_read(self->event, &more))
		told += more;
	EXPECT_EQ(expected, told);
	EXPECT_EQ(0, poll(&p, 1, 0));
}

/* Another node is none the wiser from what this one's pages were. */
static void check_copy_from(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	int fd = open(node_path(), O_RDWR | O_CLOEXEC), pipes[2];
	__u32 id;

	ASSERT_LE(0, fd);
	test_alloc(fd, KOHAKU_TIER_DRAM, self->page, &id);
	test_err_write(EFAULT, fd, id, 0, self->page, self->map);
	test_err_read(EFAULT, fd, id, 0, self->page, self->map);
	close(fd);
	ASSERT_EQ(0, pipe(pipes));
	EXPECT_EQ(-1, write(pipes[1], self->map, self->page));
	EXPECT_EQ(EFAULT, errno);
	close(pipes[0]);
	close(pipes[1]);
}

static void check_mapping(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	size_t page = self->page, size = PAGES * page;
	unsigned char word[WORD];
	struct iovec here = { word, WORD }, there = { self->map, WORD };
	void *moved;
	int status;
	pid_t pid;

	if (!self->map)
		return;
	for (unsigned int i = 0; i < PAGES; i++) {
		EXPECT_EQ(SIGBUS, touch(self->map + i * page, false));
		EXPECT_EQ(SIGBUS, touch(self->map + i * page, true));
	}
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(touch(self->map, false) == SIGBUS ? 0 : 1);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	check_copy_from(_metadata, self);
	EXPECT_EQ(-1, process_vm_readv(getpid(), &here, 1, &there, 1, 0));
	EXPECT_TRUE(errno == EFAULT || errno == ENOSYS);
	EXPECT_EQ(0, madvise(self->map, size, MADV_DONTNEED));
	EXPECT_EQ(0, madvise(self->map, size, MADV_WILLNEED));
	EXPECT_EQ(-1, mlock(self->map, size));
	EXPECT_EQ(0, munlock(self->map, size));
	EXPECT_EQ(0, mprotect(self->map, page, PROT_READ));
	EXPECT_EQ(SIGBUS, touch(self->map, false));
	EXPECT_EQ(MAP_FAILED, mremap(self->map, size, size + page, MREMAP_MAYMOVE));
	EXPECT_EQ(0, munmap(self->map + page, page));
	moved = mremap(self->map + 2 * page, page, page, MREMAP_MAYMOVE | MREMAP_FIXED,
		       self->map + page);
	EXPECT_EQ(self->map + page, moved);
	EXPECT_EQ(SIGBUS, touch(moved, true));
}

static int read_held(int fd)
{
	char text[4096];

	return pread(fd, text, sizeof(text), 0) < 0 ? errno : 0;
}

/* Files that could not be opened in the first place are not asked. */
static void check_held(struct __test_metadata *_metadata, FIXTURE_DATA(gone) *self)
{
	char text[4096];

	EXPECT_EQ(ENODEV, read_held(self->held[SYSFS]));
	EXPECT_EQ(ENODEV, read_held(self->held[SYSFS_MESH]));
	EXPECT_EQ(EIO, self->held[DEBUGFS] < 0 ? EIO : read_held(self->held[DEBUGFS]));
	if (self->held[DEBUGFS_KNOB] >= 0) {
		EXPECT_EQ(-1, write(self->held[DEBUGFS_KNOB], "1", 1));
		EXPECT_EQ(EIO, errno);
	}
	EXPECT_LT(0, self->held[TRACE] < 0 ? 1 : read(self->held[TRACE], text, sizeof(text)));
	for (unsigned int i = 0; i < HELD; i++)
		close(self->held[i]);
}

/* D02 */
TEST_F_TIMEOUT(gone, everything, 120)
{
	unplug(_metadata, self);
	EXPECT_NE(0, access(self->path, F_OK));
	check_descriptors(_metadata, self);
	check_event(_metadata, self);
	check_mapping(_metadata, self);
	check_held(_metadata, self);
	for (unsigned int i = 0; i < KINDS; i++)
		EXPECT_EQ(0, close(self->fds[i]));
}

/* A mapping alone keeps what it needs. */
TEST_F(gone, with_only_a_mapping_left)
{
	if (getenv("KOHAKU_UNPLUG"))
		SKIP(return, "a card is taken out once");
	for (unsigned int i = 0; i < KINDS; i++)
		close(self->fds[i]);
	EXPECT_EQ(0, touch(self->map, true));
	ASSERT_EQ(0, sim_unplug(&self->node));
	EXPECT_EQ(SIGBUS, touch(self->map, true));
	EXPECT_EQ(0, munmap(self->map, PAGES * self->page));
	self->map = NULL;
}

TEST_HARNESS_MAIN
