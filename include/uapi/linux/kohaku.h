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
 * ENOSPC       the node has no room of that kind left
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
 * waits, POLLHUP | POLLERR when the node went away.  mmap() shows a buffer at
 * its kohaku_buf_alloc.out_map_offset, shared mappings only.
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
 * Reserves memory of the node.  It reads as zero.  The id is valid in this open
 * file only and until BUF_FREE or the last close.
 *
 * ENOSPC: no room in that tier of that mesh, or too many buffers.
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
 * flight.  After EFAULT or EINTR a prefix may have been copied.
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

enum kohaku_opcode {
	/* Does nothing; with KOHAKU_OP_BARRIER it joins the meshes of a job. */
	KOHAKU_OP_MARKER = 1,
	KOHAKU_OP_MOVE = 2,
	KOHAKU_OP_SLOT_LOAD = 3,
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
 *
 * Fields that the opcode does not use must be zero.
 */
struct kohaku_op {
	__u16 opcode;
	__u16 mesh;
	__u32 flags;
	union {
		struct kohaku_move move;
		struct kohaku_slot_load slot_load;
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
 * @__reserved: must be 0
 * @completion: without KOHAKU_SUBMIT_ASYNC, what became of the job
 *
 * Runs operations.  Those of one mesh run in order, meshes run beside each other
 * except for KOHAKU_OP_BARRIER.  All are checked before any runs: on an error
 * nothing ran, and @out_index tells which operation is wrong.  When operation k
 * faults, those before it on its mesh have happened, the rest of the job does
 * not start, and a fault record describes k.
 *
 * Without KOHAKU_SUBMIT_ASYNC the call waits for the job's end.  EINTR: a signal
 * came first; the job goes on as an asynchronous one, @out_job names it.
 * EAGAIN: @out_max_jobs of &struct kohaku_info are outstanding.
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
	__u32 __reserved;
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

#endif
