//! Runs tests on the natively compiled program, in a sandbox, and counts the branches they take.
//! Owns: what a `.ktest`'s objects mean for a process (arguments, streams, files), the sandbox, the
//! reports. Never: an engine, LLVM, or a guess about a file it cannot read.
//! Data come from `testcase`, go through the sandbox, and end in `coverage` and the report.

pub mod sandbox;
