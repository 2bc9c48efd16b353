// SPDX-License-Identifier: GPL-2.0
/*
 * mmap() of buffers.
 */
#include "touch.h"

#define PAGES 4

FIXTURE(map)
{
	int fd;
	long page;
	struct kohaku_buf_alloc alloc;
	unsigned char *bytes;
};

FIXTURE_SETUP(map)
{
	struct kohaku_info info;

	self->fd = open_node(_metadata);
	self->page = sysconf(_SC_PAGESIZE);
	test_info(self->fd, &info);
	if (!(info.out_caps & KOHAKU_CAP_MMAP))
		SKIP_SETUP("this node's buffers cannot be mapped");
	test_alloc_on(self->fd, 0, KOHAKU_TIER_DRAM, 0, PAGES * self->page, &self->alloc);
	ASSERT_NE(0, self->alloc.out_map_offset);
	ASSERT_EQ((__u64)PAGES * self->page, self->alloc.out_length);
	self->bytes = mmap(NULL, PAGES * self->page, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd,
			   self->alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, self->bytes);
}

FIXTURE_TEARDOWN(map)
{
	close(self->fd);
}

static int map_errno(int fd, __u64 offset, __u64 length, int prot, int flags)
{
	void *p = mmap(NULL, length, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		return errno;
	munmap(p, length);
	return 0;
}

/* The mapping, the commands and the mover see the same bytes. */
TEST_F(map, same_bytes)
{
	unsigned char words[2 * WORD];
	struct kohaku_submit submit;
	struct kohaku_op op;

	EXPECT_TRUE(all_bytes(self->bytes, 0, PAGES * self->page));
	memset(self->bytes + self->page - WORD, 0x11, 2 * WORD);
	test_read(self->fd, self->alloc.out_buffer, self->page - WORD, 2 * WORD, words);
	EXPECT_TRUE(all_bytes(words, 0x11, 2 * WORD));

	memset(words, 0x22, sizeof(words));
	test_write(self->fd, self->alloc.out_buffer, 2 * self->page - WORD, 2 * WORD, words);
	EXPECT_TRUE(all_bytes(self->bytes + 2 * self->page - WORD, 0x22, 2 * WORD));

	op = op_fill(walk_linear(self->alloc.out_buffer, 0, 2), 0x33333333);
	test_submit(self->fd, &op, 1, 0, &submit);
	ASSERT_DONE(&submit.completion, 2);
	EXPECT_TRUE(all_bytes(self->bytes, 0x33, 2 * WORD));
	EXPECT_TRUE(all_bytes(self->bytes + 2 * WORD, 0, self->page - 3 * WORD));
}

/* Any whole pages of a buffer, each page the right one.  A08 */
TEST_F(map, part_of_a_buffer)
{
	unsigned char tag[WORD];

	for (int i = 0; i < PAGES; i++) {
		memset(tag, i + 1, WORD);
		test_write(self->fd, self->alloc.out_buffer, i * self->page, WORD, tag);
	}
	for (int i = 0; i < PAGES; i++) {
		unsigned char *tail = mmap(NULL, (PAGES - i) * self->page, PROT_READ, MAP_SHARED,
					   self->fd, self->alloc.out_map_offset + i * self->page);

		ASSERT_NE(MAP_FAILED, tail);
		for (int j = i; j < PAGES; j++)
			EXPECT_EQ(j + 1, tail[(j - i) * self->page]);
		munmap(tail, (PAGES - i) * self->page);
	}
}

/* A08 */
TEST_F(map, refused)
{
	const int rw = PROT_READ | PROT_WRITE;
	__u64 start = self->alloc.out_map_offset;
	__u64 size = self->alloc.out_length;
	long page = self->page;

	EXPECT_EQ(EINVAL, map_errno(self->fd, start, size + page, rw, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_errno(self->fd, start + size - page, 2 * page, rw, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_errno(self->fd, start - page, 2 * page, rw, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_errno(self->fd, start + size, page, rw, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_errno(self->fd, 0, page, rw, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_errno(self->fd, start + 1, page, rw, MAP_SHARED));
	EXPECT_EQ(EINVAL, map_errno(self->fd, start, page, rw, MAP_PRIVATE));
	EXPECT_EQ(EINVAL, map_errno(self->fd, start, page, PROT_READ, MAP_PRIVATE));
}

/* Offsets and lengths whose sum wraps; mmap() itself may refuse some of them.  A01, A08 */
TEST_F(map, wrapping_offsets)
{
	__u64 offsets[] = { (1ULL << 63) - self->page, 0 - (__u64)self->page, 1ULL << 43,
			    1ULL << 52, (1ULL << 62) + self->alloc.out_map_offset };

	for (unsigned int i = 0; i < ARRAY_SIZE(offsets); i++) {
		int err;

		/* A 32-bit program's C library can hand on a page number of 32 bits. */
		if (sizeof(long) == 4 && offsets[i] >> 32 >= (__u64)self->page)
			continue;
		err = map_errno(self->fd, offsets[i], self->page, PROT_READ, MAP_SHARED);
		EXPECT_TRUE(err == EINVAL || err == EOVERFLOW) {
			TH_LOG("offset %#llx: %d", offsets[i], err);
		}
		err = map_errno(self->fd, offsets[i], 2 * self->page, PROT_READ, MAP_SHARED);
		EXPECT_TRUE(err == EINVAL || err == EOVERFLOW);
	}
}

/* A mapping that grows would show the next buffer.  A08 */
TEST_F(map, cannot_grow)
{
	void *grown = mremap(self->bytes, PAGES * self->page, 2 * PAGES * self->page,
			     MREMAP_MAYMOVE);

	EXPECT_EQ(MAP_FAILED, grown);
	self->bytes[0] = 1;
	/* Moving it is harmless. */
	grown = mmap(NULL, PAGES * self->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, grown);
	ASSERT_EQ(grown, mremap(self->bytes, PAGES * self->page, PAGES * self->page,
				MREMAP_MAYMOVE | MREMAP_FIXED, grown));
	EXPECT_EQ(1, *(unsigned char *)grown);
}

/* Offsets are the file's own: they mean nothing in another.  E08 */
TEST_F(map, foreign_offset)
{
	int other = open_node(_metadata);

	EXPECT_EQ(EINVAL, map_errno(other, self->alloc.out_map_offset, self->page, PROT_READ,
				    MAP_SHARED));
	close(other);
}

TEST_F(map, read_only_file)
{
	int fd = open(node_path(), O_RDONLY | O_CLOEXEC);
	struct kohaku_buf_alloc alloc;
	int err;

	ASSERT_LE(0, fd);
	test_alloc_on(fd, 0, KOHAKU_TIER_DRAM, 0, self->page, &alloc);
	err = map_errno(fd, alloc.out_map_offset, self->page, PROT_READ | PROT_WRITE, MAP_SHARED);
	EXPECT_EQ(EACCES, err);
	EXPECT_EQ(0, map_errno(fd, alloc.out_map_offset, self->page, PROT_READ, MAP_SHARED));
	err = map_errno(fd, alloc.out_map_offset, self->page, PROT_READ, MAP_PRIVATE);
	EXPECT_EQ(EINVAL, err);
	close(fd);
}

TEST_F(map, sigbus_after_free)
{
	self->bytes[0] = 1;
	ASSERT_EQ(0, touch(self->bytes, false));
	test_free(self->fd, self->alloc.out_buffer);
	for (int i = 0; i < PAGES; i++)
		EXPECT_EQ(SIGBUS, touch(self->bytes + i * self->page, false));
	EXPECT_EQ(EINVAL, map_errno(self->fd, self->alloc.out_map_offset, self->page, PROT_READ,
				    MAP_SHARED));
	EXPECT_EQ(0, munmap(self->bytes, PAGES * self->page));
}

/* Whoever gets the memory next is not seen through the old mapping. */
TEST_F(map, old_mapping_and_new_owner)
{
	unsigned char secret[WORD];
	int other = open_node(_metadata);
	__u32 id;

	memset(secret, 0x77, WORD);
	memset(self->bytes, 1, PAGES * self->page);
	test_free(self->fd, self->alloc.out_buffer);
	for (unsigned int i = 0; i < 8; i++) {
		test_alloc(other, KOHAKU_TIER_DRAM, PAGES * self->page, &id);
		test_write(other, id, 0, WORD, secret);
		EXPECT_EQ(SIGBUS, touch(self->bytes, false));
	}
	close(other);
}

/* The last close is that of the mapping: it keeps its bytes. */
TEST_F(map, outlives_the_descriptor)
{
	int fd = open_node(_metadata);
	struct kohaku_buf_alloc alloc;
	unsigned char *bytes;

	test_alloc_on(fd, 0, KOHAKU_TIER_DRAM, 0, self->page, &alloc);
	bytes = mmap(NULL, self->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		     alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, bytes);
	memset(bytes, 0x42, self->page);
	close(fd);
	EXPECT_TRUE(all_bytes(bytes, 0x42, self->page));
	EXPECT_EQ(0, munmap(bytes, self->page));
}

TEST_F(map, partial_munmap)
{
	memset(self->bytes, 0x11, PAGES * self->page);
	ASSERT_EQ(0, munmap(self->bytes + self->page, self->page));
	EXPECT_TRUE(all_bytes(self->bytes, 0x11, self->page));
	EXPECT_TRUE(all_bytes(self->bytes + 2 * self->page, 0x11, 2 * self->page));
	test_free(self->fd, self->alloc.out_buffer);
	EXPECT_EQ(SIGBUS, touch(self->bytes, false));
	EXPECT_EQ(SIGBUS, touch(self->bytes + 3 * self->page, false));
}

TEST_F(map, fork_shares)
{
	int status;
	pid_t pid;

	self->bytes[0] = 1;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		bool seen = self->bytes[0] == 1;

		self->bytes[self->page] = 2;
		_exit(seen ? 0 : 1);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(2, self->bytes[self->page]);
}

/* A child frees; the parent's mapping goes with it. */
TEST_F(map, fork_frees)
{
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid)
		_exit(_test_free(self->fd, self->alloc.out_buffer));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(SIGBUS, touch(self->bytes, false));
}

/* BUF_READ and BUF_WRITE through the very pages they copy from and to.  E04 */
TEST_F(map, io_onto_itself)
{
	memset(self->bytes, 0x66, self->page);
	test_write(self->fd, self->alloc.out_buffer, self->page, self->page, self->bytes);
	EXPECT_TRUE(all_bytes(self->bytes + self->page, 0x66, self->page));
	test_read(self->fd, self->alloc.out_buffer, 0, self->page,
		  self->bytes + 2 * self->page);
	EXPECT_TRUE(all_bytes(self->bytes + 2 * self->page, 0x66, self->page));
}

TEST_HARNESS_MAIN
