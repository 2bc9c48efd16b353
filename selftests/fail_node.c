// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that can fail while a node or the module comes up fails once.  After
 * each step either nothing is there and the next attempt works, or it works.
 *
 * Loading has many points; every nth of them is taken, with n from
 * $KOHAKU_FAIL_STRIDE (10).
 */
#include "fail_nth.h"
#include "module_load.h"

static unsigned int stride(void)
{
	const char *text = getenv("KOHAKU_FAIL_STRIDE");

	return text && atoi(text) > 0 ? atoi(text) : 10;
}

/* Does the node behind a device file do what a node does? */
static bool works(const char *path)
{
	struct kohaku_submit submit;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned char word[WORD];
	struct kohaku_op op;
	__u32 buffer;
	bool ok;

	if (fd < 0)
		return false;
	ok = !_test_alloc(fd, KOHAKU_TIER_STAGING, WORD, &buffer);
	op = op_fill(walk_linear(buffer, 0, 1), 0x01010101);
	ok = ok && !_test_submit(fd, &op, 1, 0, &submit) && !submit.completion.status &&
	     !_test_read(fd, buffer, 0, WORD, word) && all_bytes(word, 1, WORD);
	close(fd);
	return ok;
}

FIXTURE(fail_node)
{
	struct nth nth;
	struct sim_node node;
};

FIXTURE_VARIANT(fail_node)
{
	bool pages;
};

FIXTURE_VARIANT_ADD(fail_node, slabs) {
	.pages = false,
};

FIXTURE_VARIANT_ADD(fail_node, slabs_and_pages) {
	.pages = true,
};

FIXTURE_SETUP(fail_node)
{
	if (!nth_setup() || !nth_pages(variant->pages))
		SKIP_SETUP("no fault injection");
	nth_open(&self->nth);
	ASSERT_LE(0, self->nth.fd);
	make_node(_metadata, &self->node, "kselftest-fail", 2);
}

FIXTURE_TEARDOWN(fail_node)
{
	sim_destroy(&self->node);
	close(self->nth.fd);
}

/* D10 */
TEST_F_TIMEOUT(fail_node, live, 600)
{
	unsigned int n = 0;
	bool fired = true;

	while (fired) {
		int err;

		ASSERT_GT(FAIL_NTH_LIMIT, ++n);
		ASSERT_EQ(0, sim_unplug(&self->node));
		ASSERT_TRUE(nth_arm(&self->nth, n));
		err = sim_attribute(&self->node, "live", "1");
		fired = nth_disarm(&self->nth);
		EXPECT_TRUE(!err || (fired && (nth_errno(err) || err == ENODEV))) {
			TH_LOG("nth %u: errno %d", n, err);
		}
		EXPECT_EQ(!err, works(self->node.path)) {
			TH_LOG("nth %u: errno %d, but the node says otherwise", n, err);
		}
	}
	TH_LOG("%u points", n - 1);
}

TEST_F_TIMEOUT(fail_node, mkdir, 300)
{
	unsigned int n = 0;
	bool fired = true;

	sim_destroy(&self->node);
	while (fired) {
		int err;

		ASSERT_GT(FAIL_NTH_LIMIT, ++n);
		ASSERT_TRUE(nth_arm(&self->nth, n));
		err = mkdir(self->node.folder, 0755) ? errno : 0;
		fired = nth_disarm(&self->nth);
		EXPECT_TRUE(!err || fired);
		EXPECT_EQ(!err, !sim_plug(&self->node));
		sim_unplug(&self->node);
		EXPECT_EQ(!err, !rmdir(self->node.folder));
	}
	TH_LOG("%u points", n - 1);
}

/* Unplugging cannot fail, whatever does. */
TEST_F_TIMEOUT(fail_node, unplug, 300)
{
	unsigned int n = 0;
	bool fired = true;

	while (fired) {
		int err;

		ASSERT_GT(FAIL_NTH_LIMIT, ++n);
		sim_plug(&self->node);
		ASSERT_TRUE(nth_arm(&self->nth, n));
		err = sim_unplug(&self->node);
		fired = nth_disarm(&self->nth);
		/* The write itself can be refused, before the driver sees it. */
		if (err)
			sim_unplug(&self->node);
		EXPECT_NE(0, access(self->node.path, F_OK));
	}
	TH_LOG("%u points", n - 1);
}

FIXTURE(fail_load)
{
	struct nth nth;
	int file;
};

FIXTURE_SETUP(fail_load)
{
	if (!nth_setup())
		SKIP_SETUP("no fault injection");
	/*
	 * When it cannot make /sys/module/kohaku/drivers, the kernel puts the link that
	 * belongs there into /sys and leaves it; the next load is warned about.
	 */
	if (!access("/sys/bus/pci", F_OK))
		SKIP_SETUP("the kernel leaves a link to a PCI driver in the root of sysfs");
	nth_open(&self->nth);
	ASSERT_LE(0, self->nth.fd);
	self->file = module_under_test(_metadata);
}

FIXTURE_TEARDOWN(fail_load)
{
	if (!module_loaded())
		EXPECT_EQ(0, module_load(self->file, ""));
	close(self->file);
	close(self->nth.fd);
}

/* Points of a load with these parameters, whether it succeeds or not. */
static unsigned int points_of(const struct nth *nth, int file, const char *parameters)
{
	const unsigned int many = 1000000;
	unsigned int passed;

	if (!nth_arm(nth, many))
		return 0;
	module_load(file, parameters);
	passed = nth_passed(nth, many);
	nth_disarm(nth);
	return passed;
}

/* D10 */
TEST_F_TIMEOUT(fail_load, module, 3600)
{
	unsigned int n, first, refused = 0, steps = 0;
	bool fired = true;

	ASSERT_EQ(0, module_unload());
	/*
	 * A wrong parameter ends a load before the module's own points.  What the
	 * kernel does until then is its own affair, and some of it warns.
	 */
	first = points_of(&self->nth, self->file, "meshes=none");
	ASSERT_LT(0, first);
	ASSERT_FALSE(module_loaded());
	for (n = first + 1; fired; n += stride(), steps++) {
		int err;

		ASSERT_GT(FAIL_NTH_LIMIT, n);
		ASSERT_TRUE(nth_arm(&self->nth, n));
		err = module_load(self->file, "");
		fired = nth_disarm(&self->nth);
		EXPECT_TRUE(!err || fired) {
			TH_LOG("nth %u: errno %d", n, err);
		}
		EXPECT_EQ(!err, module_loaded());
		EXPECT_EQ(!err, works("/dev/kohaku")) {
			TH_LOG("nth %u: errno %d, but the node says otherwise", n, err);
		}
		refused += err != 0;
		if (!err)
			ASSERT_EQ(0, module_unload());
	}
	TH_LOG("about %u points after the kernel's %u, %u steps, %u refused", n - first, first,
	       steps, refused);
}

/* Every point of a load from first on, most of which belong to the module alone. */
static void sweep_load(struct __test_metadata *_metadata, FIXTURE_DATA(fail_load) *self,
		       unsigned int first, unsigned int count)
{
	for (unsigned int n = first; n < first + count; n++) {
		int err;

		ASSERT_TRUE(nth_arm(&self->nth, n));
		err = module_load(self->file, "");
		nth_disarm(&self->nth);
		EXPECT_EQ(!err, module_loaded());
		EXPECT_EQ(!err, works("/dev/kohaku")) {
			TH_LOG("nth %u: errno %d, but the node says otherwise", n, err);
		}
		if (!err)
			ASSERT_EQ(0, module_unload());
	}
}

/* The points of a class, a region of numbers, a character device and configfs. */
#define WINDOW 80

/*
 * Before the first node is made and after the last: what the module registers
 * there is few points, which the stride of the other test may miss.
 */
TEST_F_TIMEOUT(fail_load, registration, 1200)
{
	unsigned int kernel, before, all;

	ASSERT_TRUE(nth_pages(false));
	ASSERT_EQ(0, module_unload());
	kernel = points_of(&self->nth, self->file, "meshes=none");
	before = points_of(&self->nth, self->file, "nodes=1000");
	ASSERT_FALSE(module_loaded());
	all = points_of(&self->nth, self->file, "");
	ASSERT_TRUE(module_loaded());
	ASSERT_EQ(0, module_unload());
	ASSERT_LT(kernel + WINDOW, before);
	ASSERT_LT(before, all);
	sweep_load(_metadata, self, before - WINDOW, WINDOW + 1);
	sweep_load(_metadata, self, all - WINDOW, WINDOW + 1);
	TH_LOG("%u points to the first node, %u in all, %u of the kernel", before, all, kernel);
}

TEST_HARNESS_MAIN
