// SPDX-License-Identifier: GPL-2.0
/*
 * A card, and what can fail while its driver comes up, moves bytes and resets it:
 * every point of the driver's own (debugfs, fail_at) fails once.
 */
#include <pthread.h>

#include "kernel_counts.h"

#define DRIVER "/sys/bus/pci/drivers/kohaku"
#define FAIL_AT DEBUGFS_KOHAKU "/fail_at"
#define POINTS_MAX 500	/* no call has so many: a sweep that never ends is a bug */
#define BYTES (3U << 20)	/* more than one chain */

FIXTURE(card)
{
	char name[32];		/* of the device, 0000:01:00.0 */
	unsigned char *data, *back;
};

static int device_write(const char *name, const char *attribute, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", name, attribute);
	return text_write(path, value);
}

static long long device_number(const char *name, const char *attribute)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", name, attribute);
	return text_read(path, text, sizeof(text)) ? -1 : strtoll(text, NULL, 0);
}

static void fail_at(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	text_write(FAIL_AT, text);
}

/* From here on nothing fails any more; true when something has. */
static bool failed(void)
{
	char text[16] = "";
	int err = text_read(FAIL_AT, text, sizeof(text));

	fail_at(0);
	return !err && !strcmp(text, "0");
}

/* Is there a word in a file of the kernel's? */
static bool file_has(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	bool found = false;
	char line[512];

	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, word);
	if (file)
		fclose(file);
	return found;
}

static bool bus_master(const char *name)
{
	unsigned char command[2] = { 0 };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, command, sizeof(command), 4) != sizeof(command))
		command[0] = 0xff;
	close(fd);
	return command[0] & 4;
}

/* A job, and bytes there and back by both engines. */
static bool works(FIXTURE_DATA(card) *self)
{
	int fd = open(node_path(), O_RDWR | O_CLOEXEC);
	struct kohaku_submit submit;
	struct kohaku_op op;
	__u32 buffer;
	bool ok;

	if (fd < 0)
		return false;
	memset(self->back, 0, BYTES);
	ok = !_test_alloc(fd, KOHAKU_TIER_DRAM, BYTES, &buffer) &&
	     !_test_write(fd, buffer, 0, BYTES, self->data) &&
	     !_test_read(fd, buffer, 0, BYTES, self->back) &&
	     !memcmp(self->data, self->back, BYTES);
	op = op_fill(walk_linear(buffer, 0, 1), 0x01010101);
	ok = ok && !_test_submit(fd, &op, 1, 0, &submit) && !submit.completion.status &&
	     !_test_read(fd, buffer, 0, WORD, self->back) && all_bytes(self->back, 1, WORD);
	close(fd);
	return ok;
}

FIXTURE_SETUP(card)
{
	char link[128], path[PATH_MAX], backend[16];
	__u64 state = random_seed();

	snprintf(link, sizeof(link), SYSFS_KOHAKU "/%s/backend", node_name(node_path()));
	if (text_read(link, backend, sizeof(backend)) || strcmp(backend, "pci"))
		SKIP_SETUP("%s is no card", node_path());
	if (access(FAIL_AT, R_OK | W_OK))
		SKIP_SETUP("%s: %s", FAIL_AT, strerror(errno));
	snprintf(link, sizeof(link), SYSFS_KOHAKU "/%s/device", node_name(node_path()));
	ASSERT_NE(NULL, realpath(link, path));
	snprintf(self->name, sizeof(self->name), "%.31s", node_name(path));
	self->data = aligned_alloc(4096, BYTES);
	self->back = aligned_alloc(4096, BYTES);
	ASSERT_NE(NULL, self->data);
	ASSERT_NE(NULL, self->back);
	random_bytes(&state, self->data, BYTES);
	ASSERT_TRUE(works(self));
}

FIXTURE_TEARDOWN(card)
{
	fail_at(0);
	/* Other tests want it. */
	if (access(node_path(), F_OK)) {
		text_write(DRIVER "/unbind", self->name);
		EXPECT_EQ(0, text_write(DRIVER "/bind", self->name));
	}
	free(self->data);
	free(self->back);
}

/* Nothing of the driver is left on the device. */
static void expect_unbound(struct __test_metadata *_metadata, FIXTURE_DATA(card) *self,
			   unsigned int n)
{
	EXPECT_NE(0, access(node_path(), F_OK));
	EXPECT_EQ(-1, device_number(self->name, "driver/module/refcnt"));
	EXPECT_FALSE(file_has("/proc/iomem", "kohaku"));
	EXPECT_FALSE(file_has("/proc/interrupts", "kohaku"));
	EXPECT_EQ(0, device_number(self->name, "enable"));
	EXPECT_FALSE(bus_master(self->name)) {
		TH_LOG("point %u", n);
	}
}

/* D10: whatever fails while the driver is bound, it lets go and can be bound again. */
TEST_F_TIMEOUT(card, bind_fails_everywhere, 900)
{
	unsigned int n = 0, refused = 0, polled = 0;
	bool fired = true;

	while (fired) {
		int err;

		ASSERT_GT(POINTS_MAX, ++n);
		ASSERT_EQ(0, text_write(DRIVER "/unbind", self->name));
		expect_unbound(_metadata, self, n);
		fail_at(n);
		err = text_write(DRIVER "/bind", self->name);
		fired = failed();
		EXPECT_TRUE(!err || (fired && (err == ENOMEM || err == EIO || err == EBUSY ||
					       err == ENODEV))) {
			TH_LOG("point %u: errno %d", n, err);
		}
		if (err) {
			refused++;
			expect_unbound(_metadata, self, n);
			ASSERT_EQ(0, text_write(DRIVER "/bind", self->name)) {
				TH_LOG("point %u: cannot be bound again", n);
			}
		} else if (fired) {
			/* Without interrupts it works as well. */
			polled++;
			EXPECT_FALSE(file_has("/proc/interrupts", "kohaku"));
		}
		ASSERT_TRUE(works(self)) {
			TH_LOG("point %u: errno %d", n, err);
		}
	}
	TH_LOG("%u points, %u refused", n - 1, refused);
	/* Regions, BARs, rings, interrupts, engines, the node: none was left out. */
	EXPECT_LT(20, refused);
	EXPECT_EQ(1, polled);
}

/* A reset by somebody else, after which the card may not come up again.  D05 */
TEST_F_TIMEOUT(card, foreign_reset_fails_everywhere, 900)
{
	unsigned int n = 0, lost = 0;
	bool fired = true;

	while (fired) {
		int fd = open(node_path(), O_RDWR | O_CLOEXEC);
		struct kohaku_info info;
		__u32 buffer;

		ASSERT_GT(POINTS_MAX, ++n);
		ASSERT_LE(0, fd);
		test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &buffer);
		fail_at(n);
		EXPECT_EQ(0, device_write(self->name, "reset", "1"));
		fired = failed();
		/* Other bytes than were put in would be worse than none. */
		EXPECT_EQ(ENODEV, _test_read(fd, buffer, 0, 4096, self->back));
		EXPECT_EQ(ENODEV, _test_info(fd, &info));
		close(fd);
		EXPECT_EQ(fired, !!access(node_path(), F_OK)) {
			TH_LOG("point %u", n);
		}
		if (fired) {
			lost++;
			EXPECT_FALSE(bus_master(self->name));
			EXPECT_EQ(0, device_write(self->name, "reset", "1"));
		}
		ASSERT_TRUE(works(self)) {
			TH_LOG("point %u", n);
		}
	}
	TH_LOG("%u points, the node was lost %u times", n - 1, lost);
	EXPECT_LT(5, lost);
}

/* RESET that fails leaves the node wedged; the next one brings it back. */
TEST_F_TIMEOUT(card, reset_fails_everywhere, 900)
{
	struct kohaku_op op = op_marker(0);
	int fd = open(node_path(), O_RDWR | O_CLOEXEC);
	struct kohaku_submit submit;
	unsigned int n = 0, refused = 0;
	bool fired = true;

	ASSERT_LE(0, fd);
	while (fired) {
		int err;

		ASSERT_GT(POINTS_MAX, ++n);
		fail_at(n);
		err = _test_reset(fd);
		fired = failed();
		EXPECT_EQ(fired ? EIO : 0, err) {
			TH_LOG("point %u", n);
		}
		EXPECT_EQ(err, _test_submit(fd, &op, 1, 0, &submit));
		if (err) {
			refused++;
			ASSERT_EQ(0, _test_reset(fd));
		}
		ASSERT_TRUE(works(self)) {
			TH_LOG("point %u", n);
		}
	}
	close(fd);
	TH_LOG("%u points, %u refused", n - 1, refused);
	EXPECT_LT(3, refused);
}

/* One transfer fails, the next one works, and no page stays pinned.  E01 */
TEST_F_TIMEOUT(card, transfers_fail_everywhere, 600)
{
	static const __u32 skips[] = { 0, 8 };	/* by the pages themselves, by the bounce */
	int fd = open(node_path(), O_RDWR | O_CLOEXEC);
	long long pinned = pinned_pages();
	__u32 buffer;

	ASSERT_LE(0, fd);
	test_alloc(fd, KOHAKU_TIER_DRAM, BYTES, &buffer);
	for (unsigned int k = 0; k < 2 * ARRAY_SIZE(skips); k++) {
		/* The bounce takes 16 KiB at a time. */
		__u32 length = k / 2 ? 5 << 14 : BYTES;
		unsigned char *user = k % 2 ? self->back : self->data;
		unsigned long nr = k % 2 ? KOHAKU_BUF_READ : KOHAKU_BUF_WRITE;
		unsigned int n = 0, refused = 0;
		bool fired = true;

		while (fired) {
			int err;

			ASSERT_GT(POINTS_MAX, ++n);
			fail_at(n);
			err = _test_io(fd, nr, buffer, 0, length - WORD, user + skips[k / 2]);
			fired = failed();
			/* ENOENT: the buffer is not found. */
			EXPECT_EQ(fired, err == EIO || err == ENOMEM || err == ENOENT) {
				TH_LOG("point %u: errno %d", n, err);
			}
			refused += err != 0;
			test_write(fd, buffer, 0, length, self->data);
			test_read(fd, buffer, 0, length, self->back);
			ASSERT_EQ(0, memcmp(self->data, self->back, length));
		}
		TH_LOG("%s of %u bytes: %u points", k % 2 ? "READ" : "WRITE", length, n - 1);
		EXPECT_LE(k / 2 ? 5 : 4, refused);
	}
	close(fd);
	EXPECT_EQ(pinned, pinned_pages());
	EXPECT_TRUE(works(self));
}

static void *reset_often(void *stop)
{
	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
		int fd = open(node_path(), O_RDWR | O_CLOEXEC);

		if (fd >= 0) {
			_test_reset(fd);
			close(fd);
		}
	}
	return NULL;
}

/*
 * The driver resets the card while somebody else does: what files see of the
 * foreign one must not depend on that.  D05
 */
TEST_F_TIMEOUT(card, resets_at_once, 300)
{
	bool stop = false;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, reset_often, &stop));
	for (unsigned int i = 0; i < 20; i++) {
		int fd = open(node_path(), O_RDWR | O_CLOEXEC);
		struct kohaku_info info;

		ASSERT_LE(0, fd);
		EXPECT_EQ(0, device_write(self->name, "reset", "1"));
		EXPECT_EQ(ENODEV, _test_info(fd, &info));
		close(fd);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_TRUE(works(self));
}

TEST_HARNESS_MAIN
