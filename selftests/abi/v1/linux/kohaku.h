/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Kohaku system node: user space interface of /dev/kohaku.
 */
#ifndef _UAPI_LINUX_KOHAKU_H
#define _UAPI_LINUX_KOHAKU_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: General format
 *
 * Every command passes the address of one struct that begins with its size as
 * the caller knows it.  Command numbers carry no size: structs grow at their
 * end, a longer struct than the kernel knows is accepted if what it does not
 * know is zero, and a shorter one (down to the first release) is taken as if
 * zeros followed.  The same holds for the elements of arrays, whose size
 * travels as a stride.
 *
 * Every command returns 0, or -1 with errno:
 *
 * ============ ==============================================================
 * ENOTTY       no such command
 * EINVAL       struct shorter than the first release, or a known field out of
 *              range
 * E2BIG        non-zero bytes that this kernel does not know
 * EOPNOTSUPP   known field, unknown flag or value, a non-zero reserved field,
 *              or something that this node does not have
 * ENOENT       no such id in this file
 * EBUSY        object still in use
 * EAGAIN       as many jobs outstanding as a file may have
 * EEXIST       there is one already
 * ENOSPC       the node has no room of that kind left
 * EDQUOT       the user has as much of the node as the administrator allows
 * EPERM        needs CAP_SYS_ADMIN
 * EIO          the node is wedged: it refuses work until it is reset
 * EMSGSIZE     the caller's array is too small for the answer
 * ENODEV       the node went away; sticky for the open file
 * ECANCELED    the job was dropped by a reset; or the open file is stale since
 *              somebody else reset the node, sticky as well
 * ETIMEDOUT    the wait ended, the job still runs
 * EINTR        a signal ended the wait
 * EFAULT       bad user address
 * ENOMEM       out of memory
 * EOVERFLOW    a result does not fit its field
 * ============ ==============================================================
 *
 * What became of a job is never the errno of a command: it is the status in its
 * &struct kohaku_completion.
 *
 * Beside its commands an open file takes read() and poll(): read() hands out
 * &struct kohaku_completion records of asynchronous jobs, oldest first, as many
 * whole ones as fit (EINVAL when not even one does); it sleeps while there is
 * none, or answers EAGAIN under O_NONBLOCK.  poll() says POLLIN when a record
 * waits, POLLHUP | POLLERR when the node went away or the file is stale.  mmap()
 * shows a buffer, or whole pages of it, from its kohaku_buf_alloc.out_map_offset
 * on, shared mappings only.  A record that grows in a later release is still
 * read in its first length; WAIT tells the rest.
 *
 * Units: lengths, offsets and strides are bytes; a word is 32 bytes, the only
 * transfer granule of the node; an element of a walk is one word.
 */

#define KOHAKU_TYPE 0xBA
#define KOHAKU_CMD_BASE 0x80

enum {
	KOHAKU_NR_INFO = KOHAKU_CMD_BASE,
	KOHAKU_NR_PROBE,
	KOHAKU_NR_BUF_ALLOC,
	KOHAKU_NR_BUF_FREE,
	KOHAKU_NR_BUF_READ,
	KOHAKU_NR_BUF_WRITE,
	KOHAKU_NR_SUBMIT,
	KOHAKU_NR_WAIT,
	KOHAKU_NR_EVENTFD,
	KOHAKU_NR_FAULT_READ,
	KOHAKU_NR_RESET,
	KOHAKU_NR_SLOT_QUERY,
	KOHAKU_NR_FABRIC_QUERY,
	KOHAKU_NR_FABRIC_MAP,
	KOHAKU_NR_FABRIC_UNMAP,
	KOHAKU_NR_FABRIC_LAYOUT,
	KOHAKU_NR_FABRIC_READ,
	KOHAKU_NR_FABRIC_WRITE,
	KOHAKU_NR_FABRIC_RESULTS,
	KOHAKU_NR_FABRIC_TRACE,
};

/** define KOHAKU_WORD_SIZE - the transfer granule, bytes */
#define KOHAKU_WORD_SIZE 32
/** define KOHAKU_MAX_DIMS - dimensions of a walker */
#define KOHAKU_MAX_DIMS 6
/** define KOHAKU_MAX_MESHES - meshes of a node */
#define KOHAKU_MAX_MESHES 4

/* Capabilities of a node, bits of kohaku_info.caps. */
#define KOHAKU_CAP_MMAP		(1ULL << 0)	/* buffers can be mapped */
#define KOHAKU_CAP_COUNTERS	(1ULL << 1)	/* completions count bursts, beats, cycles */
#define KOHAKU_CAP_RESET	(1ULL << 2)	/* a hung mesh recovers by itself */
#define KOHAKU_CAP_SLOT		(1ULL << 3)	/* transforms: XFORM, SLOT_LOAD, SLOT_QUERY */
#define KOHAKU_CAP_LINK		(1ULL << 4)	/* moves may write to other meshes */
#define KOHAKU_CAP_VECTOR	(1ULL << 5)	/* a vector core a mesh: RELAYOUT */
#define KOHAKU_CAP_FABRIC	(1ULL << 6)	/* a transfer fabric: TRANSFER, FABRIC_* */
#define KOHAKU_CAP_URING	(1ULL << 7)	/* io_uring takes commands: kohaku_uring */

enum kohaku_backend {
	KOHAKU_BACKEND_SIM = 1,
	KOHAKU_BACKEND_PCI = 2,
};

/* The processor complex in front of a node's movers. */
enum kohaku_complex {
	KOHAKU_COMPLEX_NONE = 0,
	KOHAKU_COMPLEX_RV32 = 1,
	KOHAKU_COMPLEX_RV64 = 2,
};

enum kohaku_node_state {
	KOHAKU_NODE_OK = 1,
	/* A mesh hung or failed its self-test: work is refused until RESET. */
	KOHAKU_NODE_WEDGED = 2,
};

/**
 * struct kohaku_info - ioctl(KOHAKU_INFO)
 * @size: sizeof(struct kohaku_info)
 * @flags: must be 0
 * @out_caps: KOHAKU_CAP_*
 * @out_node: index of the node: 0 for /dev/kohaku, k for /dev/kohaku<k>
 * @out_backend: &enum kohaku_backend
 * @out_state: &enum kohaku_node_state
 * @out_meshes: number of meshes, 1..4
 * @out_dram_size: DRAM of each mesh, bytes
 * @out_staging_size: staging store of each mesh, bytes
 * @out_max_ops: operations in one SUBMIT
 * @out_max_jobs: jobs a file may have outstanding: queued, running or not yet
 *	collected
 * @out_max_buffers: buffers a file may own
 * @out_max_indices: indices of one gather
 * @out_alignment: granule of buffer lengths in DRAM, and of mappings, bytes
 * @out_staging_alignment: granule of buffer lengths in staging, bytes
 * @out_complex: &enum kohaku_complex
 * @out_slot_depth: entries that the transform slot works on at a time, 0: no slot
 * @out_default_timeout_ns: what a timeout of 0 means in SUBMIT
 * @out_max_timeout_ns: longer timeouts are taken as this
 *
 * What this node is and how much of everything it takes.  A field that a later
 * release adds reads 0 from an older kernel, and 0 always means "not there".
 */
struct kohaku_info {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_caps;
	__u32 out_node;
	__u32 out_backend;
	__u32 out_state;
	__u32 out_meshes;
	__aligned_u64 out_dram_size;
	__aligned_u64 out_staging_size;
	__u32 out_max_ops;
	__u32 out_max_jobs;
	__u32 out_max_buffers;
	__u32 out_max_indices;
	__u32 out_alignment;
	__u32 out_staging_alignment;
	__u32 out_complex;
	__u32 out_slot_depth;
	__aligned_u64 out_default_timeout_ns;
	__aligned_u64 out_max_timeout_ns;
};
#define KOHAKU_INFO _IO(KOHAKU_TYPE, KOHAKU_NR_INFO)

/**
 * struct kohaku_probe - ioctl(KOHAKU_PROBE)
 * @size: sizeof(struct kohaku_probe)
 * @flags: must be 0
 * @cmd: the command asked about, e.g. KOHAKU_SUBMIT
 * @out_size: size of its struct as this kernel knows it, bytes
 * @out_min_size: the shortest struct it takes, bytes
 * @__reserved: must be 0
 * @out_flags: flags that its flags field accepts
 * @out_caps: KOHAKU_CAP_URING if io_uring takes the command, see &struct
 *	kohaku_uring
 *
 * Tells what a command takes without running it.  ENOTTY: this kernel does not
 * have the command.
 */
struct kohaku_probe {
	__u32 size;
	__u32 flags;
	__u32 cmd;
	__u32 out_size;
	__u32 out_min_size;
	__u32 __reserved;
	__aligned_u64 out_flags;
	__aligned_u64 out_caps;
};
#define KOHAKU_PROBE _IO(KOHAKU_TYPE, KOHAKU_NR_PROBE)

enum kohaku_tier {
	KOHAKU_TIER_DRAM = 1,
	KOHAKU_TIER_STAGING = 2,
};

/** define KOHAKU_BUF_FALLBACK - full staging may be answered from DRAM */
#define KOHAKU_BUF_FALLBACK (1U << 0)

/**
 * struct kohaku_buf_alloc - ioctl(KOHAKU_BUF_ALLOC)
 * @size: sizeof(struct kohaku_buf_alloc)
 * @flags: KOHAKU_BUF_FALLBACK
 * @mesh: mesh whose memory it is
 * @tier: &enum kohaku_tier
 * @length: bytes wanted, at least 1
 * @out_length: bytes reserved: @length rounded up to the tier's alignment
 * @out_map_offset: offset for mmap(), 0 when the buffer cannot be mapped
 * @out_buffer: id of the buffer, never 0
 * @out_tier: where it is: differs from @tier only after a fallback
 *
 * Reserves memory of the node.  It reads as zero: the mesh's mover clears it, so
 * this waits behind the jobs in the mesh's queue.  The id is valid in this open
 * file only and until BUF_FREE or the last close.  An unknown @tier is
 * EOPNOTSUPP, a @mesh that is not there EINVAL.
 *
 * ENOSPC: no room in that tier of that mesh, or too many buffers.  EDQUOT: the
 * user has as much of that tier on that mesh as user_dram_bytes or
 * user_staging_bytes in sysfs say.
 */
struct kohaku_buf_alloc {
	__u32 size;
	__u32 flags;
	__u32 mesh;
	__u32 tier;
	__aligned_u64 length;
	__aligned_u64 out_length;
	__aligned_u64 out_map_offset;
	__u32 out_buffer;
	__u32 out_tier;
};
#define KOHAKU_BUF_ALLOC _IO(KOHAKU_TYPE, KOHAKU_NR_BUF_ALLOC)

/**
 * struct kohaku_buf_free - ioctl(KOHAKU_BUF_FREE)
 * @size: sizeof(struct kohaku_buf_free)
 * @buffer: id of the buffer
 *
 * Gives the memory back and unmaps it everywhere first: a later access through
 * an old mapping raises SIGBUS.  EBUSY: a job that is queued or running, or a
 * read or write in progress, uses it; the buffer stays usable.
 */
struct kohaku_buf_free {
	__u32 size;
	__u32 buffer;
};
#define KOHAKU_BUF_FREE _IO(KOHAKU_TYPE, KOHAKU_NR_BUF_FREE)

/**
 * struct kohaku_buf_io - ioctl(KOHAKU_BUF_READ), ioctl(KOHAKU_BUF_WRITE)
 * @size: sizeof(struct kohaku_buf_io)
 * @flags: must be 0
 * @buffer: id of the buffer
 * @__reserved: must be 0
 * @offset: first byte in the buffer, a multiple of 32
 * @length: bytes, a multiple of 32; 0 does nothing
 * @data: user address of the bytes
 *
 * Copies between user memory and a buffer: READ from the buffer, WRITE into it.
 * The node's memory takes whole words only.  Not ordered against jobs in
 * flight.  After EFAULT or EINTR a prefix may have been copied.  Staging is read
 * and written by way of some DRAM of its mesh: ENOSPC or EDQUOT when there is
 * none, as for BUF_ALLOC.
 */
struct kohaku_buf_io {
	__u32 size;
	__u32 flags;
	__u32 buffer;
	__u32 __reserved;
	__aligned_u64 offset;
	__aligned_u64 length;
	__aligned_u64 data;
};
#define KOHAKU_BUF_READ _IO(KOHAKU_TYPE, KOHAKU_NR_BUF_READ)
#define KOHAKU_BUF_WRITE _IO(KOHAKU_TYPE, KOHAKU_NR_BUF_WRITE)

/**
 * struct kohaku_dim - one dimension of a walk
 * @stride: bytes from one index to the next, any sign
 * @count: number of indices, 1..65535
 * @step: how far one index moves the coordinate of @axis
 * @axis: 0 none, 1 axis A, 2 axis B
 */
struct kohaku_dim {
	__s64 stride __attribute__((aligned(8)));
	__u32 count;
	__s16 step;
	__u16 axis;
};

/**
 * struct kohaku_window - bounds of one axis
 * @base: coordinate of the walk's first element, -32768..32767
 * @extent: an element is inside while 0 <= coordinate < @extent; 0 turns the
 *	axis off; at most 65535, and from 32768 on it just means "not negative"
 */
struct kohaku_window {
	__s32 base;
	__u32 extent;
};

/**
 * struct kohaku_walker - an affine descriptor: the addresses of one side of a move
 * @buffer: id of the buffer it walks
 * @ndim: dimensions in use, 1..6, dims[0] outermost
 * @offset: where the walk begins, bytes from the start of the buffer; padding may
 *	put it outside, even before the buffer, but less than 2^40 from it
 * @dims: the dimensions; those beyond @ndim must be zero
 * @windows: bounds of axis A and axis B
 *
 * The element with indices i_k lies at offset + sum(i_k * stride_k) and has on
 * each axis the coordinate base + sum(i_k * step_k) over the dims of that axis.
 * It is inside when its coordinates are inside both windows.  Elements outside
 * are never touched, so they may lie anywhere; elements inside must lie in the
 * buffer, and within 2 GiB of @offset.
 */
struct kohaku_walker {
	__u32 buffer;
	__u32 ndim;
	__s64 offset __attribute__((aligned(8)));
	struct kohaku_dim dims[KOHAKU_MAX_DIMS];
	struct kohaku_window windows[2];
};

/* Modes of a move: the numbers of the hardware. */
enum kohaku_move_mode {
	KOHAKU_MOVE_COPY = 0,
	KOHAKU_MOVE_GATHER = 2,
	KOHAKU_MOVE_GENERATE = 3,
	KOHAKU_MOVE_FILL = 4,
	KOHAKU_MOVE_XFORM = 5,
};

/** define KOHAKU_MOVE_COALESCE - fold adjacent writes into bursts */
#define KOHAKU_MOVE_COALESCE (1U << 0)

/**
 * struct kohaku_move - one command of the memory mover
 * @mode: &enum kohaku_move_mode
 * @width: width of the pattern in @imm: 0 8 bits, 1 16 bits, 2 32 bits
 * @flags: KOHAKU_MOVE_COALESCE
 * @burst_cap: longest burst: 0 for 128 beats, n for 2^(n-1) beats, n <= 7
 * @imm: pattern of FILL and of padding
 * @seed: key of GENERATE
 * @indices: GATHER: user address of __u32 row numbers
 * @index_count: GATHER: how many
 * @pitch: GATHER: bytes from one row of the source to the next
 * @row_words: GATHER: words of a row
 * @xform: XFORM: occupant of the transform slot
 * @xform_mode: XFORM: its mode
 * @src: where words come from
 * @dst: where words go; its elements define the move, except for XFORM
 *
 * Copies words from the source walk to the destination walk, in lockstep.  A
 * source element outside its windows pads with @imm; a destination element
 * outside its windows is skipped.  Fields that the mode does not use must be
 * zero; for FILL and GENERATE that is all of @src.
 *
 * A source that is not aligned to words is refused (EINVAL); a destination that
 * is not ends the move with KOHAKU_FAULT_ALIGN at that element, with everything
 * before it done.  Refused too: fewer source than destination elements, counts
 * out of range, walks that leave their buffer, and source buffers on another
 * mesh than the operation's.  A destination on another mesh needs
 * KOHAKU_CAP_LINK; such a move ends when all its words have landed there.
 *
 * XFORM sends entries of the source through an occupant of the transform slot.
 * An entry is as many source words as SLOT_QUERY says and always becomes four
 * destination words at consecutive addresses: the source walk counts words, a
 * whole number of entries, the destination walk counts entries and lies on
 * multiples of 128 bytes.
 */
struct kohaku_move {
	__u16 mode;
	__u16 width;
	__u32 flags;
	__u32 burst_cap;
	__u32 imm;
	__aligned_u64 seed;
	__aligned_u64 indices;
	__u32 index_count;
	__u32 pitch;
	__u32 row_words;
	__u16 xform;
	__u16 xform_mode;
	struct kohaku_walker src;
	struct kohaku_walker dst;
};

/**
 * struct kohaku_slot_load - values for the table of an occupant
 * @occupant: id of an occupant that has a table: 5, the palette
 * @first: entry of the table that the first value goes to
 * @count: values, at least 1
 * @__reserved: must be 0
 * @values: user address of __u16 values, fp16 for the palette
 *
 * The table belongs to the open file and the mesh: transforms that follow in
 * program order use it, those of other files never do.  Before the first load
 * it is what the hardware comes up with.
 */
struct kohaku_slot_load {
	__u32 occupant;
	__u32 first;
	__u32 count;
	__u32 __reserved;
	__aligned_u64 values;
};

enum kohaku_transfer_mode {
	KOHAKU_TRANSFER_UNIT = 0,	/* element e at base + e * width / 8 */
	KOHAKU_TRANSFER_STRIDE = 1,	/* element e at base + e * stride */
	KOHAKU_TRANSFER_INDEX = 2,	/* element e at base + index[e] */
};

/** define KOHAKU_TRANSFER_STORE - a store, else a load */
#define KOHAKU_TRANSFER_STORE (1U << 0)
/** define KOHAKU_TRANSFER_WAIT - end before what follows starts */
#define KOHAKU_TRANSFER_WAIT (1U << 1)
/** define KOHAKU_TRANSFER_MASKED - bit e of register mask enables element e */
#define KOHAKU_TRANSFER_MASKED (1U << 2)
/** define KOHAKU_TRANSFER_DISJOINT - disjoint from all of the same writeset */
#define KOHAKU_TRANSFER_DISJOINT (1U << 3)

/**
 * struct kohaku_transfer_insn - one vector load or store of the fabric
 * @flags: KOHAKU_TRANSFER_*
 * @mode: &enum kohaku_transfer_mode
 * @width: bits of a data element: 8, 16, 32, 64
 * @index_width: INDEX: bits of an index, 8..64
 * @group: registers that hold the data: 1, 2, 4, 8
 * @reg: first of them
 * @index: INDEX: first register of the indices, byte offsets without a sign
 * @mask: with KOHAKU_TRANSFER_MASKED, the mask register
 * @writeset: with KOHAKU_TRANSFER_DISJOINT, 0..7: instructions that name the same
 *	one promise to touch disjoint bytes, so that nothing need order them
 * @__reserved: must be 0
 * @__reserved1: must be 0
 * @count: elements are @first .. @count - 1; none is not an error
 * @first: first element
 * @base: virtual address in the fabric's memory
 * @stride: STRIDE: bytes from one element to the next
 *
 * What the mode or the flags do not use must be zero.
 */
struct kohaku_transfer_insn {
	__u32 flags;
	__u16 mode;
	__u8 width;
	__u8 index_width;
	__u8 group;
	__u8 reg;
	__u8 index;
	__u8 mask;
	__u8 writeset;
	__u8 __reserved;
	__u16 __reserved1;
	__u32 count;
	__u32 first;
	__aligned_u64 base;
	__s64 stride __attribute__((aligned(8)));
};

/**
 * struct kohaku_transfer - a program of the transfer fabric
 * @insns: user address of an array of &struct kohaku_transfer_insn
 * @count: instructions in it, up to out_max_insns of FABRIC_QUERY; 0 does nothing
 * @stride: bytes from one to the next, sizeof(struct kohaku_transfer_insn)
 *
 * The fabric belongs to the open file and runs in the queue of mesh 0.  All
 * instructions are checked before any operation of the job runs; on an error
 * kohaku_submit.out_part names the wrong one.  The program always runs to its
 * end.  If an element met a page that is not there or forbids the access, the
 * operation then ends with KOHAKU_FAULT_PAGE; FABRIC_RESULTS tells of every
 * instruction what became of it.
 */
struct kohaku_transfer {
	__aligned_u64 insns;
	__u32 count;
	__u32 stride;
};

/* Which side of a relayout is walked; the other one is taken in order. */
enum kohaku_relayout_mode {
	KOHAKU_RELAYOUT_DRAIN = 0,	/* the destination is */
	KOHAKU_RELAYOUT_FILL = 1,	/* the source is */
};

/** define KOHAKU_RELAYOUT_TRANSPOSE - transpose the granules of every four words */
#define KOHAKU_RELAYOUT_TRANSPOSE (1U << 0)
/** define KOHAKU_RELAYOUT_IN_PLACE - source and destination are the same bytes */
#define KOHAKU_RELAYOUT_IN_PLACE (1U << 1)

/** define KOHAKU_RELAYOUT_DIMS - dimensions of the walk of a run */
#define KOHAKU_RELAYOUT_DIMS 4
/** define KOHAKU_RELAYOUT_WORDS - longest run */
#define KOHAKU_RELAYOUT_WORDS 256
/** define KOHAKU_RELAYOUT_RUNS - most runs of a block */
#define KOHAKU_RELAYOUT_RUNS 131072

/**
 * struct kohaku_relayout_dim - one dimension of the walk of a run
 * @stride: bytes from one index to the next, any sign, a multiple of 32 in
 *	-131072..131071
 * @count: number of indices, 1..256
 */
struct kohaku_relayout_dim {
	__s32 stride;
	__u32 count;
};

/**
 * struct kohaku_relayout - a conversion by the vector core
 * @mode: &enum kohaku_relayout_mode
 * @flags: KOHAKU_RELAYOUT_*
 * @words: words of a run, 1..KOHAKU_RELAYOUT_WORDS; with TRANSPOSE a multiple of 16
 * @ndim: dimensions in use, dims[0] outermost; their counts multiply to @words
 * @runs: runs of a block, 1..KOHAKU_RELAYOUT_RUNS
 * @count: blocks, at least 1
 * @starts: user address of a __u32 for each run: the word of the block at which
 *	its walk begins; 0: run r begins at word r * @words on both sides
 * @dims: the walk, the same for all runs; those beyond @ndim must be zero
 * @src_buffer: id of the buffer that is read
 * @dst_buffer: id of the buffer that is written
 * @src_offset: where the first block begins there, a multiple of 32
 * @dst_offset: likewise
 * @src_stride: bytes from one block to the next, a multiple of 32
 * @dst_stride: likewise
 *
 * A block is @runs * @words words.  Run r reads @words of them, transposes if asked
 * to, then writes as many: in order from word r * @words on one side, by the walk
 * from @starts[r] on the other.  The order within a group of four that is transposed
 * is the one in which the words are read (DRAIN) or written (FILL).
 *
 * Refused (EINVAL) is a plan of which any run would touch a word outside its block,
 * a block that leaves its buffer or, where written, meets another one, and a buffer
 * on another mesh.  Without IN_PLACE source and destination must not meet; with it
 * they must be the same, and every run must write exactly the words that it read.
 *
 * The driver makes the core's program from this; a fault of the core is
 * KOHAKU_FAULT_VECTOR plus its number.  EOPNOTSUPP: without KOHAKU_CAP_VECTOR.
 */
struct kohaku_relayout {
	__u16 mode;
	__u16 flags;
	__u16 words;
	__u16 ndim;
	__u32 runs;
	__u32 count;
	__aligned_u64 starts;
	struct kohaku_relayout_dim dims[KOHAKU_RELAYOUT_DIMS];
	__u32 src_buffer;
	__u32 dst_buffer;
	__aligned_u64 src_offset;
	__aligned_u64 dst_offset;
	__aligned_u64 src_stride;
	__aligned_u64 dst_stride;
};

enum kohaku_opcode {
	/* Does nothing; with KOHAKU_OP_BARRIER it joins the meshes of a job. */
	KOHAKU_OP_MARKER = 1,
	KOHAKU_OP_MOVE = 2,
	KOHAKU_OP_SLOT_LOAD = 3,
	KOHAKU_OP_RELAYOUT = 4,
	KOHAKU_OP_TRANSFER = 5,
};

/** define KOHAKU_OP_BARRIER - start after every earlier operation of the job */
#define KOHAKU_OP_BARRIER (1U << 0)
/** define KOHAKU_OP_VERIFY - prove that a MOVE moved, see KOHAKU_FAULT_NO_MOTION */
#define KOHAKU_OP_VERIFY (1U << 1)

/**
 * struct kohaku_op - one operation of a job
 * @opcode: &enum kohaku_opcode
 * @mesh: mesh that runs it
 * @flags: KOHAKU_OP_*
 * @move: KOHAKU_OP_MOVE
 * @slot_load: KOHAKU_OP_SLOT_LOAD
 * @transfer: KOHAKU_OP_TRANSFER
 * @relayout: KOHAKU_OP_RELAYOUT
 *
 * Fields that the opcode does not use must be zero.  An initialiser that names one
 * member of the union need not clear the rest of it: memset() the whole.
 */
struct kohaku_op {
	__u16 opcode;
	__u16 mesh;
	__u32 flags;
	union {
		struct kohaku_move move;
		struct kohaku_slot_load slot_load;
		struct kohaku_transfer transfer;
		struct kohaku_relayout relayout;
	};
};

/* Faults: what the mover reports, then what the driver finds out by itself. */
enum kohaku_fault_code {
	KOHAKU_FAULT_NONE = 0,
	KOHAKU_FAULT_INDEX = 1,		/* more indices than the mover holds */
	KOHAKU_FAULT_RANGE = 2,		/* incomplete transform entry */
	KOHAKU_FAULT_AXI = 3,		/* memory answered an error */
	KOHAKU_FAULT_MODE = 4,		/* mode not built */
	KOHAKU_FAULT_WIDTH = 5,		/* element width not built */
	KOHAKU_FAULT_ALIGN = 6,		/* destination not aligned to a word */
	KOHAKU_FAULT_PAD = 7,		/* transform source outside its window */
	KOHAKU_FAULT_NO_MOTION = 16,	/* reported done, nothing moved */
	KOHAKU_FAULT_TIMEOUT = 17,	/* no progress in time */
	KOHAKU_FAULT_MEMORY = 18,	/* access by the host failed */
	KOHAKU_FAULT_PAGE = 20,		/* fabric: no page, or one that forbids it */
	KOHAKU_FAULT_VECTOR = 32,	/* plus what the vector core reports: */
	KOHAKU_FAULT_VECTOR_DTYPE = 33,	/* element type */
	KOHAKU_FAULT_VECTOR_SOURCE = 34, /* operand source */
	KOHAKU_FAULT_VECTOR_CHAIN = 35,	/* chained operation */
	KOHAKU_FAULT_VECTOR_OPCODE = 36, /* no such instruction */
	KOHAKU_FAULT_VECTOR_LENGTH = 37, /* walk of more words than it holds */
	KOHAKU_FAULT_VECTOR_LOOP = 38,	/* loop */
	KOHAKU_FAULT_VECTOR_VL = 39,	/* vector length */
	KOHAKU_FAULT_VECTOR_REDUCE = 40, /* vector length of a reduction */
	KOHAKU_FAULT_VECTOR_UNIT = 41,	/* data of the compute unit */
	KOHAKU_FAULT_VECTOR_ENDLESS = 48, /* the program does not halt */
	KOHAKU_FAULT_VECTOR_MEMORY = 49, /* memory answered an error */
	KOHAKU_FAULT_VECTOR_PACKET = 50, /* a packet that it does not know */
};

/**
 * struct kohaku_completion - what became of a job
 * @size: sizeof(struct kohaku_completion) as the kernel knows it
 * @status: 0, or a negative errno: -EIO a fault (see @fault and FAULT_READ),
 *	-ETIMEDOUT no progress within the timeout, -ECANCELED dropped by a reset,
 *	-ENODEV the node went away
 * @job: id of the job
 * @cookie: from SUBMIT
 * @fault: &enum kohaku_fault_code
 * @fault_index: index of the operation that did not end well
 * @ops_done: operations that ran to their end
 * @__reserved: 0
 * @words: words written by them, and by the one that faulted before it did
 * @read_bursts: bursts read from memory, with KOHAKU_CAP_COUNTERS
 * @read_beats: words read from memory, likewise
 * @write_bursts: bursts written, likewise
 * @write_beats: words written, likewise
 * @cycles: cycles of the node by the simulator's cost model, likewise
 * @duration_ns: from the start of the first operation to the end of the last
 * @flits: packets that vector cores took
 * @core_cycles: cycles of vector cores, moving data not counted
 */
struct kohaku_completion {
	__u32 size;
	__s32 status;
	__aligned_u64 job;
	__aligned_u64 cookie;
	__u32 fault;
	__u32 fault_index;
	__u32 ops_done;
	__u32 __reserved;
	__aligned_u64 words;
	__aligned_u64 read_bursts;
	__aligned_u64 read_beats;
	__aligned_u64 write_bursts;
	__aligned_u64 write_beats;
	__aligned_u64 cycles;
	__aligned_u64 duration_ns;
	__aligned_u64 flits;
	__aligned_u64 core_cycles;
};

/** define KOHAKU_SUBMIT_ASYNC - return at once, collect the completion later */
#define KOHAKU_SUBMIT_ASYNC (1U << 0)

/**
 * struct kohaku_submit - ioctl(KOHAKU_SUBMIT)
 * @size: sizeof(struct kohaku_submit)
 * @flags: KOHAKU_SUBMIT_ASYNC
 * @ops: user address of an array of &struct kohaku_op
 * @count: operations in it; 0 is a job that is done at once
 * @stride: bytes from one operation to the next, sizeof(struct kohaku_op)
 * @timeout_ns: longest time one operation may take, 0 for the node's default
 * @cookie: returned in the completion
 * @out_job: id of the job, never 0
 * @out_index: on an error, the operation it is about
 * @out_part: on an error, which part of that operation: the instruction of a
 *	TRANSFER
 * @completion: without KOHAKU_SUBMIT_ASYNC, what became of the job; it stands
 *	last, so that it can grow
 *
 * Runs operations.  Those of one mesh run in order, meshes run beside each other
 * except for KOHAKU_OP_BARRIER.  All are checked before any runs: on an error
 * nothing ran, and @out_index tells which operation is wrong.  When operation k
 * faults, those before it on its mesh have happened, the rest of the job does
 * not start, and a fault record describes k.
 *
 * Without KOHAKU_SUBMIT_ASYNC the call waits for the job's end.  EINTR: a signal
 * came first, whatever SA_RESTART says: the job goes on as an asynchronous one,
 * @out_job names it, WAIT waits for it.
 * EAGAIN: @out_max_jobs of &struct kohaku_info are outstanding.  EDQUOT: as many
 * as user_jobs in sysfs says, over all files of the user.
 */
struct kohaku_submit {
	__u32 size;
	__u32 flags;
	__aligned_u64 ops;
	__u32 count;
	__u32 stride;
	__aligned_u64 timeout_ns;
	__aligned_u64 cookie;
	__aligned_u64 out_job;
	__u32 out_index;
	__u32 out_part;
	struct kohaku_completion completion;
};
#define KOHAKU_SUBMIT _IO(KOHAKU_TYPE, KOHAKU_NR_SUBMIT)

/**
 * struct kohaku_wait - ioctl(KOHAKU_WAIT)
 * @size: sizeof(struct kohaku_wait)
 * @flags: must be 0
 * @job: id of an asynchronous job
 * @deadline_ns: absolute CLOCK_MONOTONIC time; 0 looks once and does not wait,
 *	the largest value waits for ever
 * @completion: what became of the job
 *
 * Waits for a job and collects its completion.  A completion is handed out once:
 * by WAIT, or by read() if nobody waits for that job.  Afterwards the id is
 * gone (ENOENT).  ETIMEDOUT: the job is not done yet; its id stays valid.
 */
struct kohaku_wait {
	__u32 size;
	__u32 flags;
	__aligned_u64 job;
	__aligned_u64 deadline_ns;
	struct kohaku_completion completion;
};
#define KOHAKU_WAIT _IO(KOHAKU_TYPE, KOHAKU_NR_WAIT)

/**
 * struct kohaku_eventfd - ioctl(KOHAKU_EVENTFD)
 * @size: sizeof(struct kohaku_eventfd)
 * @flags: must be 0
 * @fd: an eventfd, or -1 to signal none
 * @__reserved: must be 0
 *
 * Names the eventfd that every completion of an asynchronous job adds 1 to.  It
 * replaces the one named before.  EBADF, EINVAL: @fd is not an eventfd.
 */
struct kohaku_eventfd {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 __reserved;
};
#define KOHAKU_EVENTFD _IO(KOHAKU_TYPE, KOHAKU_NR_EVENTFD)

/**
 * struct kohaku_reg_write - one register write of the mover
 * @offset: offset of the register
 * @__reserved: 0
 * @value: what was written
 */
struct kohaku_reg_write {
	__u32 offset;
	__u32 __reserved;
	__aligned_u64 value;
};

/** define KOHAKU_MAX_PROGRAM - register writes of one operation */
#define KOHAKU_MAX_PROGRAM 40
/** define KOHAKU_ELEMENT_UNKNOWN - fault record: the element is not known */
#define KOHAKU_ELEMENT_UNKNOWN (~0ULL)

/** define KOHAKU_FAULT_CLEAR - forget the record once it is read */
#define KOHAKU_FAULT_CLEAR (1U << 0)

/**
 * struct kohaku_fault_read - ioctl(KOHAKU_FAULT_READ)
 * @size: sizeof(struct kohaku_fault_read)
 * @flags: KOHAKU_FAULT_CLEAR
 * @out_count: faults of this file so far
 * @out_job: job of the last one
 * @out_index: operation in that job
 * @out_mesh: mesh that ran it
 * @out_code: &enum kohaku_fault_code
 * @out_bank_fault: fault register of the transform slot
 * @out_element: element of the defining walk where it stopped, or
 *	KOHAKU_ELEMENT_UNKNOWN
 * @out_indices: loop indices of that element, outermost first
 * @out_src_offset: where it lies, bytes from the start of the source buffer
 * @out_dst_offset: likewise in the destination buffer
 * @out_words: words written before the fault; what lies after is unchanged
 * @out_program_length: register writes in @out_program
 * @__reserved: 0
 * @out_program: the register program that ran, in order
 *
 * Describes the last fault of this open file.  ENOENT: none, or it was cleared.
 *
 * KOHAKU_FAULT_PAGE: @out_indices[0] is the first instruction that faulted,
 * @out_element its element, @out_src_offset (of a load) or @out_dst_offset (of a
 * store) the virtual address.
 *
 * KOHAKU_FAULT_VECTOR_*: @out_element is the run that faulted, counted over all
 * blocks, @out_indices its block and its number there, and the offsets are where it
 * begins to read and to write.
 */
struct kohaku_fault_read {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_count;
	__aligned_u64 out_job;
	__u32 out_index;
	__u32 out_mesh;
	__u32 out_code;
	__u32 out_bank_fault;
	__aligned_u64 out_element;
	__u32 out_indices[KOHAKU_MAX_DIMS];
	__aligned_u64 out_src_offset;
	__aligned_u64 out_dst_offset;
	__aligned_u64 out_words;
	__u32 out_program_length;
	__u32 __reserved;
	struct kohaku_reg_write out_program[KOHAKU_MAX_PROGRAM];
};
#define KOHAKU_FAULT_READ _IO(KOHAKU_TYPE, KOHAKU_NR_FAULT_READ)

/**
 * struct kohaku_reset - ioctl(KOHAKU_RESET)
 * @size: sizeof(struct kohaku_reset)
 * @flags: must be 0
 *
 * Resets the node.  Jobs of every open file end with -ECANCELED.  Other open
 * files lose their buffers and are stale from then on (ECANCELED); the caller's
 * file keeps its buffers.  A wedged node works again if its self-test passes
 * (else EIO).  Needs CAP_SYS_ADMIN.
 */
struct kohaku_reset {
	__u32 size;
	__u32 flags;
};
#define KOHAKU_RESET _IO(KOHAKU_TYPE, KOHAKU_NR_RESET)

/**
 * struct kohaku_slot_query - ioctl(KOHAKU_SLOT_QUERY)
 * @size: sizeof(struct kohaku_slot_query)
 * @flags: must be 0
 * @mesh: whose slot
 * @occupant: id of the occupant, 0..15
 * @out_in_words: source words of an entry
 * @out_out_words: destination words of an entry
 * @out_bank_fault: sticky fault of the bank: bit 0, an entry named no occupant
 * @table_count: in: room at @table, values; out: values of the occupant's table
 * @table: user address that gets the table as this file's transforms see it, or 0
 * @out_name: name of the occupant, ends with a zero byte
 *
 * ENOENT: no occupant of that id.  EMSGSIZE: @table is too small, @table_count
 * tells how many values there are.  EOPNOTSUPP: without KOHAKU_CAP_SLOT.
 */
struct kohaku_slot_query {
	__u32 size;
	__u32 flags;
	__u32 mesh;
	__u32 occupant;
	__u32 out_in_words;
	__u32 out_out_words;
	__u32 out_bank_fault;
	__u32 table_count;
	__aligned_u64 table;
	__u8 out_name[32];
};
#define KOHAKU_SLOT_QUERY _IO(KOHAKU_TYPE, KOHAKU_NR_SLOT_QUERY)

/** define KOHAKU_FABRIC_MESSAGES - types of messages in the fabric */
#define KOHAKU_FABRIC_MESSAGES 17
/** define KOHAKU_FABRIC_REGISTERS - registers of the fabric, a word a lane each */
#define KOHAKU_FABRIC_REGISTERS 32

/** define KOHAKU_FABRIC_CLEAR - set counters and high-water marks to 0 afterwards */
#define KOHAKU_FABRIC_CLEAR (1U << 0)

/**
 * struct kohaku_fabric_query - ioctl(KOHAKU_FABRIC_QUERY)
 * @size: sizeof(struct kohaku_fabric_query)
 * @flags: KOHAKU_FABRIC_CLEAR
 * @out_kamlet_columns: columns of kamlets
 * @out_kamlet_rows: rows of kamlets
 * @out_jamlet_columns: columns of jamlets (lanes) in a kamlet
 * @out_jamlet_rows: rows of jamlets in a kamlet
 * @out_lanes: lanes of all kamlets: the words of a register
 * @out_stripe_bytes: bytes of one 8-byte word of every lane
 * @out_page_bytes: bytes of a page
 * @out_line_words: words of a cache line in one jamlet
 * @out_order: lane order of the registers: 0 Moore, 2 row, 3 row torus, 4 column,
 *	5 column torus
 * @out_slots: cache lines of a kamlet
 * @out_rows: kinstructions that a kamlet tracks
 * @out_waits: missed requests that a kamlet parks
 * @out_idents: names for kinstructions
 * @out_syncs: synchronisations under way at once
 * @out_push_ack: 1: receivers acknowledge pushed segments
 * @out_max_pages: pages that can be mapped
 * @out_max_insns: instructions of one TRANSFER
 * @out_pages: pages that are mapped
 * @out_messages: messages sent, by type, in the order PUSH, PUSH_ACK, PUSH_DROP,
 *	RD_REQ, RD_RESP, RD_DROP, WR_REQ, WR_RESP, WR_DROP, WR_RETRY, LINE_FETCH,
 *	LINE_SWAP, LINE_DROP, LINE_OUT, LINE_OUT_DROP, LINE_IN, KINSTR
 * @out_segments: segments sent for the first time: to vector, to scalar memory
 * @out_masked: segments that the mask left out
 * @out_resends: segments sent again
 * @out_retries: parked writes asked to send their data again
 * @out_drops: requests refused: not started there, no place to park, no slot
 * @out_hits: requests and lines that were there
 * @out_misses: requests parked, and lines waited for
 * @out_fetches: lines fetched
 * @out_evictions: modified lines written back
 * @out_relayouts: stripes converted to another width or lane order
 * @out_local: kinstructions that move nothing between lanes
 * @out_nonlocal: the others
 * @out_fault_syncs: fault reductions
 * @out_done_syncs: completion barriers
 * @out_sync_packets: packets on the synchronizer's links
 * @out_once: accesses of elements to non-idempotent memory
 * @out_protocol_errors: answers that nobody waited for
 * @out_ticks: ticks of all programs
 * @out_top_rows: most kinstructions tracked at once in a kamlet
 * @out_top_waits: most requests parked at once in a kamlet
 * @out_top_pinned: most cache lines held at once in a kamlet
 * @out_top_idents: most kinstructions alive at once
 * @out_top_syncs: most synchronisations under way at once
 * @out_top_in_flight: most messages under way at once
 *
 * The fabric of this open file: what it is made of, and what it has done.  No
 * other file sees its memory, registers or counters.  EBUSY: a program runs, and
 * KOHAKU_FABRIC_CLEAR is set.  EOPNOTSUPP: without KOHAKU_CAP_FABRIC; so answer
 * all FABRIC commands.
 */
struct kohaku_fabric_query {
	__u32 size;
	__u32 flags;
	__u32 out_kamlet_columns;
	__u32 out_kamlet_rows;
	__u32 out_jamlet_columns;
	__u32 out_jamlet_rows;
	__u32 out_lanes;
	__u32 out_stripe_bytes;
	__u32 out_page_bytes;
	__u32 out_line_words;
	__u32 out_order;
	__u32 out_slots;
	__u32 out_rows;
	__u32 out_waits;
	__u32 out_idents;
	__u32 out_syncs;
	__u32 out_push_ack;
	__u32 out_max_pages;
	__u32 out_max_insns;
	__u32 out_pages;
	__aligned_u64 out_messages[KOHAKU_FABRIC_MESSAGES];
	__aligned_u64 out_segments[2];
	__aligned_u64 out_masked;
	__aligned_u64 out_resends;
	__aligned_u64 out_retries;
	__aligned_u64 out_drops[3];
	__aligned_u64 out_hits;
	__aligned_u64 out_misses;
	__aligned_u64 out_fetches;
	__aligned_u64 out_evictions;
	__aligned_u64 out_relayouts;
	__aligned_u64 out_local;
	__aligned_u64 out_nonlocal;
	__aligned_u64 out_fault_syncs;
	__aligned_u64 out_done_syncs;
	__aligned_u64 out_sync_packets;
	__aligned_u64 out_once;
	__aligned_u64 out_protocol_errors;
	__aligned_u64 out_ticks;
	__u32 out_top_rows;
	__u32 out_top_waits;
	__u32 out_top_pinned;
	__u32 out_top_idents;
	__u32 out_top_syncs;
	__u32 out_top_in_flight;
};
#define KOHAKU_FABRIC_QUERY _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_QUERY)

enum kohaku_fabric_memory {
	KOHAKU_FABRIC_VECTOR = 0,	/* spread over the lanes, cached */
	KOHAKU_FABRIC_SCALAR = 1,	/* in front of the lanes, idempotent */
	KOHAKU_FABRIC_SCALAR_ONCE = 2,	/* not idempotent: an access has effects */
};

/**
 * struct kohaku_fabric_stripe - how a stripe of vector memory is laid out
 * @width: width of its elements: 8, 16, 32, 64 bits
 * @order: its lane order, as kohaku_fabric_query.out_order
 */
struct kohaku_fabric_stripe {
	__u8 width;
	__u8 order;
};

/** define KOHAKU_FABRIC_READABLE - loads from the page do not fault */
#define KOHAKU_FABRIC_READABLE (1U << 0)
/** define KOHAKU_FABRIC_WRITABLE - stores to the page do not fault */
#define KOHAKU_FABRIC_WRITABLE (1U << 1)

/**
 * struct kohaku_fabric_map - ioctl(KOHAKU_FABRIC_MAP)
 * @size: sizeof(struct kohaku_fabric_map)
 * @flags: KOHAKU_FABRIC_READABLE, KOHAKU_FABRIC_WRITABLE
 * @address: virtual address of the page, a multiple of out_page_bytes
 * @memory: &enum kohaku_fabric_memory
 * @stripe_count: VECTOR: stripes at @stripes: those of a page, or 0
 * @stripes: user address of an array of &struct kohaku_fabric_stripe; without it
 *	stripes have 64-bit elements in the registers' lane order
 *
 * Maps one page of zeros.  EEXIST: there is one already.  ENOSPC: as many pages
 * as can be.  EBUSY: a program runs.
 */
struct kohaku_fabric_map {
	__u32 size;
	__u32 flags;
	__aligned_u64 address;
	__u32 memory;
	__u32 stripe_count;
	__aligned_u64 stripes;
};
#define KOHAKU_FABRIC_MAP _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_MAP)

/**
 * struct kohaku_fabric_unmap - ioctl(KOHAKU_FABRIC_UNMAP)
 * @size: sizeof(struct kohaku_fabric_unmap)
 * @flags: must be 0
 * @address: where the page was mapped
 *
 * Forgets a page and its bytes.  ENOENT: no page begins there.  EBUSY: a program
 * runs.
 */
struct kohaku_fabric_unmap {
	__u32 size;
	__u32 flags;
	__aligned_u64 address;
};
#define KOHAKU_FABRIC_UNMAP _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_UNMAP)

/**
 * struct kohaku_fabric_layout - ioctl(KOHAKU_FABRIC_LAYOUT)
 * @size: sizeof(struct kohaku_fabric_layout)
 * @flags: must be 0
 * @address: virtual address of a vector page
 * @stripe_count: in: room at @stripes; out: stripes of a page
 * @__reserved: must be 0
 * @stripes: user address that gets an array of &struct kohaku_fabric_stripe
 *
 * How the stripes of a page are laid out now: stores convert them.  ENOENT: no
 * vector page begins there.  EMSGSIZE: too little room.  EBUSY: a program runs.
 */
struct kohaku_fabric_layout {
	__u32 size;
	__u32 flags;
	__aligned_u64 address;
	__u32 stripe_count;
	__u32 __reserved;
	__aligned_u64 stripes;
};
#define KOHAKU_FABRIC_LAYOUT _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_LAYOUT)

enum kohaku_fabric_space {
	KOHAKU_FABRIC_MEMORY = 1,
	KOHAKU_FABRIC_REGISTER = 2,
};

/**
 * struct kohaku_fabric_io - ioctl(KOHAKU_FABRIC_READ), ioctl(KOHAKU_FABRIC_WRITE)
 * @size: sizeof(struct kohaku_fabric_io)
 * @flags: must be 0
 * @space: &enum kohaku_fabric_space
 * @width: REGISTER: width of its elements, 1 (a mask), 8, 16, 32, 64 bits: READ
 *	answers it, WRITE sets it; MEMORY: 0
 * @address: MEMORY: virtual address; REGISTER: its number
 * @length: bytes, at most 1 MiB; of a register always those of a stripe
 * @data: user address of the bytes
 *
 * Copies between user memory and the fabric, whatever the page's permissions:
 * bytes as a load would see them; registers as one word a lane, lane 0 first.
 * ENOENT: some byte is not mapped, nothing was copied.  EBUSY: a program runs.
 */
struct kohaku_fabric_io {
	__u32 size;
	__u32 flags;
	__u32 space;
	__u32 width;
	__aligned_u64 address;
	__aligned_u64 length;
	__aligned_u64 data;
};
#define KOHAKU_FABRIC_READ _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_READ)
#define KOHAKU_FABRIC_WRITE _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_WRITE)

enum kohaku_transfer_fault {
	KOHAKU_TRANSFER_OK = 0,
	KOHAKU_TRANSFER_NO_PAGE = 1,
	KOHAKU_TRANSFER_NOT_READABLE = 2,
	KOHAKU_TRANSFER_NOT_WRITABLE = 3,
};

/**
 * struct kohaku_transfer_result - what became of one transfer instruction
 * @fault: &enum kohaku_transfer_fault
 * @element: the least element that faulted; all before it are done, and nothing
 *	from it on has reached non-idempotent memory
 * @element_address: where that element begins
 * @address: its lowest byte that faulted
 * @start: tick at which the fabric took the instruction up
 * @end: tick at which it ended
 */
struct kohaku_transfer_result {
	__u32 fault;
	__u32 element;
	__aligned_u64 element_address;
	__aligned_u64 address;
	__aligned_u64 start;
	__aligned_u64 end;
};

/**
 * struct kohaku_fabric_results - ioctl(KOHAKU_FABRIC_RESULTS)
 * @size: sizeof(struct kohaku_fabric_results)
 * @flags: must be 0
 * @count: in: room at @results; out: instructions of the program
 * @stride: bytes from one result to the next, sizeof(struct
 *	kohaku_transfer_result)
 * @results: user address that gets an array of &struct kohaku_transfer_result
 * @out_job: job of the program
 * @out_index: its operation in that job
 * @__reserved: must be 0
 *
 * The results of the last TRANSFER of this open file that ran to its end.
 * ENOENT: none did, or the last one was given up.  EMSGSIZE: too little room.
 * EBUSY: a program runs.
 */
struct kohaku_fabric_results {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 stride;
	__aligned_u64 results;
	__aligned_u64 out_job;
	__u32 out_index;
	__u32 __reserved;
};
#define KOHAKU_FABRIC_RESULTS _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_RESULTS)

enum kohaku_fabric_event_kind {
	KOHAKU_FABRIC_SEND = 0,		/* a message leaves */
	KOHAKU_FABRIC_TAKE = 1,		/* its receiver handles it */
	KOHAKU_FABRIC_ROW = 2,		/* a row of a kamlet changes state */
	KOHAKU_FABRIC_BYTE = 3,		/* a byte of a jamlet's row does */
	KOHAKU_FABRIC_LINE = 4,		/* a cache line does */
	KOHAKU_FABRIC_SYNC = 5,		/* a node contributes to a synchronisation */
	KOHAKU_FABRIC_SYNC_DONE = 6,	/* a node has its result */
};

enum kohaku_fabric_unit {
	KOHAKU_FABRIC_JAMLET = 0,
	KOHAKU_FABRIC_KAMLET = 1,
	KOHAKU_FABRIC_MEMLET = 2,
	KOHAKU_FABRIC_LAMLET = 3,
};

/**
 * struct kohaku_fabric_party - who takes part in an event
 * @unit: &enum kohaku_fabric_unit
 * @kamlet: which kamlet
 * @x: JAMLET: column of the lane
 * @y: JAMLET: row of the lane
 */
struct kohaku_fabric_party {
	__u8 unit;
	__u8 kamlet;
	__u8 x;
	__u8 y;
};

/**
 * struct kohaku_fabric_event - one entry of the fabric's trace
 * @tick: when
 * @arrival: SEND: when the message arrives
 * @kind: &enum kohaku_fabric_event_kind
 * @type: SEND, TAKE: message type, by its place in out_messages; SYNC, SYNC_DONE:
 *	1 for a fault reduction, 0 for a barrier
 * @ident: name of the kinstruction
 * @state: ROW, BYTE, LINE: new state
 * @source: byte of the requester's word; BYTE: the byte
 * @target: byte of the word at the other side
 * @bytes: bytes of the segment
 * @__reserved: 0
 * @from: sender, or whose state it is
 * @to: receiver
 * @insn: instruction of the program
 * @line: line of the fabric's memory; SYNC, SYNC_DONE: the element that faulted,
 *	all ones for none
 */
struct kohaku_fabric_event {
	__aligned_u64 tick;
	__aligned_u64 arrival;
	__u8 kind;
	__u8 type;
	__u8 ident;
	__u8 state;
	__u8 source;
	__u8 target;
	__u8 bytes;
	__u8 __reserved;
	struct kohaku_fabric_party from;
	struct kohaku_fabric_party to;
	__u32 insn;
	__u32 line;
};

/** define KOHAKU_FABRIC_TRACE_START - keep events from here on */
#define KOHAKU_FABRIC_TRACE_START (1U << 0)
/** define KOHAKU_FABRIC_TRACE_STOP - and no longer, once those there are read */
#define KOHAKU_FABRIC_TRACE_STOP (1U << 1)

/**
 * struct kohaku_fabric_trace - ioctl(KOHAKU_FABRIC_TRACE)
 * @size: sizeof(struct kohaku_fabric_trace)
 * @flags: KOHAKU_FABRIC_TRACE_START or KOHAKU_FABRIC_TRACE_STOP
 * @count: in: room at @events; out: events copied
 * @stride: bytes from one event to the next, sizeof(struct kohaku_fabric_event)
 * @events: user address that gets them, oldest first
 * @out_lost: events that found no room in the kernel since START
 *
 * Takes events out of the trace, which holds 65536 of them; while it is full new
 * ones are lost.  START empties it; STOP drops what was not copied.  May be called
 * while a program runs.  ENOENT: no trace was started.
 */
struct kohaku_fabric_trace {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 stride;
	__aligned_u64 events;
	__aligned_u64 out_lost;
};
#define KOHAKU_FABRIC_TRACE _IO(KOHAKU_TYPE, KOHAKU_NR_FABRIC_TRACE)

/**
 * struct kohaku_uring - payload of a command that is sent by io_uring
 * @arg: user address of the command's struct
 * @size: bytes of that struct, the same as its own size field says
 * @flags: must be 0
 *
 * With KOHAKU_CAP_URING every command can be sent by io_uring: IORING_OP_URING_CMD
 * on the open file, with the number of the ioctl, such as KOHAKU_SUBMIT, in
 * sqe->cmd_op and this struct in sqe->cmd.  Struct, answers and errnos are those of
 * the ioctl; cqe->res is 0 or a negative errno.  @arg and what it points to stay
 * valid until the completion has come.
 *
 * INFO, PROBE, WAIT and asynchronous SUBMITs are taken up when they are submitted,
 * everything else by a worker of io_uring, where it may sleep.  A WAIT sleeps
 * without one where the kernel can call it back (Linux 6.7 and later), and keeps
 * one of the few elsewhere: many WAITs then end in turns.  It ends with its job, at
 * its deadline, or with ECANCELED or EINTR when its ring or its sender goes; then
 * the completion is still to be had.  IORING_OP_ASYNC_CANCEL finds a WAIT only if it
 * has a worker: one that is sent with IOSQE_ASYNC always has.
 *
 * EINVAL: @size is not the struct's own.  EOPNOTSUPP: unknown @flags, or a ring
 * with IORING_SETUP_IOPOLL on a kernel that takes nothing else in such a ring.
 */
struct kohaku_uring {
	__aligned_u64 arg;
	__u32 size;
	__u32 flags;
};

#endif
