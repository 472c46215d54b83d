//! Kinds of fence around a program.

/// Kind of a program's sandbox.
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

    /// True if the program runs as the unprivileged user on the host, too (if homi is root). In a
    /// user namespace only the program sees this user.
    pub(super) fn changes_user(self) -> bool {
        matches!(self, SandboxKind::RootNamespaces | SandboxKind::Landlock)
    }

    pub(in crate::replay) fn has_namespaces(self) -> bool {
        matches!(
            self,
            SandboxKind::RootNamespaces | SandboxKind::UserNamespaces
        )
    }
}
