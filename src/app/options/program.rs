//! The program and its surroundings.

use super::declare::Declared;
use super::fill::options;
use super::row::{Heading, Paths};
use super::value::{flag, number, path, text, texts, word};
use crate::config::{LibcChoice, ORDINARY_USER, ProgramConfig};
use std::path::PathBuf;

options! {
    /// The options of [`ProgramConfig`].
    Program fills ProgramConfig with { inputs: Vec<PathBuf>, arguments: Vec<String> };

    /// Function to start with
    entry: String = text("entry-point", "NAME")
        .default("main".to_string())
        .heading(Heading::Program);

    /// C library: auto links musl if the program calls functions that it does not define
    libc: LibcChoice = word("libc")
        .default(LibcChoice::Auto)
        .heading(Heading::Program);

    /// Where the libc and kernel bitcode are
    runtime_dir: Option<PathBuf> = path("runtime-dir", "DIR")
        .paths(Paths::Whole)
        .heading(Heading::Program);

    /// Directory whose files the program sees, read only; beside them there are some devices, /tmp,
    /// and /etc with a few accounts
    files_dir: PathBuf = path("run-in-dir", "DIR")
        .depends("the current directory", |_| PathBuf::from("."))
        .paths(Paths::Whole)
        .heading(Heading::Program);

    /// The program's environment: a file of NAME=value lines
    env_file: Option<PathBuf> = path("env-file", "FILE")
        .paths(Paths::Whole)
        .heading(Heading::Program);

    /// Number of the user, and of the group, that the program runs as, whoever runs homi. The files
    /// that it sees are that user's; 0 is root, whom no permission stops
    user: u32 = number("user", "ID")
        .default(ORDINARY_USER)
        .heading(Heading::Program);

    /// Let another function of the program stand for a function: NAME:OTHER, where NAME may be a
    /// regular expression that matches whole names; repeatable
    aliases: Vec<String> = texts("function-alias", "NAME:OTHER").heading(Heading::Program);

    /// Let a switch test one case after the other, so that cases with one target have a path each
    simple_switches: bool = flag("simple-switches")
        .heading(Heading::Program)
        .hidden();
}
