// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Config space: identity, BARs, and the capabilities PCI Express and MSI-X.
 */
#include <linux/pci_regs.h>

#include "sim/pcie/endpoint.h"

#define EXPRESS		0x40
#define EXPRESS_VERSION	2
#define MSIX		0x80
#define CLASS_ACCELERATOR 0x1200	/* processing accelerator */
#define SUBSYSTEM	0x0007

static void put16(struct pcie_endpoint *endpoint, u32 offset, u16 value)
{
	memcpy(&endpoint->config[offset], &value, sizeof(value));
}

static void put32(struct pcie_endpoint *endpoint, u32 offset, u32 value)
{
	memcpy(&endpoint->config[offset], &value, sizeof(value));
}

static u32 get32(const struct pcie_endpoint *endpoint, u32 offset)
{
	u32 value;

	memcpy(&value, &endpoint->config[offset], sizeof(value));
	return value;
}

static void express_init(struct pcie_endpoint *endpoint)
{
	endpoint->config[EXPRESS] = PCI_CAP_ID_EXP;
	endpoint->config[EXPRESS + 1] = endpoint->inject.no_msix ? 0 : MSIX;
	put16(endpoint, EXPRESS + PCI_EXP_FLAGS, EXPRESS_VERSION | PCI_EXP_TYPE_ENDPOINT << 4);
	put32(endpoint, EXPRESS + PCI_EXP_DEVCAP,
	      PCI_EXP_DEVCAP_RBER | (endpoint->inject.no_reset ? 0 : PCI_EXP_DEVCAP_FLR));
	/* 8 GT/s, 16 lanes. */
	put32(endpoint, EXPRESS + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB | 16 << 4);
	put16(endpoint, EXPRESS + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_8_0GB | 16 << 4);
	put32(endpoint, EXPRESS + PCI_EXP_LNKCAP2, PCI_EXP_LNKCAP2_SLS_2_5GB |
	      PCI_EXP_LNKCAP2_SLS_5_0GB | PCI_EXP_LNKCAP2_SLS_8_0GB);
}

static void msix_init(struct pcie_endpoint *endpoint)
{
	endpoint->config[MSIX] = PCI_CAP_ID_MSIX;
	put16(endpoint, MSIX + PCI_MSIX_FLAGS, PCIE_VECTORS - 1);
	put32(endpoint, MSIX + PCI_MSIX_TABLE, XDMA_MSIX_TABLE | PCIE_CONFIG_BAR);
	put32(endpoint, MSIX + PCI_MSIX_PBA, XDMA_MSIX_PBA | PCIE_CONFIG_BAR);
}

void pcie_config_init(struct pcie_endpoint *endpoint)
{
	memset(endpoint->config, 0, sizeof(endpoint->config));
	put16(endpoint, PCI_VENDOR_ID, XDMA_VENDOR);
	put16(endpoint, PCI_DEVICE_ID, XDMA_DEVICE);
	put16(endpoint, PCI_STATUS, PCI_STATUS_CAP_LIST);
	put16(endpoint, PCI_CLASS_DEVICE, CLASS_ACCELERATOR);
	put16(endpoint, PCI_SUBSYSTEM_VENDOR_ID, XDMA_VENDOR);
	put16(endpoint, PCI_SUBSYSTEM_ID, SUBSYSTEM);
	endpoint->config[PCI_CAPABILITY_LIST] = EXPRESS;
	express_init(endpoint);
	msix_init(endpoint);
}

bool pcie_config_master(const struct pcie_endpoint *endpoint)
{
	return endpoint->config[PCI_COMMAND] & PCI_COMMAND_MASTER;
}

/* Which bits of a byte software may change. */
static u8 writable(u32 offset)
{
	switch (offset) {
	case PCI_COMMAND:
		return PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	case PCI_COMMAND + 1:
		return PCI_COMMAND_INTX_DISABLE >> 8;
	case PCI_CACHE_LINE_SIZE:
	case PCI_INTERRUPT_LINE:
	case EXPRESS + PCI_EXP_DEVCTL:
		return 0xFF;
	case EXPRESS + PCI_EXP_DEVCTL + 1:
		return 0x7F;
	case MSIX + PCI_MSIX_FLAGS + 1:
		return (PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL) >> 8;
	}
	return 0;
}

/* Address bits below the size of a BAR are 0, whatever is written. */
static void write_bar(struct pcie_endpoint *endpoint, u32 offset, u8 value)
{
	u32 bar = (offset - PCI_BASE_ADDRESS_0) / 4;

	endpoint->config[offset] = value;
	put32(endpoint, PCI_BASE_ADDRESS_0 + 4 * bar,
	      pcie_space_size(bar) ?
	      get32(endpoint, PCI_BASE_ADDRESS_0 + 4 * bar) & -(u32)pcie_space_size(bar) : 0);
}

void pcie_config_write(struct pcie_endpoint *endpoint, u32 offset, u8 value)
{
	u8 mask = writable(offset);

	if (offset >= PCI_BASE_ADDRESS_0 && offset < PCI_CARDBUS_CIS) {
		write_bar(endpoint, offset, value);
		return;
	}
	if (offset == EXPRESS + PCI_EXP_DEVCTL + 1 && !endpoint->inject.no_reset &&
	    value & (PCI_EXP_DEVCTL_BCR_FLR >> 8)) {
		pcie_endpoint_reset(endpoint);
		return;
	}
	endpoint->config[offset] = (endpoint->config[offset] & ~mask) | (value & mask);
}
