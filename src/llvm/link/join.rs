//! The program's own modules as one, linked as a native linker would link them.
//!
//! Invariant: parts of the program come first, in their order; a member of an archive only if it
//! defines what is missing by then; a shared object last, and its definitions give way to the
//! program's. Two definitions of one name in the program are an error that names both files.

use super::super::c_api::{LLVMLinkage, ModuleRef};
use super::super::load::{Event, OnRead, is_definition, is_visible, symbols, yield_to_program};
use super::super::read::error::LoadError;
use super::super::read::inputs::{Inputs, ModuleSource, Role};
use super::super::read::modules::{link, read_module};
use inkwell::context::Context;
use inkwell::module::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A program's module, and who asks for what.
pub struct Joined<'c> {
    pub module: Module<'c>,
    /// Names that no module defines where they stand first, and the module that refers to each.
    pub wanted_by: BTreeMap<String, String>,
}

/// Reads and links all modules; what starts at `entry` is looked for in archives too.
pub fn read_program<'c>(
    context: &'c Context,
    inputs: &Inputs,
    entry: &str,
    on_read: OnRead<'_>,
) -> Result<Joined<'c>, LoadError> {
    let mut join = Join::new(context);
    for source in with_role(inputs, Role::Program) {
        let module = read_reporting(context, source, &mut *on_read)?;
        join.add(source, module)?;
    }
    let members = with_role(inputs, Role::Member).map(|source| (source, None));
    let members = members.collect();
    join.add_members(members, entry, &mut *on_read)?;
    for number in 0..inputs.libraries() {
        let mut library = Join::new(context);
        for source in with_role(inputs, Role::Library(number)) {
            let module = read_reporting(context, source, &mut *on_read)?;
            library.add(source, module)?;
        }
        join.add_library(library)?;
    }
    let wanted_by = join.wanted_by;
    let joined = join.whole.map(|module| Joined { module, wanted_by });
    joined.ok_or_else(|| match inputs.modules.first() {
        Some(source) => LoadError::NoEntry {
            path: source.path.clone(),
            entry: entry.to_string(),
            candidates: "none of the archive's members defines it: give homi the object that does, before the archive".to_string(),
            is_fuzz_driver: false,
        },
        None => LoadError::NoInput,
    })
}

fn with_role(inputs: &Inputs, role: Role) -> impl Iterator<Item = &ModuleSource> {
    let modules = inputs.modules.iter();
    modules.filter(move |source| source.role == role)
}

/// Reads a module, telling before and after.
pub(in crate::llvm) fn read_reporting<'c>(
    context: &'c Context,
    source: &ModuleSource,
    on_read: OnRead<'_>,
) -> Result<Module<'c>, LoadError> {
    on_read(Event::Reading(&source.path));
    let module = read_module(context, source);
    on_read(Event::Read);
    module
}

/// Modules that are linked so far.
struct Join<'c, 'i> {
    context: &'c Context,
    whole: Option<Module<'c>>,
    /// For messages about two definitions.
    linked: Vec<&'i ModuleSource>,
    /// The first module that refers to a name without defining it.
    wanted_by: BTreeMap<String, String>,
}

impl<'c, 'i> Join<'c, 'i> {
    fn new(context: &'c Context) -> Self {
        Self {
            context,
            whole: None,
            linked: Vec::new(),
            wanted_by: BTreeMap::new(),
        }
    }

    fn add(&mut self, source: &'i ModuleSource, module: Module<'c>) -> Result<(), LoadError> {
        let declared = symbols(handle(&module)).into_iter();
        for value in declared.filter(|value| value.is_declaration()) {
            let wanted = self.wanted_by.entry(value.name());
            wanted.or_insert_with(|| compiled_from(source, &module));
        }
        if let Some(whole) = &self.whole {
            check_pointers(whole, &module, &source.name)?;
        }
        match &self.whole {
            None => self.whole = Some(module),
            Some(whole) => link(whole, module, Path::new(&source.name))
                .map_err(|error| self.explain(error, source))?,
        }
        self.linked.push(source);
        Ok(())
    }

    /// Members that define what is missing, until none does.
    fn add_members(
        &mut self,
        mut members: Vec<(&'i ModuleSource, Option<Module<'c>>)>,
        entry: &str,
        on_read: OnRead<'_>,
    ) -> Result<(), LoadError> {
        while let Some(index) = self.needed(&mut members, entry, &mut *on_read)? {
            if let (source, Some(module)) = members.remove(index) {
                self.add(source, module)?;
            }
        }
        Ok(())
    }

    /// Returns the first member that defines a missing name, read. A member is read if its machine
    /// code defines such a name, or if that is unknown.
    fn needed(
        &self,
        members: &mut [(&'i ModuleSource, Option<Module<'c>>)],
        entry: &str,
        on_read: OnRead<'_>,
    ) -> Result<Option<usize>, LoadError> {
        let missing = self.missing(entry);
        for (index, (source, module)) in members.iter_mut().enumerate() {
            let names = source.defines.as_ref();
            if names.is_some_and(|names| names.is_disjoint(&missing)) {
                continue;
            }
            let read = match module.take() {
                Some(read) => read,
                None => read_reporting(self.context, source, &mut *on_read)?,
            };
            let defines = !definitions(&read).is_disjoint(&missing);
            *module = Some(read);
            if defines {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Names that something refers to and nothing defines; weak references ask for nothing.
    fn missing(&self, entry: &str) -> BTreeSet<String> {
        let Some(whole) = &self.whole else {
            return BTreeSet::from([entry.to_string()]);
        };
        let defined = definitions(whole);
        let mut missing = BTreeSet::new();
        for value in symbols(handle(whole)) {
            if value.is_declaration() && value.linkage() != LLVMLinkage::LLVMExternalWeakLinkage {
                missing.insert(value.name());
            }
        }
        if !defined.contains(entry) {
            missing.insert(entry.to_string());
        }
        missing
    }

    /// A shared object, in which what others cannot see is its own.
    fn add_library(&mut self, library: Join<'c, 'i>) -> Result<(), LoadError> {
        for (name, wanted_by) in library.wanted_by {
            self.wanted_by.entry(name).or_insert(wanted_by);
        }
        let (Some(module), Some(source)) = (library.whole, library.linked.first()) else {
            return Ok(());
        };
        let Some(whole) = &self.whole else {
            self.whole = Some(module);
            return Ok(());
        };
        let exports = source.defines.as_ref();
        let is_private = |name: &String| exports.is_some_and(|exports| !exports.contains(name));
        for value in symbols(handle(&module)) {
            let own = value.is_hidden() || is_private(&value.name());
            if own && is_definition(value) && !value.name().starts_with("llvm.") {
                value.drop_comdat();
                value.set_linkage(LLVMLinkage::LLVMInternalLinkage);
            }
        }
        check_pointers(whole, &module, &source.name)?;
        yield_to_program(handle(&module), handle(whole));
        link(whole, module, Path::new(&source.name))
    }

    /// Names both files in an error about two definitions of a name.
    fn explain(&self, error: LoadError, second: &ModuleSource) -> LoadError {
        let LoadError::Link { reason, .. } = &error else {
            return error;
        };
        let quoted = reason.split('\'').nth(1);
        let Some(symbol) = quoted.filter(|_| reason.contains("multiply defined")) else {
            return error;
        };
        let first = self.linked.iter().find(|source| {
            let module = read_module(self.context, source);
            module.is_ok_and(|module| definitions(&module).contains(symbol))
        });
        match first {
            Some(first) => LoadError::Duplicate {
                symbol: symbol.to_string(),
                first: PathBuf::from(&first.name),
                second: PathBuf::from(&second.name),
            },
            None => error,
        }
    }
}

/// Modules of one program have pointers of one width.
fn check_pointers(whole: &Module<'_>, next: &Module<'_>, name: &str) -> Result<(), LoadError> {
    let bytes = |module: &Module<'_>| handle(module).data_layout().pointer_bytes();
    match bytes(next) {
        wanted if wanted == bytes(whole) => Ok(()),
        bytes => Err(LoadError::OtherPointers {
            path: PathBuf::from(name),
            bits: 8 * bytes,
        }),
    }
}

/// The source that a module was compiled from; the file or member where no one source is known.
fn compiled_from(source: &ModuleSource, module: &Module<'_>) -> String {
    match module.get_source_file_name().to_str() {
        Ok("" | "-" | "llvm-link") | Err(_) => source.short_name(),
        Ok(name) => name.to_string(),
    }
}

/// A handle that must not outlive the module.
fn handle(module: &Module<'_>) -> ModuleRef {
    // SAFETY: the module is live; callers use the handle while they hold the reference only.
    unsafe { ModuleRef::from_raw(module.as_mut_ptr()) }
}

/// Names that a module defines for others.
fn definitions(module: &Module<'_>) -> BTreeSet<String> {
    let values = symbols(handle(module)).into_iter();
    values
        .filter(|value| is_definition(*value) && is_visible(value.linkage()))
        .map(|value| value.name())
        .collect()
}
