/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What the model asks of the world it is compiled into: memory, the quickest way
 * to fill it, and permission to use vector registers.  Everything else in sim/ is
 * freestanding C.
 */
#ifndef SIM_ENV_H
#define SIM_ENV_H

#include "hw/types.h"

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>

/* The unit in which simulated memory is backed: what mmap can hand out. */
#define ENV_CHUNK_SHIFT PAGE_SHIFT

static inline void *env_alloc(size_t size)
{
	return kvzalloc(size, GFP_KERNEL_ACCOUNT);
}

static inline void env_free(void *p)
{
	kvfree(p);
}

static inline void *env_chunk_alloc(void)
{
	/* A user's wish: it may fail, nobody shall be killed or warned for it. */
	return (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
}

static inline void env_chunk_free(void *chunk)
{
	free_page((unsigned long)chunk);
}

/* Stores a part count times, as fast as the processor can. */
static inline void env_fill(void *to, u64 part, u64 count)
{
	memset64(to, part, count);
}

/* What env_store() and env_publish() made visible, env_load() sees whole. */
#define env_load(p)		smp_load_acquire(p)
/* Pairs with env_load(). */
#define env_store(p, val)	smp_store_release(p, val)
/* Stores val if *p is NULL; returns what was there before. */
#define env_publish(p, val)	cmpxchg(p, NULL, val)

/*
 * Vector registers (AVX2) between begin and end, which do not nest; false: there
 * are none to be had now.  Keep the section in between short.
 */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)

#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

static inline bool env_vector_begin(void)
{
	if (!boot_cpu_has(X86_FEATURE_AVX2) || !boot_cpu_has(X86_FEATURE_OSXSAVE) ||
	    !irq_fpu_usable())
		return false;
	kernel_fpu_begin();
	return true;
}

static inline void env_vector_end(void)
{
	kernel_fpu_end();
}

#else

static inline bool env_vector_begin(void)
{
	return false;
}

static inline void env_vector_end(void)
{
}

#endif

#else

#include <stdlib.h>
#include <sys/mman.h>

/* Large, so that a tensor lies in few pieces; the host backs it lazily. */
#define ENV_CHUNK_SHIFT 21

static inline void *env_alloc(size_t size)
{
	return calloc(1, size);
}

static inline void env_free(void *p)
{
	free(p);
}

static inline void *env_chunk_alloc(void)
{
	void *p = mmap(NULL, 1UL << ENV_CHUNK_SHIFT, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static inline void env_chunk_free(void *chunk)
{
	munmap(chunk, 1UL << ENV_CHUNK_SHIFT);
}

static inline void env_fill(void *to, u64 part, u64 count)
{
#ifdef __x86_64__
	__asm__ volatile("rep stosq" : "+D" (to), "+c" (count) : "a" (part) : "memory");
#else
	u8 *at = to;

	for (; count; count--, at += sizeof(part))
		memcpy(at, &part, sizeof(part));
#endif
}

#define env_load(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define env_store(p, val)	__atomic_store_n(p, val, __ATOMIC_RELEASE)
#define env_publish(p, val) ({						\
	__typeof__(*(p)) _old = NULL;					\
	__atomic_compare_exchange_n(p, &_old, val, false,		\
				    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);	\
	_old; })

static inline bool env_vector_begin(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

static inline void env_vector_end(void)
{
}

#endif

#define ENV_CHUNK_SIZE (1UL << ENV_CHUNK_SHIFT)

#endif
