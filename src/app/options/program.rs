//! The program and its environment.

use super::declare::Declared;
use super::fill::options;
use super::row::{Heading, Paths};
use super::value::{choice, flag, number, path, text, texts};
use homi_config::{LibcChoice, ORDINARY_USER, ProgramConfig};
use std::path::PathBuf;

options! {
    /// The options of [`ProgramConfig`].
    Program fills ProgramConfig with { inputs: Vec<PathBuf>, arguments: Vec<String> };

    /// Start with this function
    entry: String = text("entry-point", "NAME")
        .default("main".to_string())
        .heading(Heading::Program);

    /// Link this C library
    ///
    /// `auto` links musl if the program calls functions that it does not define.
    libc: LibcChoice = choice("libc")
        .default(LibcChoice::Auto)
        .heading(Heading::Program);

    /// Read the bitcode of libc and kernel from this directory
    runtime_dir: Option<PathBuf> = path("runtime-dir", "DIR")
        .paths(Paths::Whole)
        .heading(Heading::Program);

    /// Let the program see the files of this directory, read only
    ///
    /// The program also sees some devices, /tmp, /etc with a few accounts, and the time zones.
    files_dir: PathBuf = path("run-in-dir", "DIR")
        .depends("the current directory", |_| PathBuf::from("."))
        .paths(Paths::Whole)
        .heading(Heading::Program);

    /// Read the program's environment from a file of NAME=value lines
    env_file: Option<PathBuf> = path("env-file", "FILE")
        .paths(Paths::Whole)
        .heading(Heading::Program);

    /// Run the program as this user and group, independent of the user that runs homi
    ///
    /// The files that the program sees belong to that user. 0 is root, who passes every permission
    /// check.
    user: u32 = number("uid", "ID")
        .default(ORDINARY_USER)
        .heading(Heading::Program);

    /// Call OTHER instead of NAME; repeatable
    ///
    /// Both are functions of the program. NAME may be a regular expression that matches whole
    /// names.
    aliases: Vec<String> = texts("function-alias", "NAME:OTHER").heading(Heading::Program);

    /// Test the cases of a switch one by one, with one path per case
    simple_switches: bool = flag("simple-switches")
        .heading(Heading::Program)
        .of_klee();
}
