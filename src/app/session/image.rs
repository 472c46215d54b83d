//! The native image of a run's program, in which fuzzing tries inputs.

use super::loaded::LoadedProgram;
use homi_llvm::ImageOptions;
use homi_machine::host::ProgramArguments;
use homi_native::image::{Image, ImageRecipe};
use std::sync::Arc;

/// The file of the image in its directory.
const FILE: &str = "image";

/// Returns the image of a run that may use one; it is built when fuzzing wants it. A run with a
/// budget in instructions or work depends on neither time nor compilers, so it has none.
pub(super) fn of_run(
    loaded: &LoadedProgram<'_>,
    arguments: &ProgramArguments,
) -> Option<Arc<Image>> {
    let (config, caller) = (&loaded.config, &loaded.plan.caller);
    let counts_time = config.budget.instructions == 0 && config.budget.time.is_timed();
    let is_wanted = config.search.fuzz && config.search.fuzz_ratio > 0.0 && counts_time;
    if !is_wanted || loaded.load_options.runtime_dir.is_none() {
        return None;
    }
    let builder = caller.executable.clone()?;
    let directory = tempfile::tempdir().ok()?;
    let options = ImageOptions {
        load: loaded.load_options.clone(),
        output: directory.path().join(FILE),
    };
    let branches = loaded.program.branches.iter();
    Some(Arc::new(Image::new(ImageRecipe {
        builder,
        arguments: vec!["__lower".into(), "--image".into()],
        request: serde_json::to_vec(&options).ok()?,
        directory,
        file: FILE,
        program: arguments.clone(),
        sides: branches.map(|branch| branch.sides as usize).sum(),
    })))
}
