//! Calls of the executor's functions that look at what threads do: before accesses of memory and
//! around synchronisation, where races are looked for (`--checks race`), and before what orders
//! threads, where others may run in between (`--max-preemptions`).
//!
//! Invariant: where `Roots::watch` asks for nothing, nothing here emits an instruction. Only the
//! program's own code is watched: the C library's locks are known by the names of its functions.

use super::Unsupported;
use super::function::Body;
use crate::c_api::{LLVMOpcode, Value};
use homi_ir::program::{Slot, watch};

/// Effect of a C library function on the order of threads.
struct Synchronisation {
    names: &'static [&'static str],
    /// Index of the argument that is the object.
    object: u32,
    releases: bool,
    acquires: Acquires,
}

/// When the caller sees what others did before they released the object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Acquires {
    Never,
    Always,
    /// If the function returns 0.
    OnSuccess,
    /// The thread that the argument names has ended.
    End,
}

const SYNCHRONISATION: &[Synchronisation] = &[
    Synchronisation {
        names: &[
            "pthread_mutex_lock",
            "pthread_spin_lock",
            "pthread_rwlock_rdlock",
            "pthread_rwlock_wrlock",
            "mtx_lock",
        ],
        object: 0,
        releases: false,
        acquires: Acquires::Always,
    },
    Synchronisation {
        names: &[
            "pthread_mutex_trylock",
            "pthread_mutex_timedlock",
            "pthread_mutex_clocklock",
            "pthread_spin_trylock",
            "pthread_rwlock_tryrdlock",
            "pthread_rwlock_trywrlock",
            "pthread_rwlock_timedrdlock",
            "pthread_rwlock_timedwrlock",
            "mtx_trylock",
            "mtx_timedlock",
            "sem_wait",
            "sem_trywait",
            "sem_timedwait",
        ],
        object: 0,
        releases: false,
        acquires: Acquires::OnSuccess,
    },
    Synchronisation {
        names: &[
            "pthread_mutex_unlock",
            "pthread_spin_unlock",
            "pthread_rwlock_unlock",
            "mtx_unlock",
            "sem_post",
        ],
        object: 0,
        releases: true,
        acquires: Acquires::Never,
    },
    Synchronisation {
        names: &[
            "pthread_cond_wait",
            "pthread_cond_timedwait",
            "cnd_wait",
            "cnd_timedwait",
        ],
        object: 1,
        releases: true,
        acquires: Acquires::Always,
    },
    Synchronisation {
        names: &["pthread_barrier_wait"],
        object: 0,
        releases: true,
        acquires: Acquires::Always,
    },
    Synchronisation {
        names: &["pthread_join", "thrd_join"],
        object: 0,
        releases: false,
        acquires: Acquires::End,
    },
];

/// Further functions before which other threads may run.
const FURTHER_POINTS: &[&str] = &[
    "pthread_create",
    "thrd_create",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "cnd_signal",
    "cnd_broadcast",
    "sched_yield",
    "pthread_yield",
    "thrd_yield",
    "VERIFIER_atomic_begin",
];

/// Functions that end the process.
const ENDS: &[&str] = &["exit", "_exit", "_Exit", "quick_exit"];

/// Prefix of the names of functions that run without a switch of threads, by the rules of SV-COMP;
/// without the underscores before it.
const ATOMIC: &str = "VERIFIER_atomic_";

/// Returns true if a function is an atomic section, and not one of the two that mark a section.
fn is_atomic_section(name: &str) -> bool {
    let rest = name.strip_prefix(ATOMIC);
    rest.is_some_and(|rest| rest != "begin" && rest != "end")
}

impl Body<'_, '_> {
    /// Before an instruction of the program's own code.
    pub fn watch_instruction(&mut self, inst: Value) -> Result<(), Unsupported> {
        use LLVMOpcode as Op;
        if !self.is_watched {
            return Ok(());
        }
        let (address, value, is_write) = match inst.opcode() {
            Op::LLVMLoad => (inst.operand(0), None, false),
            Op::LLVMStore => (inst.operand(1), Some(inst.operand(0)), true),
            Op::LLVMAtomicRMW => (inst.operand(0), None, true),
            Op::LLVMAtomicCmpXchg => (inst.operand(0), Some(inst.operand(1)), true),
            Op::LLVMFence => return self.watch_fence(inst),
            Op::LLVMRet if self.function.name() == "main" => {
                self.point_of_end();
                return Ok(());
            }
            _ => return Ok(()),
        };
        let order = inst.memory_order();
        if order.is_atomic {
            self.point_of_preemption();
        }
        let ty = value.map_or(inst.ty(), Value::ty);
        let size = self.module.types.layout.allocation_size(ty);
        let flags = [
            (is_write, watch::WRITES),
            (order.is_atomic, watch::IS_ATOMIC),
            (order.acquires, watch::ACQUIRES),
            (order.releases, watch::RELEASES),
        ];
        let kind = flags
            .iter()
            .filter(|flag| flag.0)
            .map(|flag| u128::from(flag.1))
            .sum();
        let address = self.scalar(address)?;
        let size = self.int(64, size.into());
        let kind = self.int(64, kind);
        self.watch_call("homi_watch_access", &[address, size, kind]);
        Ok(())
    }

    /// A fence orders as an object does that every fence acquires and releases.
    fn watch_fence(&mut self, inst: Value) -> Result<(), Unsupported> {
        self.point_of_preemption();
        let order = inst.memory_order();
        let nowhere = self.int(64, 0);
        if order.acquires {
            self.watch_call("homi_watch_acquire", &[nowhere]);
        }
        if order.releases {
            self.watch_call("homi_watch_release", &[nowhere]);
        }
        Ok(())
    }

    /// Before a call of a function that is known by name.
    pub fn watch_call_of(&mut self, inst: Value, name: &str) -> Result<(), Unsupported> {
        if !self.is_watched {
            return Ok(());
        }
        let known = synchronisation(name);
        if known.is_some() || FURTHER_POINTS.contains(&name) {
            self.point_of_preemption();
        }
        if ENDS.contains(&name) {
            self.point_of_end();
        }
        if is_atomic_section(name) {
            self.point_of_preemption();
            self.call_of_words("homi_atomic_begin", &[]);
        }
        if let Some(known) = known.filter(|known| known.releases) {
            let object = self.scalar(inst.operand(known.object))?;
            self.watch_call("homi_watch_release", &[object]);
        }
        Ok(())
    }

    /// Behind a call of a function that is known by name.
    pub fn watch_return_from(&mut self, inst: Value, name: &str) -> Result<(), Unsupported> {
        if self.is_watched && is_atomic_section(name) {
            self.call_of_words("homi_atomic_end", &[]);
        }
        let known = synchronisation(name).filter(|_| self.is_watched);
        let Some(known) = known.filter(|known| known.acquires != Acquires::Never) else {
            return Ok(());
        };
        let object = self.scalar(inst.operand(known.object))?;
        match known.acquires {
            Acquires::End => self.watch_call("homi_watch_join", &[object]),
            Acquires::OnSuccess => {
                let result = self.scalar(inst)?;
                let result = self.resize(32, 64, result);
                self.watch_call("homi_watch_acquire", &[object, result]);
            }
            _ => self.watch_call("homi_watch_acquire", &[object]),
        }
        Ok(())
    }

    fn point_of_preemption(&mut self) {
        if self.module.roots.watch.points {
            self.watch_call("homi_preempt_point", &[]);
        }
    }

    /// Before the end of the process, which ends the other threads, wherever they are.
    fn point_of_end(&mut self) {
        self.point_of_preemption();
        self.watch_call("homi_watch_end", &[]);
    }

    /// Calls one of the executor's functions; races are looked for by all but one of them.
    fn watch_call(&mut self, name: &str, words: &[Slot]) {
        let is_point = name == "homi_preempt_point";
        if !is_point && !self.module.roots.watch.accesses {
            return;
        }
        self.call_of_words(name, words);
    }
}

fn synchronisation(name: &str) -> Option<&'static Synchronisation> {
    SYNCHRONISATION
        .iter()
        .find(|known| known.names.contains(&name))
}
