//! Files that make the kept tests part of a build: people include them.
//!
//! Invariant: the text is a function of the names of the kept tests.

use super::functions::CMOCKA_HEADER;
use anyhow::Context;
use homi_native::kept::kept_in;
use std::fs;
use std::path::Path;

/// Build systems with such a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildSystem {
    Cmake,
    Meson,
    Automake,
}

/// Kept tests of a directory: programs with cases, and functions with a file.
struct Tests {
    programs: Vec<String>,
    functions: Vec<Function>,
}

/// Kept tests of a function.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Function {
    name: String,
    /// True if CMocka runs them.
    needs_cmocka: bool,
}

/// Writes the file of a build system into the directory of the kept tests.
///
/// # Errors
/// Fails if the directory cannot be read, or the file cannot be written.
pub fn register(directory: &Path, system: BuildSystem) -> anyhow::Result<()> {
    let tests = Tests::read(directory)?;
    let (name, text) = match system {
        BuildSystem::Cmake => ("homi.cmake", tests.cmake()),
        BuildSystem::Meson => ("meson.build", tests.meson()),
        BuildSystem::Automake => ("homi.am", tests.automake()),
    };
    let file = directory.join(name);
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

impl Tests {
    fn read(directory: &Path) -> anyhow::Result<Self> {
        let failed = || format!("cannot read {}", directory.display());
        let (mut programs, mut functions) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(directory).with_context(failed)? {
            let path = entry.with_context(failed)?.path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let function = name
                .strip_prefix("test_")
                .and_then(|name| name.strip_suffix(".c"));
            if let Some(function) = function {
                let text = fs::read_to_string(&path).unwrap_or_default();
                functions.push(Function {
                    name: function.to_string(),
                    needs_cmocka: text.contains(CMOCKA_HEADER),
                });
            } else if path.is_dir() && !kept_in(&path)?.is_empty() {
                programs.push(name);
            }
        }
        programs.sort();
        functions.sort();
        Ok(Self {
            programs,
            functions,
        })
    }

    fn cmake(&self) -> String {
        let mut text =
            "# Written by homi keep. Include it below enable_testing() and the targets:\n\
                        #   include(tests/homi/homi.cmake)\n"
                .to_string();
        for name in &self.programs {
            text += &format!(
                "if(TARGET {name})\n  add_test(NAME homi.{name} COMMAND sh \
                 ${{CMAKE_CURRENT_LIST_DIR}}/run.sh $<TARGET_FILE:{name}>)\nendif()\n"
            );
        }
        for Function { name, needs_cmocka } in &self.functions {
            text += &format!(
                "add_executable(homi_test_{name} ${{CMAKE_CURRENT_LIST_DIR}}/test_{name}.c)\n"
            );
            if *needs_cmocka {
                text += &format!("target_link_libraries(homi_test_{name} cmocka)\n");
            }
            text += &format!("add_test(NAME homi.test_{name} COMMAND homi_test_{name})\n");
        }
        text
    }

    fn meson(&self) -> String {
        let mut text = "# Written by homi keep. Use it with subdir('tests/homi'), below the executables, which are in\n\
                        # variables of their names.\n"
            .to_string();
        for name in &self.programs {
            let variable = identifier(name);
            text += &format!(
                "test('homi {name}', find_program('sh'), protocol: 'tap',\n  \
                 args: [files('run.sh'), {variable}])\n"
            );
        }
        for Function { name, needs_cmocka } in &self.functions {
            let (linked, protocol) = if *needs_cmocka {
                (", dependencies: dependency('cmocka')", "")
            } else {
                ("", ", protocol: 'tap'")
            };
            text += &format!(
                "test('homi {name}', executable('homi_test_{name}', 'test_{name}.c'{linked}){protocol})\n"
            );
        }
        text
    }

    fn automake(&self) -> String {
        let names: Vec<String> = self
            .programs
            .iter()
            .map(|name| format!("homi-check-{name}"))
            .collect();
        let functions = self
            .functions
            .iter()
            .map(|function| format!("homi-check-test_{}", function.name));
        let all: Vec<String> = names.into_iter().chain(functions).collect();
        let mut text = format!(
            "# Written by homi keep. Use it with: include $(top_srcdir)/tests/homi/homi.am\n\
             # A Makefile.am with a check-local of its own adds homi-check there.\n\
             check-local: homi-check\nhomi-check: {}\n",
            all.join(" ")
        );
        let place = "$(top_srcdir)/tests/homi";
        for name in &self.programs {
            text += &format!("homi-check-{name}: {name}\n\tsh {place}/run.sh ./{name}\n");
        }
        for Function { name, needs_cmocka } in &self.functions {
            let library = if *needs_cmocka { " -lcmocka" } else { "" };
            text += &format!(
                "homi-check-test_{name}:\n\t$(CC) $(CPPFLAGS) $(CFLAGS) -o homi-test_{name} \
                 {place}/test_{name}.c $(LIBS){library}\n\t./homi-test_{name}\n"
            );
        }
        text + &format!(".PHONY: homi-check {}\n", all.join(" "))
    }
}

/// A name as the name of a variable.
fn identifier(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(letter).collect()
}
