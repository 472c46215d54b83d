//! The program's own modules as one, linked as a native linker would link them.
//!
//! Invariant: parts of the program come first, in their order; archives follow in theirs, and a
//! member only if it defines what is missing by then; then shared objects, whose definitions give
//! way to the program's; last the members of archives that the native link did not need. Two
//! definitions of one name are an error that names both files. If a native linker accepted both,
//! homi takes the first and warns.

use super::super::c_api::{LLVMLinkage, LLVMVisibility, ModuleRef, Value};
use super::super::load::{Event, OnRead};
use super::super::read::error::LoadError;
use super::super::read::inputs::{Inputs, ModuleSource, Role};
use super::super::read::line::Symbolic;
use super::super::read::modules::{link, read_module};
use super::copies;
use super::definitions::{definitions, give_up, is_definition, make_internal, symbols, yield_to};
use super::native;
use inkwell::context::Context;
use inkwell::module::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A program's module, with warnings about its link.
pub struct Joined<'c> {
    pub module: Module<'c>,
    /// Names that no module defines where they stand first, and the module that refers to each.
    pub wanted_by: BTreeMap<String, String>,
    /// Differences from the native link.
    pub warnings: Vec<String>,
    /// Names of the native program's constructors, in the order in which they run.
    pub constructors: Vec<String>,
}

/// Reads and links all modules; what starts at `entry` is looked for in archives too.
pub fn read_program<'c>(
    context: &'c Context,
    inputs: &Inputs,
    entry: &str,
    on_read: OnRead<'_>,
) -> Result<Joined<'c>, LoadError> {
    let mut join = Join::new(context, inputs, inputs.libraries() + 1);
    for source in with_role(inputs, Role::Program) {
        let module = read_reporting(context, source, &mut *on_read)?;
        join.add(source, module)?;
    }
    join.add_archives(entry, &mut *on_read)?;
    join.finish();
    let started = inputs.starting_order();
    for (number, started) in started.into_iter().enumerate() {
        let mut library = Join::new(context, inputs, started + 1);
        for source in with_role(inputs, Role::Library(number)) {
            let module = read_reporting(context, source, &mut *on_read)?;
            library.add(source, module)?;
        }
        library.finish();
        join.add_library(library)?;
    }
    let rest = with_role(inputs, Role::Rest).map(|source| (source, None));
    join.add_members(&mut rest.collect(), entry, &mut *on_read)?;
    join.into_program(entry)
}

fn with_role(inputs: &Inputs, role: Role) -> impl Iterator<Item = &ModuleSource> {
    let modules = inputs.modules.iter();
    modules.filter(move |source| source.role == role)
}

/// Reads a module, telling before and after.
pub(crate) fn read_reporting<'c>(
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
    inputs: &'i Inputs,
    /// Place in the order in which executable and shared objects start, from 1.
    started: usize,
    whole: Option<Module<'c>>,
    /// For messages about two definitions.
    linked: Vec<&'i ModuleSource>,
    /// The first module that refers to a name without defining it.
    wanted_by: BTreeMap<String, String>,
    /// Names with a definition that no other replaces, and the module that has it.
    strong: BTreeMap<String, &'i str>,
    warnings: Vec<String>,
}

impl<'c, 'i> Join<'c, 'i> {
    fn new(context: &'c Context, inputs: &'i Inputs, started: usize) -> Self {
        Self {
            context,
            inputs,
            started,
            whole: None,
            linked: Vec::new(),
            wanted_by: BTreeMap::new(),
            strong: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    fn add(&mut self, source: &'i ModuleSource, module: Module<'c>) -> Result<(), LoadError> {
        self.prepare(source, handle(&module));
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

    /// Takes of a module what the native link took, if that is known.
    fn prepare(&mut self, source: &'i ModuleSource, module: ModuleRef) {
        let mut numbers = self.inputs.modules.iter();
        let number = numbers.position(|other| std::ptr::eq(other, source));
        native::mark_module(module, self.started, number.unwrap_or(usize::MAX));
        let Some(link) = source.link.and_then(|link| self.inputs.links.get(link)) else {
            return;
        };
        let part = source.part.and_then(|part| link.parts.get(part));
        native::follow_link(module, link, part);
        let mut twice = BTreeSet::new();
        for name in native::strong_definitions(module) {
            match self.strong.get(&name) {
                None => {
                    self.strong.insert(name, &source.name);
                }
                Some(first) => {
                    let second = &source.name;
                    self.warnings.push(format!(
                        "{name}: both {first} and {second} define it, and homi takes the first"
                    ));
                    twice.insert(name);
                }
            }
        }
        give_up(module, &twice);
    }

    /// Gives the symbols that the link's command defines their values.
    fn finish(&self) {
        let (Some(whole), Some(first)) = (&self.whole, self.linked.first()) else {
            return;
        };
        if let Some(link) = first.link.and_then(|link| self.inputs.links.get(link)) {
            native::define(handle(whole), &link.options.definitions);
        }
    }

    /// Members of archives that define what is missing: of one archive after the other, as long as
    /// there are any.
    fn add_archives(&mut self, entry: &str, on_read: OnRead<'_>) -> Result<(), LoadError> {
        let mut archives: Vec<Members<'c, 'i>> = (0..self.inputs.archives())
            .map(|number| {
                let members = with_role(self.inputs, Role::Member(number));
                members.map(|source| (source, None)).collect()
            })
            .collect();
        loop {
            let before = self.linked.len();
            for members in &mut archives {
                self.add_members(members, entry, &mut *on_read)?;
            }
            if self.linked.len() == before {
                return Ok(());
            }
        }
    }

    /// Members that define what is missing, until none does.
    fn add_members(
        &mut self,
        members: &mut Members<'c, 'i>,
        entry: &str,
        on_read: OnRead<'_>,
    ) -> Result<(), LoadError> {
        while let Some(index) = self.needed(members, entry, &mut *on_read)? {
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
        members: &mut Members<'c, 'i>,
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
            let defines = !definitions(handle(&read)).is_disjoint(&missing);
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
        let defined = definitions(handle(whole));
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
        let known = source.link.and_then(|link| self.inputs.links.get(link));
        let symbolic = known.map_or(Symbolic::No, |link| link.options.symbolic);
        let others = definitions(handle(whole));
        for value in symbols(handle(&module)) {
            let name = value.name();
            if !is_definition(value) || name.starts_with("llvm.") {
                continue;
            }
            let is_own = exports.is_some_and(|exports| !exports.contains(&name));
            let is_function = handle(&module).function(&name).is_some();
            let stays_inside = symbolic == Symbolic::All
                || symbolic == Symbolic::Functions && is_function
                || value.visibility() == LLVMVisibility::LLVMProtectedVisibility;
            if value.is_hidden() || is_own || stays_inside && others.contains(&name) {
                make_internal(value);
            }
        }
        check_pointers(whole, &module, &source.name)?;
        let own = definitions(handle(&module));
        let hidden = |value: &Value| value.is_hidden() && own.contains(&value.name());
        let of_others = symbols(handle(whole)).into_iter();
        of_others
            .filter(|value| is_definition(*value) && hidden(value))
            .for_each(make_internal);
        yield_to(handle(&module), handle(whole));
        link(whole, module, Path::new(&source.name))
    }

    /// The whole program, if there is one.
    fn into_program(self, entry: &str) -> Result<Joined<'c>, LoadError> {
        let Some(module) = self.whole else {
            return Err(nothing(self.inputs, entry));
        };
        copies::call_program_copies(handle(&module));
        let mut warnings = self.warnings;
        warnings.extend(native::differences(handle(&module), self.inputs));
        let first = self.linked.first().and_then(|source| source.link);
        let link = first.and_then(|link| self.inputs.links.get(link));
        Ok(Joined {
            module,
            wanted_by: self.wanted_by,
            warnings,
            constructors: link
                .map(|link| link.constructors.clone())
                .unwrap_or_default(),
        })
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
            module.is_ok_and(|module| definitions(handle(&module)).contains(symbol))
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

/// Members of an archive, each with its module if it was read.
type Members<'c, 'i> = Vec<(&'i ModuleSource, Option<Module<'c>>)>;

/// The error for inputs that define no program.
fn nothing(inputs: &Inputs, entry: &str) -> LoadError {
    let Some(source) = inputs.modules.first() else {
        return LoadError::NoInput;
    };
    LoadError::NoEntry {
        path: source.path.clone(),
        entry: entry.to_string(),
        candidates: "none of the archive's members defines it: give homi the object that does, \
                     before the archive"
            .to_string(),
        is_fuzz_driver: false,
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
