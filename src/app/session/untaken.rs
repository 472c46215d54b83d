//! Files about branch sides that no test covers.

use super::exploration::{Exploration, FirstThread};
use homi_machine::exec::SideAnswer;
use homi_native::testcase::{SIDE_ANSWERS, SideAnswersLine};
use homi_report::LineFile;

impl Exploration<'_> {
    /// Adds the session's line. Its tests are written: a line that is missing is not a reason to
    /// fail.
    pub(super) fn write_side_answers(&self, first: &FirstThread<'_>) {
        let file = self.output.directory.path().join(SIDE_ANSWERS);
        let written =
            LineFile::append_to(&file).and_then(|mut file| file.append(&self.line(first)));
        if let Err(error) = written {
            let text = format!("cannot write {SIDE_ANSWERS}: {error}");
            self.output.log.lock().warning(&text);
        }
    }

    fn line(&self, first: &FirstThread<'_>) -> SideAnswersLine {
        let segments = first.executor.segments();
        let answers = &first.executor.exec_config().side_answers;
        let own =
            (0..segments.side_count() as u32).filter(|side| self.coverage.is_user_side(*side));
        let own: Vec<u32> = own.collect();
        let with = |answer: SideAnswer| {
            let sides = own.iter().filter(|side| answers.has(**side, answer));
            let sides = sides.map(|side| {
                let (branch, side) = segments.branch_of_side(*side);
                (branch.0, side)
            });
            sides.collect()
        };
        SideAnswersLine {
            taken: with(SideAnswer::Taken),
            infeasible: with(SideAnswer::Infeasible),
            infeasible_underapproximated: with(SideAnswer::InfeasibleUnderapproximated),
            unknown: with(SideAnswer::Unknown),
            not_followed: with(SideAnswer::NotFollowed),
            pending: with(SideAnswer::Pending),
        }
    }
}
