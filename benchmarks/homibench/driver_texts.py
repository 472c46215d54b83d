"""Common parts of all drivers of `driver_programs`: the protocol, device and request, and main."""

PROTOCOL = r"""#include <klee/klee.h>

enum status { SUCCESS = 0, PENDING = 259, FAILURE = -1, INVALID = -2, DELETED = -3 };
enum more_status { TOO_SMALL = -4, NO_ROOM = -5, BUSY = -6 };
enum phase { ENTERED, SKIPPED, ROUTINE, FORWARDED, RETURNED, QUEUED, COMPLETED };

/* How far the request is. */
static int phase, pended, lower_status, final_status, event_set;

static int nondet(void)
{
    int value;
    klee_make_symbolic(&value, sizeof value, "value");
    return value;
}

static void complete(int status)
{
    klee_assert(phase == ENTERED || phase == RETURNED);
    klee_assert(status != PENDING);
    phase = COMPLETED;
    final_status = status;
}

static void skip(void)
{
    klee_assert(phase == ENTERED);
    phase = SKIPPED;
}

/* The lower driver ends the request at once, with or without success, or later. */
static int call_lower(void)
{
    klee_assert(phase == SKIPPED || phase == ROUTINE);
    int answer = nondet();
    if (answer == 0)
        lower_status = SUCCESS;
    else if (answer == 1)
        lower_status = FAILURE;
    else
        lower_status = PENDING;
    if (phase == ROUTINE && lower_status != PENDING)
        event_set = 1;
    phase = FORWARDED;
    return lower_status;
}

/* Passes the request on, with a routine that hands it back, and waits until it does. */
static int call_and_wait(void)
{
    klee_assert(phase == ENTERED);
    phase = ROUTINE;
    event_set = 0;
    int status = call_lower();
    if (status == PENDING) {
        klee_assert(!event_set);
        event_set = 1;
        status = lower_status = nondet() == 0 ? SUCCESS : FAILURE;
    }
    klee_assert(event_set && phase == FORWARDED);
    phase = RETURNED;
    return status;
}

/* What must hold once a dispatch function has returned. */
static void check_protocol(int status)
{
    if (pended) {
        klee_assert(status == PENDING);
        klee_assert(phase == QUEUED || phase == FORWARDED);
    } else if (phase == FORWARDED) {
        klee_assert(status == lower_status);
    } else {
        klee_assert(phase == COMPLETED);
        klee_assert(status == final_status);
    }
}
"""

GLOBALS = r"""
static int device_removed, device_held, device_started, device_state = 1, device_power = 1;
static int device_capacity = 256, device_queued, device_transfers, device_errors, device_retries;
static int device_idle;
static int irp_major, irp_minor, irp_code, irp_length, irp_offset, irp_flags;
"""

STRUCTURES = r"""
void *malloc(unsigned long size);
void free(void *block);

struct device {
    int removed, held, started, state, power;
    int capacity, queued, transfers, errors, retries, idle;
};

struct irp {
    struct irp *next;
    int major, minor, code, length, offset, flags;
};
"""

MAIN_GLOBALS = r"""
int main(void)
{
    for (int request = 0; request < REQUESTS; request++) {
        phase = ENTERED;
        pended = 0;
        irp_major = nondet();
        irp_minor = nondet();
        irp_code = nondet();
        irp_length = nondet();
        irp_offset = nondet();
        irp_flags = nondet();
        check_protocol(dispatch());
        klee_assert(device_queued <= request + 1 && device_errors >= 0);
        klee_assert(!device_started || device_state != 6);
    }
    return 0;
}
"""

MAIN_STRUCTURES = r"""
int main(void)
{
    struct irp *waiting = 0;
    struct device fixed = {.state = 1, .power = 1, .capacity = 256}, *device = &fixed;
    for (int request = 0; request < REQUESTS; request++) {
        struct irp *irp = malloc(sizeof *irp);
        phase = ENTERED;
        pended = 0;
        irp->major = nondet();
        irp->minor = nondet();
        irp->code = nondet();
        irp->length = nondet();
        irp->offset = nondet();
        irp->flags = nondet();
        check_protocol(dispatch(device, irp));
        if (phase == QUEUED) {
            irp->next = waiting;
            waiting = irp;
        } else {
            free(irp);
        }
        klee_assert(device->queued <= request + 1 && device->errors >= 0);
        klee_assert(!device->started || device->state != 6);
    }
    int left = 0;
    for (; waiting; left++) {
        struct irp *next = waiting->next;
        free(waiting);
        waiting = next;
    }
    klee_assert(left == device->queued);
    return 0;
}
"""
