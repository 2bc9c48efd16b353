// SPDX-License-Identifier: GPL-2.0
/*
 * For people who look under the hood: /sys/kernel/debug/kohaku/<node>/.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "core.h"

static struct dentry *kohaku_debugfs_root;

/* The registers of the control window that a read does not disturb. */
static const struct {
	const char *name;
	u32 offset;
} kohaku_registers[] = {
	{ "STATUS", KOHAKU_CTL_STATUS },
	{ "CAPS", KOHAKU_CTL_CAPS },
	{ "IRQ_STAT", KOHAKU_CTL_IRQ_STAT },
	{ "IRQ_EN", KOHAKU_CTL_IRQ_EN },
	{ "AUX_STAT", KOHAKU_CTL_AUX_STAT },
};

static void show_register(struct seq_file *seq, u32 offset)
{
	struct kohaku_mesh *mesh = seq->private;
	struct kohaku_node *node = mesh->node;

	seq_printf(seq, "0x%04x %016llx ", offset,
		   node->ops->read64(node->backend, mesh->index, offset));
}

/* The words of the interlink, by number. */
static void show_interlink(struct seq_file *seq)
{
	u32 i;

	for (i = 0; i < KOHAKU_LINK_WORDS; i++) {
		show_register(seq, KOHAKU_CTL_AUX_STATW + i * sizeof(u64));
		seq_printf(seq, "AUX_STATW%u\n", i);
	}
}

static int registers_show(struct seq_file *seq, void *unused)
{
	struct kohaku_mesh *mesh = seq->private;
	struct kohaku_node *node = mesh->node;
	struct kohaku_guard guard = kohaku_enter(node);
	u32 i;

	for (i = 0; guard.alive && i < ARRAY_SIZE(kohaku_registers); i++) {
		show_register(seq, kohaku_registers[i].offset);
		seq_printf(seq, "%s\n", kohaku_registers[i].name);
	}
	if (guard.alive && node->caps & KOHAKU_CAP_LINK)
		show_interlink(seq);
	kohaku_leave(guard);
	return guard.alive ? 0 : -ENODEV;
}
DEFINE_SHOW_ATTRIBUTE(registers);

static int counters_show(struct seq_file *seq, void *unused)
{
	struct kohaku_mesh *mesh = seq->private;
	struct kohaku_node *node = mesh->node;
	struct kohaku_guard guard = kohaku_enter(node);
	struct kohaku_counters counters = { 0 };

	if (guard.alive && node->ops->counters)
		node->ops->counters(node->backend, mesh->index, &counters);
	kohaku_leave(guard);
	seq_printf(seq, "read_bursts %llu\nread_beats %llu\n", counters.read_bursts,
		   counters.read_beats);
	seq_printf(seq, "write_bursts %llu\nwrite_beats %llu\n", counters.write_bursts,
		   counters.write_beats);
	seq_printf(seq, "cycles %llu\n", counters.cycles);
	return guard.alive ? 0 : -ENODEV;
}
DEFINE_SHOW_ATTRIBUTE(counters);

/* The last register program. A runner may be replacing it: then lines may mix. */
static int program_show(struct seq_file *seq, void *unused)
{
	const struct kohaku_program *program = &((struct kohaku_mesh *)seq->private)->program;
	u32 i;

	for (i = 0; i < min_t(u32, program->length, KOHAKU_MAX_PROGRAM); i++)
		seq_printf(seq, "%02x %016llx\n", program->writes[i].offset,
			   program->writes[i].value);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(program);

static int fabric_show(struct seq_file *seq, void *unused)
{
	return kohaku_fabric_show(seq, seq->private);
}
DEFINE_SHOW_ATTRIBUTE(fabric);

static int users_show(struct seq_file *seq, void *unused)
{
	kohaku_users_show(seq, seq->private);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(users);

void kohaku_debugfs_init(void)
{
	kohaku_debugfs_root = debugfs_create_dir("kohaku", NULL);
	kohaku_inject_init(kohaku_debugfs_root);
}

void kohaku_debugfs_exit(void)
{
	debugfs_remove(kohaku_debugfs_root);
}

void kohaku_debugfs_add(struct kohaku_node *node)
{
	u32 i;

	node->debugfs = debugfs_create_dir(dev_name(&node->dev), kohaku_debugfs_root);
	debugfs_create_file("users", 0400, node->debugfs, node, &users_fops);
	if (node->caps & KOHAKU_CAP_FABRIC)
		debugfs_create_file("fabric", 0400, node->debugfs, node, &fabric_fops);
	for (i = 0; i < node->config.meshes; i++) {
		struct kohaku_mesh *mesh = &node->mesh[i];
		char name[16];

		snprintf(name, sizeof(name), "mesh%u", i);
		mesh->debugfs = debugfs_create_dir(name, node->debugfs);
		debugfs_create_file("registers", 0400, mesh->debugfs, mesh, &registers_fops);
		debugfs_create_file("counters", 0400, mesh->debugfs, mesh, &counters_fops);
		debugfs_create_file("program", 0400, mesh->debugfs, mesh, &program_fops);
		if (node->ops->debugfs)
			node->ops->debugfs(node->backend, i, mesh->debugfs);
	}
}

/* Waits for readers; after it returns no file of the node calls anything. */
void kohaku_debugfs_remove(struct kohaku_node *node)
{
	debugfs_remove(node->debugfs);
}
