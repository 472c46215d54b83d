//! Blocks that another family frees than allocated them: `new[]` and `delete`.
//!
//! Invariant: only certain mismatches are reported. The call at the allocation tells which function
//! made a block; if it tells several families, or none, there is no report. Natively such a program
//! continues, so the path does too.

use super::BuiltinCall;
use crate::memory::AllocationSite;
use crate::outcome::{BugKind, Termination};
use crate::state::Decision;
use homi_config::Weakness;
use homi_ir::program::{Callee, Inst};

/// Families of allocation functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Malloc,
    New,
    NewArray,
}

impl Family {
    fn of_maker(name: &str) -> Option<Self> {
        match name {
            "malloc" | "calloc" | "realloc" | "reallocarray" | "aligned_alloc" | "memalign"
            | "valloc" => Some(Family::Malloc),
            name if name.starts_with("_Znw") => Some(Family::New),
            name if name.starts_with("_Zna") => Some(Family::NewArray),
            _ => None,
        }
    }

    fn of_freer(name: &str) -> Option<Self> {
        match name {
            "free" => Some(Family::Malloc),
            name if name.starts_with("_Zdl") => Some(Family::New),
            name if name.starts_with("_Zda") => Some(Family::NewArray),
            _ => None,
        }
    }

    fn maker(self) -> &'static str {
        match self {
            Family::Malloc => "malloc",
            Family::New => "new",
            Family::NewArray => "new[]",
        }
    }

    fn freer(self) -> &'static str {
        match self {
            Family::Malloc => "free",
            Family::New => "delete",
            Family::NewArray => "delete[]",
        }
    }
}

/// Reports a bug before a block is freed, if another family of functions allocated it.
pub(super) fn compare(call: &mut BuiltinCall<'_, '_, '_>, address: u64) -> Result<(), Termination> {
    let checks = call.prepared.config.dialect.checks_allocation_families();
    if !call.prepared.has_new || !checks {
        return Ok(());
    }
    let object = call.state.memory.owner(address);
    let object = object.filter(|object| object.base == address);
    let (Some(object), Some(freer)) = (object, Family::of_freer(call.name)) else {
        return Ok(());
    };
    let maker = made_by(call, &object.site);
    let Some(maker) = maker.filter(|maker| *maker != freer) else {
        return Ok(());
    };
    call.deepen()?;
    let (made, freed) = (maker.maker(), freer.freer());
    let message = format!("memory error: a block of {made} is freed by {freed}");
    let described = format!("object: {}", call.prepared.describe(&object));
    let mut bug = call.bug_with(BugKind::Free, message, [described]);
    if let Termination::Bug(bug) = &mut bug {
        bug.weakness = Weakness::MismatchedFree;
    }
    let mut sibling = call.fork_state();
    sibling.ending = Some(Box::new(bug));
    sibling.decisions.push(Decision::Check { bug: true });
    call.state.decisions.push(Decision::Check { bug: false });
    call.siblings.push(sibling);
    Ok(())
}

fn made_by(call: &BuiltinCall<'_, '_, '_>, site: &AllocationSite) -> Option<Family> {
    let AllocationSite::Instruction { function, location } = site else {
        return None;
    };
    let program = call.program();
    let function = program.function(*function);
    let mut found = None;
    let here = function.code.iter().zip(&function.locations);
    for (inst, _) in here.filter(|(_, own)| *own == location) {
        let Inst::Call { site } = inst else {
            continue;
        };
        let Callee::Direct(callee) = function.calls[*site as usize].callee else {
            return None;
        };
        let Some(family) = Family::of_maker(&program.function(callee).name) else {
            continue;
        };
        if found.is_some_and(|other| other != family) {
            return None;
        }
        found = Some(family);
    }
    found
}
