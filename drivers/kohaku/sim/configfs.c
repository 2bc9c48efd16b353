// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/config/kohaku/<name>/: a simulated node at run time.  Attributes
 * describe it, live makes it and takes it away.
 */
#include <linux/configfs.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>

#include "sim.h"
#include "sim/transfer/text.h"

/* What fabric_config_default() is. */
#define KOHAKU_SIM_FABRIC "2x2:2x2"

struct kohaku_sim_item {
	struct config_item item;
	struct mutex lock;	/* everything below */
	struct sim_config config;
	struct fabric_config fabric;
	char fabric_text[FABRIC_TEXT_SIZE];	/* what fabric was read from */
	struct kohaku_sim *sim;	/* while live */
};

static struct kohaku_sim_item *to_sim_item(struct config_item *item)
{
	return container_of(item, struct kohaku_sim_item, item);
}

/* Takes a changed configuration over, unless a node was already made from it. */
static int kohaku_sim_item_set_locked(struct kohaku_sim_item *sim_item,
				      const struct sim_config *config)
{
	lockdep_assert_held(&sim_item->lock);

	if (!sim_config_valid(config))
		return -EINVAL;
	if (sim_item->sim)
		return -EBUSY;
	sim_item->config = *config;
	return 0;
}

/* Sets one field, all others as they are by then. */
#define kohaku_sim_item_set(sim_item, field, value) ({				\
	struct sim_config _config;						\
	int _ret;								\
										\
	mutex_lock(&(sim_item)->lock);						\
	_config = (sim_item)->config;						\
	_config.field = (value);						\
	_ret = kohaku_sim_item_set_locked(sim_item, &_config);			\
	mutex_unlock(&(sim_item)->lock);					\
	_ret;									\
})

#define KOHAKU_SIM_NUMBER(_name)							\
	static ssize_t kohaku_sim_##_name##_show(struct config_item *item, char *page)	\
	{										\
		return sysfs_emit(page, "%u\n", to_sim_item(item)->config._name);	\
	}										\
	static ssize_t kohaku_sim_##_name##_store(struct config_item *item,		\
						  const char *page, size_t count)	\
	{										\
		u32 value;								\
		int ret = kstrtou32(page, 0, &value);					\
											\
		if (!ret)								\
			ret = kohaku_sim_item_set(to_sim_item(item), _name, value);	\
		return ret ? ret : count;						\
	}										\
	CONFIGFS_ATTR(kohaku_sim_, _name)

KOHAKU_SIM_NUMBER(meshes);
KOHAKU_SIM_NUMBER(slot_depth);

static ssize_t kohaku_sim_complex_show(struct config_item *item, char *page)
{
	return sysfs_emit(page, "%s\n", sim_complex_names[to_sim_item(item)->config.complex]);
}

static ssize_t kohaku_sim_complex_store(struct config_item *item, const char *page, size_t count)
{
	int i = sysfs_match_string(sim_complex_names, page), ret;

	if (i < 0)
		return i;
	ret = kohaku_sim_item_set(to_sim_item(item), complex, i);
	return ret ? ret : count;
}
CONFIGFS_ATTR(kohaku_sim_, complex);

static ssize_t kohaku_sim_quirks_show(struct config_item *item, char *page)
{
	return sysfs_emit(page, "%s\n", sim_quirk_names[to_sim_item(item)->config.quirks]);
}

static ssize_t kohaku_sim_quirks_store(struct config_item *item, const char *page, size_t count)
{
	int i = sysfs_match_string(sim_quirk_names, page), ret;

	if (i < 0)
		return i;
	ret = kohaku_sim_item_set(to_sim_item(item), quirks, i);
	return ret ? ret : count;
}
CONFIGFS_ATTR(kohaku_sim_, quirks);

static ssize_t kohaku_sim_fabric_show(struct config_item *item, char *page)
{
	struct kohaku_sim_item *sim_item = to_sim_item(item);
	ssize_t ret;

	mutex_lock(&sim_item->lock);
	ret = sysfs_emit(page, "%s\n", sim_item->fabric_text);
	mutex_unlock(&sim_item->lock);
	return ret;
}

static ssize_t kohaku_sim_fabric_store(struct config_item *item, const char *page, size_t count)
{
	struct kohaku_sim_item *sim_item = to_sim_item(item);
	size_t length = strcspn(page, "\n");
	struct fabric_config fabric;
	int ret = length + 1 < count ? -EINVAL : fabric_config_parse(page, length, &fabric);

	if (ret)
		return ret;
	mutex_lock(&sim_item->lock);
	if (sim_item->sim) {
		ret = -EBUSY;
	} else {
		sim_item->fabric = fabric;
		scnprintf(sim_item->fabric_text, FABRIC_TEXT_SIZE, "%.*s", (int)length, page);
	}
	mutex_unlock(&sim_item->lock);
	return ret ? ret : count;
}
CONFIGFS_ATTR(kohaku_sim_, fabric);

static ssize_t kohaku_sim_live_show(struct config_item *item, char *page)
{
	return sysfs_emit(page, "%d\n", !!READ_ONCE(to_sim_item(item)->sim));
}

static int kohaku_sim_item_start(struct kohaku_sim_item *sim_item)
{
	struct kohaku_sim *sim = kohaku_sim_create(&sim_item->config, &sim_item->fabric);

	if (IS_ERR(sim))
		return PTR_ERR(sim);
	sim_item->sim = sim;
	return 0;
}

static void kohaku_sim_item_stop(struct kohaku_sim_item *sim_item)
{
	kohaku_sim_destroy(sim_item->sim);
	sim_item->sim = NULL;
}

static ssize_t kohaku_sim_live_store(struct config_item *item, const char *page, size_t count)
{
	struct kohaku_sim_item *sim_item = to_sim_item(item);
	bool live;
	int ret;

	ret = kstrtobool(page, &live);
	if (ret)
		return ret;
	mutex_lock(&sim_item->lock);
	if (live && !sim_item->sim)
		ret = kohaku_sim_item_start(sim_item);
	else if (!live && sim_item->sim)
		kohaku_sim_item_stop(sim_item);
	mutex_unlock(&sim_item->lock);
	return ret ? ret : count;
}
CONFIGFS_ATTR(kohaku_sim_, live);

static ssize_t kohaku_sim_node_show(struct config_item *item, char *page)
{
	struct kohaku_sim_item *sim_item = to_sim_item(item);
	ssize_t ret = -ENODEV;

	mutex_lock(&sim_item->lock);
	if (sim_item->sim)
		ret = sysfs_emit(page, "%s\n", kohaku_sim_name(sim_item->sim));
	mutex_unlock(&sim_item->lock);
	return ret;
}
CONFIGFS_ATTR_RO(kohaku_sim_, node);

static struct configfs_attribute *kohaku_sim_attrs[] = {
	&kohaku_sim_attr_meshes,
	&kohaku_sim_attr_slot_depth,
	&kohaku_sim_attr_complex,
	&kohaku_sim_attr_quirks,
	&kohaku_sim_attr_fabric,
	&kohaku_sim_attr_live,
	&kohaku_sim_attr_node,
	NULL,
};

static void kohaku_sim_item_release(struct config_item *item)
{
	kfree(to_sim_item(item));
}

static struct configfs_item_operations kohaku_sim_item_ops = {
	.release = kohaku_sim_item_release,
};

static const struct config_item_type kohaku_sim_item_type = {
	.ct_item_ops = &kohaku_sim_item_ops,
	.ct_attrs = kohaku_sim_attrs,
	.ct_owner = THIS_MODULE,
};

static struct config_item *kohaku_sim_make_item(struct config_group *group, const char *name)
{
	struct kohaku_sim_item *sim_item = kzalloc(sizeof(*sim_item), GFP_KERNEL);

	if (!sim_item)
		return ERR_PTR(-ENOMEM);
	mutex_init(&sim_item->lock);
	sim_config_default(&sim_item->config);
	fabric_config_default(&sim_item->fabric);
	strscpy(sim_item->fabric_text, KOHAKU_SIM_FABRIC, FABRIC_TEXT_SIZE);
	config_item_init_type_name(&sim_item->item, name, &kohaku_sim_item_type);
	return &sim_item->item;
}

static void kohaku_sim_drop_item(struct config_group *group, struct config_item *item)
{
	struct kohaku_sim_item *sim_item = to_sim_item(item);

	mutex_lock(&sim_item->lock);
	if (sim_item->sim)
		kohaku_sim_item_stop(sim_item);
	mutex_unlock(&sim_item->lock);
	config_item_put(item);
}

static struct configfs_group_operations kohaku_sim_group_ops = {
	.make_item = kohaku_sim_make_item,
	.drop_item = kohaku_sim_drop_item,
};

static const struct config_item_type kohaku_sim_group_type = {
	.ct_group_ops = &kohaku_sim_group_ops,
	.ct_owner = THIS_MODULE,
};

static struct configfs_subsystem kohaku_sim_subsystem = {
	.su_group = {
		.cg_item = {
			.ci_namebuf = "kohaku",
			.ci_type = &kohaku_sim_group_type,
		},
	},
};

int kohaku_sim_configfs_init(void)
{
	config_group_init(&kohaku_sim_subsystem.su_group);
	mutex_init(&kohaku_sim_subsystem.su_mutex);
	return configfs_register_subsystem(&kohaku_sim_subsystem);
}

void kohaku_sim_configfs_exit(void)
{
	configfs_unregister_subsystem(&kohaku_sim_subsystem);
}
