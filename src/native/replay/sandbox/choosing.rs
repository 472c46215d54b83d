//! Fences that this machine offers. Each is tried, not guessed from versions: containers, kernel
//! settings and security modules forbid them in too many ways.

use super::SandboxError;
use super::kind::SandboxKind;
use super::run::Sandbox;

/// The kinds that work here, the strongest first, and why the others do not.
pub fn available() -> (Vec<SandboxKind>, Vec<String>) {
    let mut kinds = Vec::new();
    let mut reasons = Vec::new();
    for kind in SandboxKind::FENCES {
        let tried = Sandbox::new(kind).and_then(|sandbox| sandbox.probe());
        match tried {
            Ok(()) => kinds.push(kind),
            Err(error) => reasons.push(format!("{}: {error}", kind.name())),
        }
    }
    (kinds, reasons)
}

/// The strongest kind that works here.
pub fn choose() -> Result<Sandbox, SandboxError> {
    let mut reasons = Vec::new();
    for kind in SandboxKind::FENCES {
        let sandbox = Sandbox::new(kind);
        let tried = sandbox.and_then(|sandbox| sandbox.probe().map(|()| sandbox));
        match tried {
            Ok(sandbox) => return Ok(sandbox),
            Err(error) => reasons.push(format!("{}: {error}", kind.name())),
        }
    }
    let reasons = reasons.join("; ");
    Err(SandboxError::Unavailable { reasons })
}
