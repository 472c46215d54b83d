//! The malloc family.
//!
//! Invariant: a size that is not concrete becomes so by decisions. Too large a size gives a null pointer on a
//! path of its own; a size with few possible values forks over them; otherwise the largest possible
//! value is taken if it is moderate, because most accesses are legal then, else the model's.

use super::{Entry, Outcome, SpecialCall, always};
use crate::exec::outcome::{BugKind, Termination};
use crate::expr::Term;
use crate::memory::{FreeError, ObjectKind, UNINITIALISED, Value};
use crate::ops::{BinOp, CmpOp};
use crate::solver::Check;
use crate::state::{ConcretiseReason, Decision};

pub(super) const TABLE: &[Entry] = &[
    always("malloc", malloc),
    always("calloc", calloc),
    always("realloc", realloc),
    always("reallocarray", reallocarray),
    always("free", free),
    always("cfree", free),
    always("memalign", memalign),
    always("aligned_alloc", memalign),
    always("posix_memalign", posix_memalign),
    always("valloc", valloc),
    always("malloc_usable_size", malloc_usable_size),
    always("_Znwm", malloc),
    always("_Znam", malloc),
    always("_ZdlPv", free),
    always("_ZdaPv", free),
    always("_ZdlPvm", free),
    always("_ZdaPvm", free),
];

/// Sizes with at most this many possible values fork over all of them.
const FEW_SIZES: u128 = 8;
/// The largest size in bytes that is chosen for a symbolic size.
const MODERATE_SIZE: u128 = 1 << 16;
/// What malloc promises on x86-64, in bytes.
const MALLOC_ALIGN: u64 = 16;

/// A size as a number; `None` if it is more than any object may have.
fn size(call: &mut SpecialCall<'_, '_, '_>, value: Value) -> Result<Option<u64>, Termination> {
    let limit = u128::from(call.config().max_object_size);
    let term = match value {
        Value::Concrete(size) => return Ok((size <= limit).then_some(size as u64)),
        Value::Term(term) => term,
    };
    let terms = call.terms();
    let width = terms.width(term);
    let at_most = |bound: u128| terms.cmp(CmpOp::Ule, term, terms.constant(width, bound));
    let (low, high) = call.bounds(term);
    if low > limit || (high > limit && !call.branch_on(at_most(limit))?) {
        return Ok(None);
    }
    // The bounds so far may be loose; few questions make them exact.
    let low = extreme(call, term, (low, limit), CmpOp::Ult);
    let high = extreme(call, term, (low, limit), CmpOp::Ugt);
    if high - low < FEW_SIZES {
        let example = call.example(term);
        let chosen = call.equals(term, example);
        // The others fork off, one by one.
        let chosen = if call.branch_on(chosen)? {
            example
        } else {
            call.concretise(value, ConcretiseReason::Size)
        };
        return Ok(Some(chosen as u64));
    }
    let chosen = if high <= MODERATE_SIZE {
        high
    } else if low <= MODERATE_SIZE {
        extreme(call, term, (low, MODERATE_SIZE), CmpOp::Ugt)
    } else {
        call.example(term)
    };
    let equal = call.equals(term, chosen);
    if !call.assume(equal)? {
        // Only if the solver gave up on the way to the extreme value.
        return Ok(Some(call.concretise(value, ConcretiseReason::Size) as u64));
    }
    call.state.metrics.concretisations += 1;
    call.observer.concretisations += 1;
    call.state.decisions.push(Decision::Concretised {
        reason: ConcretiseReason::Size,
        value: chosen,
    });
    Ok(Some(chosen as u64))
}

/// The largest (`beyond` is `Ugt`) or smallest (`Ult`) value of a term within a range in which it has
/// one, by bisection; a solver that gives up makes it less extreme, never infeasible.
fn extreme(
    call: &mut SpecialCall<'_, '_, '_>,
    term: Term,
    range: (u128, u128),
    beyond: CmpOp,
) -> u128 {
    let terms = call.terms();
    let width = terms.width(term);
    let constant = |value| terms.constant(width, value);
    let inside = terms.bin(
        BinOp::And,
        terms.cmp(CmpOp::Uge, term, constant(range.0)),
        terms.cmp(CmpOp::Ule, term, constant(range.1)),
    );
    let mut ask = |condition: Term| {
        let context = &mut *call.context;
        let state = &context.state;
        let condition = terms.bin(BinOp::And, inside, condition);
        match context
            .oracle
            .check(terms, &state.path, &state.model, condition)
        {
            Check::Sat(model) => Some(terms.eval(term, &model)),
            _ => None,
        }
    };
    let upwards = beyond == CmpOp::Ugt;
    let Some(mut best) = ask(terms.bool(true)) else {
        return range.0;
    };
    let mut limit = if upwards { range.1 } else { range.0 };
    while best != limit {
        let middle = if upwards {
            best + (limit - best).div_ceil(2) - 1
        } else {
            best - (best - limit).div_ceil(2) + 1
        };
        match ask(terms.cmp(beyond, term, constant(middle))) {
            Some(better) => best = better,
            None => limit = middle,
        }
    }
    best
}

/// A heap pointer as a number; a symbolic one may be null on a path of its own.
fn pointer(call: &mut SpecialCall<'_, '_, '_>, index: usize) -> Result<u64, Termination> {
    match call.arg(index) {
        Value::Concrete(address) => Ok(address as u64),
        Value::Term(term) => {
            let null = call.equals(term, 0);
            if call.branch_on(null)? {
                return Ok(0);
            }
            call.pointer(index, 1, false)
        }
    }
}

/// A new heap object; 0 if there is no room.
fn allocate(call: &mut SpecialCall<'_, '_, '_>, size: Option<u64>, align: u64, fill: u8) -> u64 {
    let site = call.executor.site(call.state);
    let memory = &mut call.state.memory;
    let made =
        size.and_then(|size| memory.allocate_filled(ObjectKind::Heap, size, align, fill, site));
    call.observer.allocations += u64::from(made.is_some());
    made.unwrap_or(0)
}

fn malloc(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(0, 64);
    let size = size(call, asked)?;
    Ok(Outcome::number(allocate(
        call,
        size,
        MALLOC_ALIGN,
        UNINITIALISED,
    )))
}

/// The product of two size arguments, in 128 bits so that it cannot wrap.
fn product(call: &SpecialCall<'_, '_, '_>, first: usize) -> Value {
    let (a, b) = (call.arg_as(first, 128), call.arg_as(first + 1, 128));
    call.values().bin(BinOp::Mul, 128, a, b)
}

fn calloc(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = product(call, 0);
    let size = size(call, asked)?;
    Ok(Outcome::number(allocate(call, size, MALLOC_ALIGN, 0)))
}

fn realloc(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(1, 64);
    resize(call, asked)
}

fn reallocarray(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = product(call, 1);
    resize(call, asked)
}

/// Always moves, so that a pointer kept to the old place is found out. Size 0 frees, as in glibc.
fn resize(call: &mut SpecialCall<'_, '_, '_>, asked: Value) -> Result<Outcome, Termination> {
    let old = pointer(call, 0)?;
    let size = size(call, asked)?;
    if old == 0 {
        return Ok(Outcome::number(allocate(
            call,
            size,
            MALLOC_ALIGN,
            UNINITIALISED,
        )));
    }
    let object = call.state.memory.owner(old);
    let old_size = object
        .filter(|object| object.base == old)
        .map(|object| object.size);
    let (Some(new_size), Some(old_size)) = (size, old_size) else {
        // Too large: the old object stays. No object: freeing says what is wrong.
        if old_size.is_none() {
            release(call, old, "realloc")?;
        }
        return Ok(Outcome::number(0));
    };
    if new_size == 0 {
        release(call, old, "realloc")?;
        return Ok(Outcome::number(0));
    }
    let new = allocate(call, size, MALLOC_ALIGN, UNINITIALISED);
    if new != 0 {
        let kept = old_size.min(new_size);
        let copied = call.state.memory.copy(new, old, kept);
        copied.map_err(|error| call.executor.access_failed(call.state, *error))?;
        release(call, old, "realloc")?;
    }
    Ok(Outcome::number(new))
}

fn free(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let address = pointer(call, 0)?;
    if address != 0 {
        release(call, address, "free")?;
    }
    Ok(Outcome::Void)
}

fn release(
    call: &mut SpecialCall<'_, '_, '_>,
    address: u64,
    function: &str,
) -> Result<(), Termination> {
    let site = call.executor.site(call.state);
    let Err(error) = call.state.memory.free(address, site) else {
        return Ok(());
    };
    let message = match &error {
        FreeError::Interior { .. } | FreeError::Invalid(_) => {
            format!("memory error: invalid pointer: {function}")
        }
        _ => error.to_string(),
    };
    let mut bug = call.executor.bug(call.state, BugKind::Free, message);
    bug.details.push(format!("address: {address:#x}"));
    match error {
        FreeError::Interior { object, offset } => {
            let object = call.executor.describe(&object);
            bug.details.push(format!("{offset} bytes into {object}"));
        }
        FreeError::NotHeap { object }
        | FreeError::Double {
            object: Some(object),
            ..
        } => {
            bug.details
                .push(format!("object: {}", call.executor.describe(&object)));
        }
        FreeError::Invalid(access) => {
            if let Some(below) = access.below {
                bug.details
                    .push(format!("prev: {}", call.executor.describe(&below)));
            }
            if let Some(above) = access.above {
                bug.details
                    .push(format!("next: {}", call.executor.describe(&above)));
            }
        }
        FreeError::Double { object: None, .. } => {}
    }
    Err(Termination::Bug(Box::new(bug)))
}

/// memalign and aligned_alloc.
fn memalign(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(1, 64);
    let size = size(call, asked)?;
    let align = call.number(0);
    if !align.is_power_of_two() {
        return Ok(Outcome::number(0));
    }
    let align = align.max(MALLOC_ALIGN);
    Ok(Outcome::number(allocate(call, size, align, UNINITIALISED)))
}

fn valloc(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(0, 64);
    let size = size(call, asked)?;
    Ok(Outcome::number(allocate(call, size, 4096, UNINITIALISED)))
}

fn posix_memalign(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    const EINVAL: u64 = 22;
    const ENOMEM: u64 = 12;
    let asked = call.arg_as(2, 64);
    let size = size(call, asked)?;
    let target = call.pointer(0, 8, true)?;
    let align = call.number(1);
    if !align.is_power_of_two() || align % 8 != 0 {
        return Ok(Outcome::number(EINVAL));
    }
    let align = align.max(MALLOC_ALIGN);
    let address = allocate(call, size, align, UNINITIALISED);
    if address == 0 {
        return Ok(Outcome::number(ENOMEM));
    }
    call.put_bytes(target, &address.to_le_bytes())?;
    Ok(Outcome::number(0))
}

fn malloc_usable_size(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let address = pointer(call, 0)?;
    if address == 0 {
        return Ok(Outcome::number(0));
    }
    match call.state.memory.locate(address) {
        Ok(object) if object.base == address => Ok(Outcome::number(object.size)),
        Ok(_) => Err(call.bug(
            BugKind::Ptr,
            "memory error: invalid pointer: malloc_usable_size",
        )),
        Err(error) => Err(call.executor.access_failed(call.state, *error)),
    }
}
