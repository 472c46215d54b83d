//! CMake and Meson with `homi cc`. Where they are not installed, nothing is built, and the test's
//! output says so.

use crate::support::{TestDir, homi, text};
use std::process::Command;

/// False, and said, if a tool is missing.
fn is_there(tools: &[&str]) -> bool {
    tools.iter().all(|tool| {
        let there = Command::new(tool).arg("--version").output().is_ok();
        if !there {
            eprintln!("{tool} is not installed: its build was not tried");
        }
        there
    })
}

impl TestDir {
    /// A command of a build, with homi as its compilers; succeeds.
    fn builds(&self, line: &str) {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let output = Command::new(arguments[0])
            .args(&arguments[1..])
            .current_dir(self.directory.path())
            .env("CC", format!("{} cc", homi().display()))
            .env("CXX", format!("{} c++", homi().display()))
            .output()
            .expect("the build runs");
        let said = super::said(&output) + &text(&output);
        assert!(output.status.success(), "{line}: {said}");
    }
}

#[test]
fn cmake_with_a_static_and_a_shared_library() {
    if !is_there(&["cmake", "make"]) {
        return;
    }
    let place = TestDir::sources();
    for kind in ["STATIC", "SHARED"] {
        place.write(
            "CMakeLists.txt",
            &format!(
                "cmake_minimum_required(VERSION 3.13)\nproject(twice C)\n\
                 add_library(twice {kind} twice.c)\nadd_executable(prog main.c)\n\
                 target_link_libraries(prog twice)\n"
            ),
        );
        place.builds(&format!("cmake -S . -B {kind} -DCMAKE_BUILD_TYPE=Release"));
        place.builds(&format!("cmake --build {kind}"));
        place.explores(&[&format!("{kind}/prog")]);
    }
}

#[test]
fn meson_with_the_linkers_optimiser() {
    if !is_there(&["meson", "ninja"]) {
        return;
    }
    let place = TestDir::sources();
    place.write(
        "meson.build",
        "project('twice', 'c', default_options: ['b_lto=true'])\n\
         twice = static_library('twice', 'twice.c')\n\
         executable('prog', 'main.c', link_with: twice)\n",
    );
    place.builds("meson setup build");
    place.builds("ninja -C build");
    place.explores(&["build/prog"]);
}
