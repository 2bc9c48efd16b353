// SPDX-License-Identifier: GPL-2.0
/*
 * What an administrator sees of a node: Documentation/ABI/testing/sysfs-class-kohaku.
 */
#include <linux/sysfs.h>

#include "core.h"

static struct kohaku_node *to_node(struct device *dev)
{
	return container_of(dev, struct kohaku_node, dev);
}

static ssize_t backend_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_node(dev)->ops->name);
}
static DEVICE_ATTR_RO(backend);

static ssize_t state_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct kohaku_node *node = to_node(dev);

	if (READ_ONCE(node->gone))
		return sysfs_emit(buf, "gone\n");
	return sysfs_emit(buf, "%s\n", kohaku_node_wedged(node) ? "wedged" : "ok");
}
static DEVICE_ATTR_RO(state);

static ssize_t meshes_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_node(dev)->config.meshes);
}
static DEVICE_ATTR_RO(meshes);

static ssize_t capabilities_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", to_node(dev)->caps);
}
static DEVICE_ATTR_RO(capabilities);

static ssize_t jobs_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (s64)atomic64_read(&to_node(dev)->jobs));
}
static DEVICE_ATTR_RO(jobs);

static ssize_t buffers_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (s64)atomic64_read(&to_node(dev)->buffers));
}
static DEVICE_ATTR_RO(buffers);

static ssize_t kohaku_bytes_show(struct device *dev, u32 tier, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (s64)atomic64_read(&to_node(dev)->bytes[tier - 1]));
}

static ssize_t dram_bytes_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return kohaku_bytes_show(dev, KOHAKU_TIER_DRAM, buf);
}
static DEVICE_ATTR_RO(dram_bytes);

static ssize_t staging_bytes_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return kohaku_bytes_show(dev, KOHAKU_TIER_STAGING, buf);
}
static DEVICE_ATTR_RO(staging_bytes);

/* A limit of user.c: what is there already stays when it is lowered. */
#define KOHAKU_LIMIT_ATTR(_name, _field, _type, _format)				\
	static ssize_t _name##_show(struct device *dev, struct device_attribute *attr,	\
				    char *buf)						\
	{										\
		return sysfs_emit(buf, _format "\n",					\
				  READ_ONCE(to_node(dev)->limits._field));		\
	}										\
	static ssize_t _name##_store(struct device *dev, struct device_attribute *attr,	\
				     const char *buf, size_t count)			\
	{										\
		_type value;								\
		int ret = kstrto##_type(buf, 0, &value);				\
											\
		if (ret)								\
			return ret;							\
		WRITE_ONCE(to_node(dev)->limits._field, value);				\
		return count;								\
	}										\
	static DEVICE_ATTR_RW(_name)

KOHAKU_LIMIT_ATTR(user_dram_bytes, bytes[KOHAKU_TIER_DRAM - 1], u64, "%llu");
KOHAKU_LIMIT_ATTR(user_staging_bytes, bytes[KOHAKU_TIER_STAGING - 1], u64, "%llu");
KOHAKU_LIMIT_ATTR(user_files, files, u32, "%u");
KOHAKU_LIMIT_ATTR(user_jobs, jobs, u32, "%u");

static struct attribute *kohaku_node_attrs[] = {
	&dev_attr_backend.attr,
	&dev_attr_state.attr,
	&dev_attr_meshes.attr,
	&dev_attr_capabilities.attr,
	&dev_attr_jobs.attr,
	&dev_attr_buffers.attr,
	&dev_attr_dram_bytes.attr,
	&dev_attr_staging_bytes.attr,
	&dev_attr_user_dram_bytes.attr,
	&dev_attr_user_staging_bytes.attr,
	&dev_attr_user_files.attr,
	&dev_attr_user_jobs.attr,
	NULL,
};

static const struct attribute_group kohaku_node_group = { .attrs = kohaku_node_attrs };

const struct attribute_group *kohaku_node_groups[] = { &kohaku_node_group, NULL };

struct kohaku_mesh_attribute {
	struct attribute attr;
	ssize_t (*show)(struct kohaku_mesh *mesh, char *buf);
};

#define KOHAKU_MESH_ATTR(_name)						\
	static struct kohaku_mesh_attribute mesh_attr_##_name = {		\
		.attr = { .name = #_name, .mode = 0444 },			\
		.show = mesh_##_name##_show,					\
	}

static ssize_t mesh_busy_show(struct kohaku_mesh *mesh, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(mesh->running));
}
KOHAKU_MESH_ATTR(busy);

static ssize_t mesh_done_show(struct kohaku_mesh *mesh, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(mesh->done));
}
KOHAKU_MESH_ATTR(done);

static ssize_t mesh_last_fault_show(struct kohaku_mesh *mesh, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(mesh->last_fault));
}
KOHAKU_MESH_ATTR(last_fault);

static ssize_t mesh_last_fault_name_show(struct kohaku_mesh *mesh, char *buf)
{
	return sysfs_emit(buf, "%s\n", kohaku_fault_code_name(READ_ONCE(mesh->last_fault)));
}
KOHAKU_MESH_ATTR(last_fault_name);

static ssize_t mesh_faults_show(struct kohaku_mesh *mesh, char *buf)
{
	int length = 0;
	u32 code;

	for (code = 1; code < KOHAKU_FAULT_CODES; code++) {
		u64 count = READ_ONCE(mesh->faults[code]);

		if (count)
			length += sysfs_emit_at(buf, length, "%u %llu %s\n", code, count,
						kohaku_fault_code_name(code));
	}
	return length;
}
KOHAKU_MESH_ATTR(faults);

static ssize_t mesh_staging_total_show(struct kohaku_mesh *mesh, char *buf)
{
	return sysfs_emit(buf, "%u\n", KOHAKU_STAGING_SIZE);
}
KOHAKU_MESH_ATTR(staging_total);

static struct kohaku_arena *kohaku_staging(struct kohaku_mesh *mesh)
{
	return &mesh->memory[KOHAKU_TIER_STAGING - 1].arena;
}

static ssize_t mesh_staging_free_show(struct kohaku_mesh *mesh, char *buf)
{
	u64 used = READ_ONCE(kohaku_staging(mesh)->used);

	return sysfs_emit(buf, "%llu\n", KOHAKU_STAGING_SIZE - used);
}
KOHAKU_MESH_ATTR(staging_free);

static ssize_t mesh_staging_largest_free_show(struct kohaku_mesh *mesh, char *buf)
{
	u64 largest;

	mutex_lock(&mesh->node->memory_lock);
	largest = kohaku_arena_largest_free(kohaku_staging(mesh));
	mutex_unlock(&mesh->node->memory_lock);
	return sysfs_emit(buf, "%llu\n", largest);
}
KOHAKU_MESH_ATTR(staging_largest_free);

static ssize_t mesh_staging_fallbacks_show(struct kohaku_mesh *mesh, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(mesh->fallbacks));
}
KOHAKU_MESH_ATTR(staging_fallbacks);

static struct attribute *kohaku_mesh_attrs[] = {
	&mesh_attr_busy.attr,
	&mesh_attr_done.attr,
	&mesh_attr_last_fault.attr,
	&mesh_attr_last_fault_name.attr,
	&mesh_attr_faults.attr,
	&mesh_attr_staging_total.attr,
	&mesh_attr_staging_free.attr,
	&mesh_attr_staging_largest_free.attr,
	&mesh_attr_staging_fallbacks.attr,
	NULL,
};
ATTRIBUTE_GROUPS(kohaku_mesh);

static ssize_t kohaku_mesh_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct kohaku_mesh *mesh = container_of(kobj, struct kohaku_mesh, kobj);

	return container_of(attr, struct kohaku_mesh_attribute, attr)->show(mesh, buf);
}

static const struct sysfs_ops kohaku_mesh_sysfs_ops = { .show = kohaku_mesh_show };

static void kohaku_mesh_kobj_release(struct kobject *kobj)
{
	put_device(&container_of(kobj, struct kohaku_mesh, kobj)->node->dev);
}

static const struct kobj_type kohaku_mesh_ktype = {
	.release = kohaku_mesh_kobj_release,
	.sysfs_ops = &kohaku_mesh_sysfs_ops,
	.default_groups = kohaku_mesh_groups,
};

/* Adds the folder of every mesh below the node; all or none. */
int kohaku_sysfs_add(struct kohaku_node *node)
{
	u32 i;
	int ret;

	for (i = 0; i < node->config.meshes; i++) {
		get_device(&node->dev);
		ret = kobject_init_and_add(&node->mesh[i].kobj, &kohaku_mesh_ktype,
					   &node->dev.kobj, "mesh%u", i);
		if (ret) {
			kohaku_sysfs_remove(node, i + 1);
			return ret;
		}
	}
	return 0;
}

/* Takes the folders of the first count meshes away. */
void kohaku_sysfs_remove(struct kohaku_node *node, u32 count)
{
	while (count)
		kobject_put(&node->mesh[--count].kobj);
}
