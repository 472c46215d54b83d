//! B(t) by `homi replay --gcov`: the tests of a run are written to a private directory and replayed
//! there.

use anyhow::Context;
use homi_native::replay;
use homi_native::replay::{ReplayOptions, Status};
use homi_report::gcov::GcovProgram;
use homi_strategies::campaign::NativeCoverage;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A native test is ended after this time, as the paper's replays are.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Replays tests on a program built by `gcc --coverage`.
#[derive(Clone)]
pub(super) struct GcovReplay {
    exe: PathBuf,
}

impl GcovReplay {
    /// Fails, before anything runs, if the program has no gcov notes.
    pub(super) fn new(exe: &Path) -> anyhow::Result<Self> {
        let shown = exe.display();
        let exe = exe
            .canonicalize()
            .with_context(|| format!("--coverage gcov={shown}"))?;
        GcovProgram::open(&exe).with_context(|| format!("--coverage gcov={shown}"))?;
        Ok(Self { exe })
    }

    fn replay(&self, tests: &[&[u8]]) -> anyhow::Result<Vec<Vec<u32>>> {
        let directory = tempfile::tempdir().context("no temporary directory")?;
        let mut files = Vec::with_capacity(tests.len());
        for (number, bytes) in tests.iter().enumerate() {
            let file = directory.path().join(format!("test{number:06}.ktest"));
            std::fs::write(&file, bytes)?;
            files.push(file);
        }
        let mut options = ReplayOptions {
            exe: self.exe.clone(),
            tests: files.clone(),
            gcov: true,
            ..ReplayOptions::default()
        };
        options.limits.timeout = TIMEOUT;
        let mut taken = vec![Vec::new(); tests.len()];
        let (mut ran, mut refused) = (false, None);
        replay::run(&options, &mut |result| {
            match &result.status {
                Status::Ended(_) => ran = true,
                Status::Error(reason) => refused = Some(reason.clone()),
            }
            if let Some(number) = files.iter().position(|file| *file == result.test)
                && let Some(counts) = &result.counts
            {
                taken[number].clone_from(&counts.taken);
            }
            Ok(())
        })?;
        match refused {
            Some(reason) if !ran => anyhow::bail!("{reason}"),
            _ => Ok(taken),
        }
    }
}

impl NativeCoverage for GcovReplay {
    fn branches(&mut self, tests: &[&[u8]]) -> Result<Vec<Vec<u32>>, String> {
        self.replay(tests).map_err(|error| format!("{error:#}"))
    }
}
