/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test under signals: with $KOHAKU_INTERRUPT_US set, every process that a test
 * forks and every thread that it makes is interrupted that often, in turn by a
 * signal whose handler asks for a restart of system calls and by one whose does
 * not.
 *
 * The linker (--wrap, see the Makefile) leads the calls that a signal may end
 * early through here.  They go on where any careful program would: WAIT, read(),
 * poll() and waitpid() are called again, a SUBMIT that became an asynchronous job
 * is waited for.  So a test of anything but signals sees none of them, and
 * whatever it asserts must hold all the same.  An errno of the kernel's own
 * (ERESTARTSYS and its like) ends the program, with signals and without.
 */
#ifndef SELFTESTS_INTERRUPT_H
#define SELFTESTS_INTERRUPT_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/kohaku.h>

#define INTERRUPT_KINDS 2

/* Shared by all processes of a test. */
struct interrupt_counts {
	unsigned long signals, cut_short, resumed;
};

static struct {
	unsigned long us;			/* 0: leave everybody alone */
	struct interrupt_counts *counts;
} interrupt;

static __thread timer_t interrupt_timers[INTERRUPT_KINDS];

int __real_ioctl(int fd, unsigned long nr, ...);
ssize_t __real_read(int fd, void *bytes, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
pid_t __real_waitpid(pid_t pid, int *status, int options);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg);

static inline int interrupt_signal(unsigned int kind)
{
	return SIGRTMIN + kind;
}

static inline void interrupt_seen(int sig)
{
	__atomic_fetch_add(&interrupt.counts->signals, 1, __ATOMIC_RELAXED);
}

/* Arms the timers of the calling thread; its process has the handlers already. */
static inline void interrupt_begin(void)
{
	for (unsigned int i = 0; i < INTERRUPT_KINDS; i++) {
		struct sigevent event = {
			.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = interrupt_signal(i),
		};
		unsigned long long ns = interrupt.us * 1000ULL, period = ns * INTERRUPT_KINDS;
		struct itimerspec spec = {
			.it_interval = { period / 1000000000, period % 1000000000 },
		};

		ns *= i + 1;
		spec.it_value = (struct timespec){ ns / 1000000000, ns % 1000000000 };
		event._sigev_un._tid = syscall(SYS_gettid);
		if (timer_create(CLOCK_MONOTONIC, &event, &interrupt_timers[i]) ||
		    timer_settime(interrupt_timers[i], 0, &spec, NULL))
			abort();
	}
}

static inline void interrupt_end(void)
{
	for (unsigned int i = 0; i < INTERRUPT_KINDS; i++)
		timer_delete(interrupt_timers[i]);
}

/* A forked child inherits the handlers but no timers. */
static inline void interrupt_child(void)
{
	if (interrupt.us)
		interrupt_begin();
}

/* Makes every child from now on, but not the caller, be interrupted so often. */
static inline void interrupt_children(unsigned long us)
{
	static const int flags[INTERRUPT_KINDS] = { SA_RESTART, 0 };

	for (unsigned int i = 0; i < INTERRUPT_KINDS; i++) {
		struct sigaction action = { .sa_handler = interrupt_seen, .sa_flags = flags[i] };

		sigaction(interrupt_signal(i), &action, NULL);
	}
	interrupt.us = us;
}

static void __attribute__((constructor)) interrupt_init(void)
{
	const char *text = getenv("KOHAKU_INTERRUPT_US");

	interrupt.counts = mmap(NULL, sizeof(*interrupt.counts), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (interrupt.counts == MAP_FAILED || pthread_atfork(NULL, NULL, interrupt_child))
		abort();
	if (text && strtoul(text, NULL, 0))
		interrupt_children(strtoul(text, NULL, 0));
}

static void __attribute__((destructor)) interrupt_report(void)
{
	if (interrupt.us)
		printf("# interrupted: %lu signals, %lu calls cut short, %lu jobs waited for\n",
		       interrupt.counts->signals, interrupt.counts->cut_short,
		       interrupt.counts->resumed);
}

/* What a call returned: must it be made again because of a signal of ours? */
static inline int interrupt_again(long rc)
{
	if (rc != -1)
		return 0;
	if (errno >= 512 && errno < 1024) {
		fprintf(stderr, "errno %d reached a program\n", errno);
		abort();
	}
	if (errno != EINTR || !interrupt.us)
		return 0;
	__atomic_fetch_add(&interrupt.counts->cut_short, 1, __ATOMIC_RELAXED);
	return 1;
}

/* Collects the job of a SUBMIT that a signal ended, as the SUBMIT would have. */
static inline int interrupt_resume(int fd, struct kohaku_submit *submit)
{
	struct kohaku_wait wait = {
		.size = sizeof(wait), .job = submit->out_job, .deadline_ns = UINT64_MAX,
	};
	int rc;

	while ((rc = __real_ioctl(fd, KOHAKU_WAIT, &wait)), interrupt_again(rc))
		;
	__atomic_fetch_add(&interrupt.counts->resumed, 1, __ATOMIC_RELAXED);
	submit->completion = wait.completion;
	return rc;
}

int __wrap_ioctl(int fd, unsigned long nr, ...)
{
	va_list args;
	void *arg;
	int rc;

	va_start(args, nr);
	arg = va_arg(args, void *);
	va_end(args);
	while ((rc = __real_ioctl(fd, nr, arg)), interrupt_again(rc))
		if (nr == KOHAKU_SUBMIT)
			return interrupt_resume(fd, arg);
	return rc;
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
	ssize_t n;

	while ((n = __real_read(fd, bytes, size)), interrupt_again(n))
		;
	return n;
}

/* The time that has passed is not waited for again. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct timespec begin, now;
	int rc, left = timeout;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	while ((rc = __real_poll(fds, count, left)), interrupt_again(rc)) {
		if (timeout < 0)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = timeout - (now.tv_sec - begin.tv_sec) * 1000 -
		       (now.tv_nsec - begin.tv_nsec) / 1000000;
		left = left < 0 ? 0 : left;
	}
	return rc;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	pid_t ended;

	while ((ended = __real_waitpid(pid, status, options)), interrupt_again(ended))
		;
	return ended;
}

struct interrupt_thread {
	void *(*run)(void *arg);
	void *arg;
};

static inline void *interrupt_run(void *arg)
{
	struct interrupt_thread thread = *(struct interrupt_thread *)arg;
	void *result;

	free(arg);
	interrupt_begin();
	result = thread.run(thread.arg);
	interrupt_end();
	return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg)
{
	struct interrupt_thread *made;
	int err;

	if (!interrupt.us)
		return __real_pthread_create(thread, attr, run, arg);
	made = malloc(sizeof(*made));
	if (!made)
		return ENOMEM;
	*made = (struct interrupt_thread){ run, arg };
	err = __real_pthread_create(thread, attr, interrupt_run, made);
	if (err)
		free(made);
	return err;
}

#endif
