//! From the arguments of a command line to the configuration of a run.
//!
//! Invariant: the result is complete and consistent; every value is the typed one, else the resumed
//! campaign's, else the profile's default.

use super::budget::{BudgetOptions, Symbolic};
use super::checks::{self, Checks};
use super::concolic::Concolic;
use super::declare::Declared;
use super::error::OptionError;
use super::function::Function;
use super::merging::Merge;
use super::output::{Output, Solver};
use super::profile::Profile;
use super::program::Program;
use super::property::{self, Asked};
use super::pruning;
use super::requirement::{Fact, Facts, refuse};
use super::run::{Course, Run, RunOptions, Usual};
use super::search::Search;
use super::seeds::Seeds;
use super::situation::Situation;
use super::stubs::Stubs;
use super::subsume::Subsume;
use super::table::{ARGUMENTS, INPUTS, rows};
use super::target::Target;
use super::tests_written::Tests;
use super::triage::Triage;
use clap::ArgMatches;
use homi_config::{
    Budget, BudgetConfig, CampaignConfig, CheckKind, Clock, Dialect, Heuristic, InputLayouts,
    LEAST_MEMORY, QueryLogConfig, RunConfig, SearchConfig, SeedConfig, TargetConfig, TestConfig,
};
use std::path::PathBuf;
use std::time::Duration;

/// Returns the directory of the campaign to resume; [`resolve`] needs its hyper-parameters.
pub fn resumed(typed: &ArgMatches) -> Option<PathBuf> {
    Run::resume().given(typed).flatten()
}

/// Returns the configuration of a command line. `earlier` is the campaign that it resumes.
pub fn resolve(
    typed: &ArgMatches,
    earlier: Option<&CampaignConfig>,
) -> Result<RunConfig, OptionError> {
    let concolic = Concolic::concolic().given(typed).unwrap_or_default();
    resolve_mode(typed, earlier, concolic)
}

/// Returns the configuration of a concolic run for a command without `--concolic`.
pub(super) fn resolve_concolic(typed: &ArgMatches) -> Result<RunConfig, OptionError> {
    resolve_mode(typed, None, true)
}

/// Returns the configuration of a run that is concolic or not, whatever the command's options.
fn resolve_mode(
    typed: &ArgMatches,
    earlier: Option<&CampaignConfig>,
    concolic: bool,
) -> Result<RunConfig, OptionError> {
    let mut situation = Situation {
        profile: Profile::Homi,
        total: Budget::Time(Duration::ZERO),
        wants_paths: false,
        concolic,
        targeted: false,
        earlier,
    };
    let run = Run::resolve(typed, &situation, None);
    situation.profile = run.profile;
    let budget = BudgetOptions::resolve(typed, &situation, None);
    situation.total = budget.time;
    let tests = Tests::resolve(typed, &situation, None);
    let subsume = Subsume::resolve(typed, &situation, None);
    let merge = Merge::resolve(typed, &situation, None);
    let one_run = (subsume.subsume || merge.marked) && !run.says_course();
    situation.wants_paths = wants_paths(&tests) || one_run;
    let target = Target::resolve(typed, &situation, None).into_config();
    situation.targeted = target.is_some();
    let mut concolic = Concolic::resolve(typed, &situation, None);
    concolic.concolic = situation.concolic;
    let search = search(typed, &situation, target);

    let checks = Checks::resolve(typed, &situation, None).into_config();
    let (undefined, races) = (checks.has(CheckKind::Undef), checks.has(CheckKind::Race));
    let symbolic = Symbolic::resolve(typed, &situation, None, undefined, races);
    let output = Output::resolve(typed, &situation, None);
    let course = course(&run, &budget, &situation)?;
    let one_thread = concolic.concolic
        || subsume.subsume
        || merge.marked
        || symbolic.preemptions > 0
        || budget.clock == Clock::Cpu;
    let threads = run.threads(course, budget.time, one_thread);
    let facts = Facts {
        campaign: match course {
            Course::Campaign(kind) => Some(kind),
            Course::Plain | Course::RandomOnce => None,
        },
        prunes_one_run: course == Course::RandomOnce,
        resumed: run.resume.is_some(),
        concolic: concolic.concolic,
        threads: threads > 1,
        search: Search::heuristics().given(typed).is_some(),
        undefined: symbolic.undefined,
        re_execution: concolic.re_execute,
        subsume: subsume.subsume,
        merge: merge.marked,
        target: situation.targeted,
        shows_output: output.show_program_output,
        property: Asked::property().given(typed).is_some(),
        by_profile: run.prune.is_none() && run.restart.is_none() && run.resume.is_none(),
    };
    refuse_another_course(&facts, earlier)?;
    refuse(&rows(), typed, facts)?;
    refuse_values(&budget, &search)?;
    if subsume.subsume {
        checks::refuse_with_subsumption(&checks)?;
    }
    let seeds = Seeds::resolve(typed, &situation, None).into_config()?;
    let mut campaign = match course {
        Course::Campaign(kind) => Some(pruning::campaign(typed, &situation, kind)?),
        Course::Plain | Course::RandomOnce => None,
    };
    if let Some(campaign) = &campaign {
        refuse_mixed_seed_time(&seeds, campaign)?;
    }
    let arguments: Vec<String> = many(typed, ARGUMENTS);
    if let Some(campaign) = &mut campaign
        && campaign.input_layouts == InputLayouts::Auto
        && arguments.is_empty()
    {
        campaign.input_layouts = InputLayouts::Found;
    }
    let program = Program::resolve(typed, &situation, None, many(typed, INPUTS), arguments);
    let asked = Asked::resolve(typed, &situation, None);
    let mut config = RunConfig {
        property: asked.property.clone(),
        witness: asked.witness,
        function: Function::resolve(typed, &situation, None, program.entry.clone()),
        program,
        concolic: concolic.into_config()?,
        seeds,
        subsume: subsume.into_config(),
        merge: merge.into_config(),
        symbolic,
        checks,
        stubs: Stubs::resolve(typed, &situation, None).into_config(),
        solver: Solver::resolve(typed, &situation, None),
        output,
        triage: Triage::resolve(typed, &situation, None, Vec::new()),
        dialect: Dialect::homi(),
        campaign,
        prune: (course == Course::RandomOnce).then(|| pruning::of_one_run(typed, &situation)),
        search,
        budget,
        tests,
        pins_boundaries: false,
        threads,
        check: run.check,
        queries: run.queries,
        query_logs: QueryLogConfig {
            logs: run.query_logs,
            least: run.least_query_time,
        },
        tuning: run.tuning,
        resume: run.resume,
        command: None,
        gcov: run.coverage.program(),
    };
    if let Some(property) = &asked.property {
        property::apply(property, &mut config);
    }
    Ok(config)
}

/// The search. One that goes for lines goes by distances, unless another was named; every other
/// turn is for paths that were rarely gone, since the nearest state may be one that never arrives.
fn search(
    typed: &ArgMatches,
    situation: &Situation<'_>,
    target: Option<TargetConfig>,
) -> SearchConfig {
    let named = Search::heuristics().given(typed).is_some();
    let mut search = Search::resolve(typed, situation, None, target);
    if situation.targeted && !named {
        search.heuristics = vec![Heuristic::Md2u, Heuristic::CpIcnt];
    }
    search
}

fn many<T: Clone + Send + Sync + 'static>(typed: &ArgMatches, id: &str) -> Vec<T> {
    typed
        .get_many::<T>(id)
        .into_iter()
        .flatten()
        .cloned()
        .collect()
}

/// Every path, or path conditions: the search alone, once.
fn wants_paths(tests: &TestConfig) -> bool {
    tests.all || tests.kquery || tests.smt2 || tests.path || tests.sym_path
}

fn course(
    run: &RunOptions,
    budget: &BudgetConfig,
    situation: &Situation<'_>,
) -> Result<Course, OptionError> {
    let bounded = budget.depth != 0 || budget.forks != 0;
    run.course(Usual {
        total: budget.time,
        earlier: situation.earlier.map(|earlier| earlier.kind),
        search_alone: bounded || situation.wants_paths || situation.concolic,
    })
}

/// A campaign gives seeds a part of its runs, and what is left of their time to the next one.
fn refuse_mixed_seed_time(
    seeds: &SeedConfig,
    campaign: &CampaignConfig,
) -> Result<(), OptionError> {
    let are_given = !seeds.files.is_empty() || !seeds.raw.is_empty();
    match seeds.time {
        Some(time) if are_given && !time.same_unit(campaign.run_max) => Err(OptionError(
            "--seed-time, --max-time and --tuning run-time-max must all be times, all be \
                 instructions (suffix i) or all be work (suffix w)"
                .to_string(),
        )),
        _ => Ok(()),
    }
}

/// Refuses to resume a campaign as a single run, or a single run as a campaign.
fn refuse_another_course(
    facts: &Facts,
    earlier: Option<&CampaignConfig>,
) -> Result<(), OptionError> {
    let is_campaign = facts.campaign.is_some();
    match earlier {
        Some(_) if !is_campaign => Err(OptionError(format!(
            "cannot resume: the directory holds a campaign; add {}",
            Fact::Campaign.remedy()
        ))),
        None if facts.resumed && is_campaign => Err(OptionError(
            "cannot resume: the directory holds a single run; leave out --prune and --restart"
                .to_string(),
        )),
        _ => Ok(()),
    }
}

fn refuse_values(budget: &BudgetConfig, search: &SearchConfig) -> Result<(), OptionError> {
    if search.batch_instructions == 0 && search.batch_time.is_zero() {
        return Err(OptionError(
            "--batch-instructions and --tuning batch-time cannot both be 0".to_string(),
        ));
    }
    if budget.memory != 0 && budget.memory < LEAST_MEMORY {
        return Err(OptionError(format!(
            "--max-memory of {} bytes is less than homi needs to start (64 MiB)",
            budget.memory
        )));
    }
    Ok(())
}
