//! Fences that this machine offers. Each is tried, not guessed from versions: containers, kernel
//! settings and security modules forbid them in too many ways.

use super::{Sandbox, SandboxError};

/// How a program is fenced in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SandboxKind {
    /// Namespaces made by root.
    RootNamespaces,
    /// Namespaces of an unprivileged user.
    UserNamespaces,
    /// Landlock and seccomp.
    Landlock,
    /// Limits and the other user only. Never chosen by itself.
    None,
}

impl SandboxKind {
    /// All that fence, the strongest first.
    pub const FENCES: [SandboxKind; 3] = [
        SandboxKind::RootNamespaces,
        SandboxKind::UserNamespaces,
        SandboxKind::Landlock,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SandboxKind::RootNamespaces => "namespaces",
            SandboxKind::UserNamespaces => "user namespaces",
            SandboxKind::Landlock => "landlock and seccomp",
            SandboxKind::None => "none",
        }
    }

    /// True if the program runs as nobody for the host too (as root). In a user namespace it only
    /// looks so.
    pub(super) fn changes_user(self) -> bool {
        matches!(self, SandboxKind::RootNamespaces | SandboxKind::Landlock)
    }

    pub(in crate::native::replay) fn has_namespaces(self) -> bool {
        matches!(
            self,
            SandboxKind::RootNamespaces | SandboxKind::UserNamespaces
        )
    }
}

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
