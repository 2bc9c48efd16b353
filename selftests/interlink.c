// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that begin on one mesh and end on another: the words are there when the job
 * ends, and the interlink's counters say by what they were fenced.
 */
#include "golden_case.h"
#include "node_fs.h"

#define QUANTISE 1
#define IN_WORDS 8
#define OUT_WORDS 4
#define MAX_BLOCKS 64
#define FROM 0
#define TO 3

/* Words of the interlink, by number; each has two halves of 32 bits. */
#define SENT 4			/* low: posted to a mesh, high: landed there */
#define RECEIVED 8		/* low: arrived from a mesh */
#define MARKED 12		/* high: markers back from a mesh */

FIXTURE(interlink)
{
	struct sim_node node;
	int fd;
	__u32 blocks;
	__u32 source, staging, home;	/* buffers: fp16, MXFP7 at the far mesh, its copy */
	unsigned char in[MAX_BLOCKS * IN_WORDS * WORD];
	unsigned char expected[MAX_BLOCKS * OUT_WORDS * WORD];
	unsigned char seen[MAX_BLOCKS * OUT_WORDS * WORD];
	struct kohaku_submit submit;
};

static bool scan_word(FILE *file, unsigned char *word)
{
	for (int i = WORD - 1; i >= 0; i--) {
		unsigned int byte;

		if (fscanf(file, i == WORD - 1 ? " %2x" : "%2x", &byte) != 1)
			return false;
		word[i] = byte;
	}
	return true;
}

/* Blocks that the hardware quantised, packing A: what it got and what it made. */
static void read_recordings(FIXTURE_DATA(interlink) *self, FILE *file)
{
	unsigned char in[IN_WORDS * WORD], out[OUT_WORDS * WORD];
	unsigned int mode;

	/* The first line names the columns. */
	if (fscanf(file, "#%*[^\n]") == EOF)
		return;
	while (self->blocks < MAX_BLOCKS && fscanf(file, " %u", &mode) == 1) {
		bool whole = true;

		for (int i = 0; i < IN_WORDS; i++)
			whole = whole && scan_word(file, in + i * WORD);
		for (int i = 0; i < OUT_WORDS; i++)
			whole = whole && scan_word(file, out + i * WORD);
		if (!whole)
			return;
		if (mode)
			continue;
		memcpy(self->in + self->blocks * sizeof(in), in, sizeof(in));
		memcpy(self->expected + self->blocks * sizeof(out), out, sizeof(out));
		self->blocks++;
	}
}

static __u32 buffer_on(struct __test_metadata *_metadata, FIXTURE_DATA(interlink) *self,
		       __u32 mesh, __u32 tier, __u64 size)
{
	struct kohaku_buf_alloc alloc;

	test_alloc_on(self->fd, mesh, tier, 0, size, &alloc);
	return alloc.out_buffer;
}

FIXTURE_SETUP(interlink)
{
	struct kohaku_info info;
	FILE *file = golden_open("quant_table.txt");

	if (!file)
		SKIP_SETUP("no quant_table.txt; set KOHAKU_GOLDEN");
	read_recordings(self, file);
	fclose(file);
	ASSERT_EQ(MAX_BLOCKS, self->blocks);
	make_node(_metadata, &self->node, "kselftest-interlink", KOHAKU_MAX_MESHES);
	self->fd = open_sim(_metadata, &self->node);
	test_info(self->fd, &info);
	ASSERT_TRUE(info.out_caps & KOHAKU_CAP_LINK);
	ASSERT_TRUE(info.out_caps & KOHAKU_CAP_SLOT);
	self->source = buffer_on(_metadata, self, FROM, KOHAKU_TIER_DRAM, sizeof(self->in));
	self->staging = buffer_on(_metadata, self, TO, KOHAKU_TIER_STAGING, sizeof(self->seen));
	self->home = buffer_on(_metadata, self, TO, KOHAKU_TIER_DRAM, sizeof(self->seen));
	test_write(self->fd, self->source, 0, sizeof(self->in), self->in);
}

FIXTURE_TEARDOWN(interlink)
{
	close(self->fd);
	sim_destroy(&self->node);
}

/* A word of a mesh's interlink, as debugfs shows it. */
static int link_word(const struct sim_node *node, unsigned int mesh, unsigned int number,
		     unsigned long long *value)
{
	char file[256], text[4096], name[32];
	const char *at;

	snprintf(file, sizeof(file), DEBUGFS_KOHAKU "/%s/mesh%u/registers", node_name(node->path),
		 mesh);
	if (text_read(file, text, sizeof(text)))
		return -1;
	snprintf(name, sizeof(name), "0x%04x ", 0x80 + 8 * number);
	at = strstr(text, name);
	return at && sscanf(at + strlen(name), "%llx", value) == 1 ? 0 : -1;
}

static __u32 low(unsigned long long word)
{
	return word;
}

static __u32 high(unsigned long long word)
{
	return word >> 32;
}

static struct kohaku_op op_quantise(FIXTURE_DATA(interlink) *self)
{
	struct kohaku_op op = op_copy(walk_linear(self->source, 0, self->blocks * IN_WORDS),
				      walk_linear(self->staging, 0, self->blocks));

	op.mesh = FROM;
	op.move.mode = KOHAKU_MOVE_XFORM;
	op.move.xform = QUANTISE;
	op.move.dst.dims[0].stride = OUT_WORDS * WORD;
	return op;
}

static struct kohaku_op op_bring_home(FIXTURE_DATA(interlink) *self, __u32 flags)
{
	__u32 words = self->blocks * OUT_WORDS;
	struct kohaku_op op = op_copy(walk_linear(self->staging, 0, words),
				      walk_linear(self->home, 0, words));

	op.mesh = TO;
	op.flags = flags;
	return op;
}

/* What lies in both of the far mesh's memories is what the hardware once made. */
static void expect_quantised(struct __test_metadata *_metadata, FIXTURE_DATA(interlink) *self)
{
	test_read(self->fd, self->staging, 0, sizeof(self->seen), self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->expected, sizeof(self->seen)));
	memset(self->seen, 0, sizeof(self->seen));
	test_read(self->fd, self->home, 0, sizeof(self->seen), self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->expected, sizeof(self->seen)));
}

/* One job, two meshes: the barrier holds the second back until the words landed. */
TEST_F(interlink, quantise_into_a_far_mesh)
{
	struct kohaku_op ops[2] = { op_quantise(self),
				    op_bring_home(self, KOHAKU_OP_BARRIER) };

	test_submit(self->fd, ops, 2, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 2 * self->blocks * OUT_WORDS);
	expect_quantised(_metadata, self);
}

/* The same in two jobs: the end of the first is the fence. */
TEST_F(interlink, the_end_of_a_job_is_a_fence)
{
	struct kohaku_op op = op_quantise(self);

	for (unsigned int round = 0; round < 20; round++) {
		test_submit(self->fd, &op, 1, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion, self->blocks * OUT_WORDS);
		test_read(self->fd, self->staging, 0, sizeof(self->seen), self->seen);
		ASSERT_EQ(0, memcmp(self->seen, self->expected, sizeof(self->seen)));
		memset(self->seen, 0, sizeof(self->seen));
		test_write(self->fd, self->staging, 0, sizeof(self->seen), self->seen);
	}
	test_submit(self->fd, &op, 1, 0, &self->submit);
	op = op_bring_home(self, 0);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, self->blocks * OUT_WORDS);
	expect_quantised(_metadata, self);
}

/*
 * All that was posted has landed, the far mesh counts the same, and a marker went
 * there and back.  What the copy at the far mesh does crosses no link.
 */
TEST_F(interlink, counters)
{
	unsigned long long sent[2], received[2], marked[2];
	__u32 words = self->blocks * OUT_WORDS;
	struct kohaku_op ops[2] = { op_quantise(self),
				    op_bring_home(self, KOHAKU_OP_BARRIER) };

	if (link_word(&self->node, FROM, SENT + TO, &sent[0]))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, link_word(&self->node, TO, RECEIVED + FROM, &received[0]));
	ASSERT_EQ(0, link_word(&self->node, FROM, MARKED + TO, &marked[0]));
	test_submit(self->fd, ops, 2, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 2 * words);
	ASSERT_EQ(0, link_word(&self->node, FROM, SENT + TO, &sent[1]));
	ASSERT_EQ(0, link_word(&self->node, TO, RECEIVED + FROM, &received[1]));
	ASSERT_EQ(0, link_word(&self->node, FROM, MARKED + TO, &marked[1]));
	EXPECT_EQ(words, low(sent[1]) - low(sent[0]));
	EXPECT_EQ(low(sent[1]), high(sent[1]));
	EXPECT_EQ(words, low(received[1]) - low(received[0]));
	EXPECT_LT(high(marked[0]), high(marked[1]));
	/* Nobody else was spoken to. */
	ASSERT_EQ(0, link_word(&self->node, FROM, SENT + 1, &sent[1]));
	EXPECT_EQ(0, low(sent[1]));
}

TEST_HARNESS_MAIN
