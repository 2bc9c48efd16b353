// SPDX-License-Identifier: GPL-2.0
/*
 * BUF_ALLOC, BUF_FREE, BUF_READ, BUF_WRITE in both memories of a mesh.
 */
#include "kohaku_test.h"
#include "node_fs.h"

FIXTURE(buffer)
{
	int fd;
	struct kohaku_info info;
	__u32 granule;
	__u64 capacity;
	__u64 seed;
};

FIXTURE_VARIANT(buffer)
{
	__u32 tier;
};

FIXTURE_VARIANT_ADD(buffer, dram) { .tier = KOHAKU_TIER_DRAM };
FIXTURE_VARIANT_ADD(buffer, staging) { .tier = KOHAKU_TIER_STAGING };

FIXTURE_SETUP(buffer)
{
	bool staging = variant->tier == KOHAKU_TIER_STAGING;

	self->fd = open_node(_metadata);
	test_info(self->fd, &self->info);
	self->granule = staging ? self->info.out_staging_alignment : self->info.out_alignment;
	self->capacity = staging ? self->info.out_staging_size : self->info.out_dram_size;
	self->seed = random_seed();
}

/*
 * A card needs minutes to clear all of its DRAM, a simulated one takes it from the
 * machine's memory.
 */
#define SKIP_IF_LARGE() do {							\
	if (variant->tier == KOHAKU_TIER_DRAM)					\
		SKIP(return, "DRAM is too large for that");			\
} while (0)

FIXTURE_TEARDOWN(buffer)
{
	close(self->fd);
}

/* B07 */
TEST_F(buffer, answer)
{
	static const __u64 lengths[] = { 1, 31, 32, 33, 4095, 4096, 4097, 70000 };
	struct kohaku_buf_alloc alloc;

	for (unsigned int i = 0; i < ARRAY_SIZE(lengths); i++) {
		test_alloc_on(self->fd, 0, variant->tier, 0, lengths[i], &alloc);
		EXPECT_EQ(lengths[i], alloc.length);
		EXPECT_LE(lengths[i], alloc.out_length);
		EXPECT_GT(lengths[i] + self->granule, alloc.out_length);
		EXPECT_EQ(0, alloc.out_length % self->granule);
		EXPECT_NE(0, alloc.out_buffer);
		EXPECT_EQ(variant->tier, alloc.out_tier);
		EXPECT_EQ(0, alloc.out_map_offset % sysconf(_SC_PAGESIZE));
		if (!(self->info.out_caps & KOHAKU_CAP_MMAP))
			EXPECT_EQ(0, alloc.out_map_offset);
		test_free(self->fd, alloc.out_buffer);
	}
}

TEST_F(buffer, refused)
{
	struct kohaku_buf_alloc alloc;
	__u32 id;

	test_err_alloc(EINVAL, self->fd, variant->tier, 0, &id);
	EXPECT_REFUSED(_test_alloc(self->fd, 0, 4096, &id));
	EXPECT_REFUSED(_test_alloc(self->fd, 3, 4096, &id));
	EXPECT_REFUSED(_test_alloc(self->fd, UINT32_MAX, 4096, &id));
	EXPECT_REFUSED(_test_alloc_on(self->fd, self->info.out_meshes, variant->tier, 0, 4096,
				      &alloc));
	EXPECT_REFUSED(_test_alloc_on(self->fd, UINT32_MAX, variant->tier, 0, 4096, &alloc));
}

/* The machine's memory may end first: that is ENOMEM, and nobody is killed for it. */
#define SMALL (64ULL << 20)

/* No length makes the kernel wrap, warn or hand out less than was asked for.  A04, E09 */
TEST_F_TIMEOUT(buffer, huge_lengths, 300)
{
	for (unsigned int bit = 0; bit < 64; bit++) {
		for (int off = -1; off <= 1; off++) {
			__u64 length = (1ULL << bit) + off;
			struct kohaku_buf_alloc alloc;
			int err;

			err = _test_alloc_on(self->fd, 0, variant->tier, 0, length, &alloc);
			if (!err) {
				EXPECT_LE(length, alloc.out_length);
				EXPECT_LE(alloc.out_length, self->capacity);
				test_free(self->fd, alloc.out_buffer);
			}
			if (err == ENOMEM && length >= SMALL && length <= self->capacity)
				continue;
			EXPECT_TRUE(err == ENOSPC || (length ? length <= self->capacity && !err
							      : err == EINVAL)) {
				TH_LOG("length %#llx: %d", length, err);
			}
		}
	}
	EXPECT_NE(0, _test_alloc_on(self->fd, 0, variant->tier, 0, UINT64_MAX,
				    &(struct kohaku_buf_alloc){ 0 }));
}

TEST_F(buffer, write_and_read)
{
	enum { LENGTH = 64 * 1024 };
	static unsigned char model[LENGTH], seen[LENGTH], piece[LENGTH];
	__u32 id;

	TH_LOG("KOHAKU_SEED=%#llx", self->seed);
	test_alloc(self->fd, variant->tier, LENGTH, &id);
	for (unsigned int i = 0; i < 200; i++) {
		__u32 offset = random_below(&self->seed, LENGTH / WORD) * WORD;
		__u32 length = random_below(&self->seed, (LENGTH - offset) / WORD + 1) * WORD;

		if (i % 8)
			length %= 4096 + WORD;
		random_bytes(&self->seed, piece, length);
		test_write(self->fd, id, offset, length, piece);
		memcpy(model + offset, piece, length);

		memset(seen, 0xcc, length + WORD);
		test_read(self->fd, id, offset, length, seen);
		ASSERT_EQ(0, memcmp(model + offset, seen, length));
		ASSERT_TRUE(all_bytes(seen + length, 0xcc, length < LENGTH ? WORD : 0));
	}
	test_read(self->fd, id, 0, LENGTH, seen);
	EXPECT_EQ(0, memcmp(model, seen, LENGTH));
}

/* A01 */
TEST_F(buffer, io_bounds)
{
	unsigned char words[4 * WORD] = { 0 };
	struct kohaku_buf_alloc alloc;
	__u64 end;
	__u32 id;

	test_alloc_on(self->fd, 0, variant->tier, 0, 8 * WORD, &alloc);
	id = alloc.out_buffer;
	end = alloc.out_length;

	test_write(self->fd, id, end - WORD, WORD, words);
	test_read(self->fd, id, 0, 0, NULL);
	test_read(self->fd, id, end, 0, NULL);
	for (unsigned int off = 1; off < WORD; off++) {
		test_err_read(EINVAL, self->fd, id, end - off, WORD, words);
		test_err_read(EINVAL, self->fd, id, off, WORD, words);
		test_err_write(EINVAL, self->fd, id, 0, off, words);
	}
	test_err_read(EINVAL, self->fd, id, end, WORD, words);
	test_err_read(EINVAL, self->fd, id, end - WORD, 2 * WORD, words);
	for (unsigned int bit = 31; bit < 64; bit++) {
		test_err_read(EINVAL, self->fd, id, 1ULL << bit, WORD, words);
		test_err_write(EINVAL, self->fd, id, 0 - (1ULL << bit), WORD, words);
		test_err_read(EINVAL, self->fd, id, 0, 1ULL << bit, words);
	}
	/* offset + length is 0 and 32 in 64 bits. */
	test_err_read(EINVAL, self->fd, id, 0 - 32ULL, WORD, words);
	test_err_write(EINVAL, self->fd, id, 0 - 32ULL, 2 * WORD, words);
	test_err_write(EINVAL, self->fd, id, WORD, 0 - 32ULL, words);
}

/* E01, E02 */
TEST_F(buffer, io_addresses)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned char seen[2 * WORD];
	unsigned char *pages;
	__u32 id;

	test_alloc(self->fd, variant->tier, 2 * page, &id);
	pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, pages);
	memset(pages, 0x5a, 2 * page);
	ASSERT_EQ(0, mprotect(pages + page, page, PROT_NONE));

	test_err_write(EFAULT, self->fd, id, 0, 2 * page, pages);
	test_err_read(EFAULT, self->fd, id, 0, 2 * page, pages);
	test_err_read(EFAULT, self->fd, id, 0, WORD, NULL);
	test_err_write(EFAULT, self->fd, id, 0, WORD, (void *)-4096L);
	/* Each of them may have copied what comes before the hole. */
	memset(pages, 0x5a, page);
	/* Exactly up to the hole, and from an address of any alignment. */
	test_write(self->fd, id, 0, WORD, pages + page - WORD);
	test_write(self->fd, id, WORD, WORD, pages + page - WORD - 1);
	test_read(self->fd, id, 0, 2 * WORD, seen);
	EXPECT_TRUE(all_bytes(seen, 0x5a, 2 * WORD));
	/* Read-only memory is good enough to write from. */
	ASSERT_EQ(0, mprotect(pages, page, PROT_READ));
	test_write(self->fd, id, 0, page, pages);
	test_err_read(EFAULT, self->fd, id, 0, page, pages);
}

/* What one owner wrote, the next never reads.  F10 */
TEST_F(buffer, fresh_is_zero)
{
	enum { LENGTH = 128 * 1024 };
	static unsigned char bytes[LENGTH];
	__u32 id;

	for (unsigned int i = 0; i < 16; i++) {
		test_alloc(self->fd, variant->tier, LENGTH, &id);
		memset(bytes, 0xcc, LENGTH);
		test_read(self->fd, id, 0, LENGTH, bytes);
		ASSERT_TRUE(all_bytes(bytes, 0, LENGTH));
		memset(bytes, 0xff, LENGTH);
		test_write(self->fd, id, 0, LENGTH, bytes);
		test_free(self->fd, id);
	}
}

/* E08 */
TEST_F(buffer, ids)
{
	unsigned char word[WORD] = { 0 };
	int other = open_node(_metadata);
	__u32 id;

	test_alloc(self->fd, variant->tier, 4096, &id);
	for (__u32 foreign = 0; foreign < 65536; foreign++)
		ASSERT_EQ(ENOENT, _test_read(other, foreign, 0, WORD, word));
	test_err_free(ENOENT, other, id);
	test_err_write(ENOENT, other, id, 0, WORD, word);
	test_err_free(ENOENT, self->fd, 0);
	test_err_free(ENOENT, self->fd, UINT32_MAX);
	test_read(self->fd, id, 0, WORD, word);
	test_free(self->fd, id);
	test_err_free(ENOENT, self->fd, id);
	test_err_read(ENOENT, self->fd, id, 0, WORD, word);
	close(other);
}

/* Everything there is can be had, in pieces that do not overlap, and again.  F11 */
TEST_F(buffer, exhaustion)
{
	__u64 piece = self->capacity / 16;
	unsigned char tag[WORD], seen[WORD];
	__u32 ids[2][17];
	unsigned int count[2];

	SKIP_IF_LARGE();
	for (unsigned int round = 0; round < 2; round++) {
		__u32 *id = ids[round];
		unsigned int n = 0;
		int err;

		while (!(err = _test_alloc(self->fd, variant->tier, piece, &id[n]))) {
			memset(tag, n + 1, WORD);
			test_write(self->fd, id[n], 0, WORD, tag);
			test_write(self->fd, id[n], piece - WORD, WORD, tag);
			ASSERT_GT(17, ++n);
		}
		EXPECT_EQ(ENOSPC, err);
		count[round] = n;
		for (unsigned int i = 0; i < n; i++) {
			test_read(self->fd, id[i], 0, WORD, seen);
			EXPECT_TRUE(all_bytes(seen, i + 1, WORD));
			test_read(self->fd, id[i], piece - WORD, WORD, seen);
			EXPECT_TRUE(all_bytes(seen, i + 1, WORD));
			test_free(self->fd, id[i]);
		}
	}
	EXPECT_LE(14, count[0]);
	EXPECT_EQ(count[0], count[1]);
}

/* A06 */
TEST_F(buffer, too_many)
{
	__u32 id, first = 0, got = 0;
	int err;

	while (!(err = _test_alloc(self->fd, variant->tier, 1, &id))) {
		first = first ?: id;
		ASSERT_GE(self->info.out_max_buffers, ++got);
	}
	EXPECT_EQ(ENOSPC, err);
	if ((__u64)self->info.out_max_buffers * self->granule <= self->capacity / 2)
		EXPECT_EQ(self->info.out_max_buffers, got);
	test_free(self->fd, first);
	test_alloc(self->fd, variant->tier, 1, &id);
}

/* Staging that is full falls back to DRAM only when asked to, and says so.  B08 */
TEST_F(buffer, fallback)
{
	struct kohaku_buf_alloc alloc;
	long long fallbacks;
	int err;

	if (variant->tier != KOHAKU_TIER_STAGING)
		SKIP(return, "only staging falls back");
	do
		err = _test_alloc_on(self->fd, 0, variant->tier, 0, 64 * 1024, &alloc);
	while (!err);
	ASSERT_EQ(ENOSPC, err);
	fallbacks = sysfs_number(node_path(), "mesh0/staging_fallbacks");
	test_alloc_on(self->fd, 0, variant->tier, KOHAKU_BUF_FALLBACK, 64 * 1024, &alloc);
	EXPECT_EQ(KOHAKU_TIER_DRAM, alloc.out_tier);
	EXPECT_EQ(KOHAKU_TIER_STAGING, alloc.tier);
	EXPECT_EQ(0, alloc.out_length % self->info.out_alignment);
	if (fallbacks >= 0)
		EXPECT_EQ(fallbacks + 1, sysfs_number(node_path(), "mesh0/staging_fallbacks"));
}

/* The fallback flag changes nothing while there is room. */
TEST_F(buffer, fallback_not_needed)
{
	struct kohaku_buf_alloc alloc;

	test_alloc_on(self->fd, 0, variant->tier, KOHAKU_BUF_FALLBACK, 4096, &alloc);
	EXPECT_EQ(variant->tier, alloc.out_tier);
}

/* Pieces freed in any order come together again. */
TEST_F(buffer, no_fragmentation)
{
	__u64 piece = self->capacity / 64;
	struct kohaku_buf_alloc whole;
	__u32 ids[40];

	SKIP_IF_LARGE();
	for (unsigned int i = 0; i < 40; i++)
		test_alloc(self->fd, variant->tier, piece, &ids[i]);
	for (unsigned int i = 0; i < 40; i++) {
		unsigned int pick = (i * 7 + 3) % 40;

		test_free(self->fd, ids[pick]);
	}
	test_alloc_on(self->fd, 0, variant->tier, 0, piece * 40, &whole);
	EXPECT_EQ(variant->tier, whole.out_tier);
}

TEST_HARNESS_MAIN
