// SPDX-License-Identifier: GPL-2.0
/*
 * What each user has of a node over all of its files, and how much that may be.
 *
 * A file belongs to the effective user who opened it; whoever had
 * CAP_SYS_RESOURCE at that moment is counted, but not limited.  The limits are
 * attributes of the node, so that it is the administrator who decides whether one
 * user can have all of it.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "core.h"

/* A quarter of each memory, at least, stays for others. */
#define KOHAKU_USER_SHARE(size)	((size) / 4 * 3)
#define KOHAKU_USER_FILES	256
#define KOHAKU_USER_JOBS	(4 * KOHAKU_MAX_JOBS)

void kohaku_users_init(struct kohaku_node *node)
{
	INIT_LIST_HEAD(&node->users);
	node->limits = (struct kohaku_limits) {
		.bytes[KOHAKU_TIER_DRAM - 1] = KOHAKU_USER_SHARE(KOHAKU_DRAM_SIZE),
		.bytes[KOHAKU_TIER_STAGING - 1] = KOHAKU_USER_SHARE(KOHAKU_STAGING_SIZE),
		.files = KOHAKU_USER_FILES,
		.jobs = KOHAKU_USER_JOBS,
	};
}

static struct kohaku_user *kohaku_user_find_locked(struct kohaku_node *node, kuid_t uid)
{
	struct kohaku_user *user;

	lockdep_assert_held(&node->memory_lock);

	list_for_each_entry(user, &node->users, link) {
		if (uid_eq(user->uid, uid))
			return user;
	}
	return NULL;
}

/* Counts a file; fresh is the user to add if this is its first, else unused. */
static int kohaku_user_join_locked(struct kohaku_file *file, struct kohaku_user *fresh)
{
	struct kohaku_node *node = file->node;
	struct kohaku_user *user = kohaku_user_find_locked(node, fresh->uid);
	u32 files = user ? user->files : 0;

	lockdep_assert_held(&node->memory_lock);

	if (!file->unlimited && files >= READ_ONCE(node->limits.files))
		return -EDQUOT;
	if (!user) {
		list_add_tail(&fresh->link, &node->users);
		user = fresh;
	}
	user->files++;
	file->user = user;
	return 0;
}

/* Says whose the file is that the current process opens. */
int kohaku_user_join(struct kohaku_file *file)
{
	struct kohaku_user *fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!fresh)
		return -ENOMEM;
	fresh->uid = current_euid();
	file->unlimited = ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE);
	mutex_lock(&file->node->memory_lock);
	ret = kohaku_user_join_locked(file, fresh);
	mutex_unlock(&file->node->memory_lock);
	if (file->user != fresh)
		kfree(fresh);
	return ret;
}

/* The file is gone, and with it all that it had. */
void kohaku_user_leave(struct kohaku_file *file)
{
	struct kohaku_user *user = file->user;

	if (!user)
		return;
	mutex_lock(&file->node->memory_lock);
	if (--user->files)
		user = NULL;
	else
		list_del(&user->link);
	mutex_unlock(&file->node->memory_lock);
	kfree(user);
}

/* Counts memory that a buffer of the file has taken, or is about to. */
int kohaku_user_charge_locked(struct kohaku_file *file, u32 mesh, u32 tier, u64 size)
{
	u64 *bytes = &file->user->bytes[mesh][tier - 1];

	lockdep_assert_held(&file->node->memory_lock);

	if (!file->unlimited && *bytes + size > READ_ONCE(file->node->limits.bytes[tier - 1]))
		return -EDQUOT;
	*bytes += size;
	return 0;
}

void kohaku_user_uncharge_locked(struct kohaku_buffer *buffer)
{
	lockdep_assert_held(&buffer->node->memory_lock);

	buffer->user->bytes[buffer->mesh->index][buffer->tier - 1] -= buffer->region.size;
}

/* Whether the user of the file may have one job more. */
bool kohaku_user_has_jobs_left(const struct kohaku_file *file)
{
	lockdep_assert_held(&file->node->queue_lock);

	return file->unlimited || file->user->jobs < READ_ONCE(file->node->limits.jobs);
}

/* Who has what, a line for each user. */
void kohaku_users_show(struct seq_file *seq, struct kohaku_node *node)
{
	struct kohaku_user *user;
	u32 mesh;

	mutex_lock(&node->memory_lock);
	list_for_each_entry(user, &node->users, link) {
		u64 dram = 0, staging = 0;

		for (mesh = 0; mesh < node->config.meshes; mesh++) {
			dram += user->bytes[mesh][KOHAKU_TIER_DRAM - 1];
			staging += user->bytes[mesh][KOHAKU_TIER_STAGING - 1];
		}
		seq_printf(seq, "uid %u files %u jobs %u dram %llu staging %llu\n",
			   from_kuid_munged(seq_user_ns(seq), user->uid), user->files,
			   READ_ONCE(user->jobs), dram, staging);
	}
	mutex_unlock(&node->memory_lock);
}
