//! Completion of nodes, with their interpolants, from the leaves upwards.
//!
//! Invariant: a node without an interpolant makes all its ancestors half for good.

use super::entry::Entry;
use super::frames::FrameView;
use super::interpolant::Interpolant;
use super::point::Point;
use super::statistics::fail;
use super::subpath::{Equipment, Failure, Subpath, Until};
use super::subsumption::{InterpolantKind, Subsumption, SubsumptionContext};
use super::tree::{Below, Node, NodeId, Status};
use super::{core, weakest};
use homi_ir::util::clock::Moment;
use homi_machine::exec::Observer;
use homi_machine::state::State;
use homi_solver::term::Terms;

/// Maximum number of entries per point.
const MOST_ENTRIES: usize = 64;

impl Subsumption {
    /// Makes a node full if all paths below it are explored, and then its ancestors if possible.
    pub(super) fn complete(&mut self, with: &SubsumptionContext<'_, '_>, id: NodeId) {
        let start = Moment::now();
        let mut next = Some(id);
        while let Some(id) = next {
            next = if self.tree.is_complete(id) {
                self.annotate(with, id)
            } else {
                None
            };
        }
        self.statistics.annotate_s += start.elapsed().as_secs_f64();
    }

    /// Computes a node's interpolant and adds it to the table. Returns the parent, which may be
    /// full now.
    pub(super) fn annotate(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        id: NodeId,
    ) -> Option<NodeId> {
        let mut node = self.tree.remove(id)?;
        let children: Vec<Node> = std::mem::take(&mut node.children)
            .into_iter()
            .filter_map(|child| self.tree.remove(child))
            .collect();
        let parent = node.parent;
        match self.interpolant(with, &node, &children) {
            Ok((interpolant, below)) => {
                self.statistics.full_nodes += 1;
                if let Some(start) = node.start.take() {
                    self.enter(with.terms, &start, &interpolant, below);
                }
                node.ends.clear();
                self.candidates.extend(parent);
                if parent.is_some() || node.is_confirmed {
                    node.status = Status::Full(Box::new(interpolant), below);
                    self.tree.put(id, node);
                }
                parent
            }
            Err((failure, loc)) => {
                fail(&mut self.statistics, &failure, &loc);
                self.statistics.half_nodes += 1;
                if let Some(parent) = parent {
                    self.statistics.half_nodes += self.tree.lose(parent);
                }
                None
            }
        }
    }

    /// Returns the interpolant of a node whose successors are all full, and what is below it.
    pub(super) fn interpolant(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        node: &Node,
        children: &[Node],
    ) -> Result<(Interpolant, Below), (Failure, String)> {
        let nowhere = |failure| (failure, String::new());
        let start = node
            .start
            .as_deref()
            .ok_or_else(|| nowhere(Failure::Diverged("the node has no state")))?;
        let entry = start.frames.top().function;
        let observer = self
            .observer
            .get_or_insert_with(|| Observer::new(with.executor.segments(), entry));
        // Greedy confirmation makes call paths that the run does not know.
        let named = start.frames.iter().map(|frame| frame.call_path.index() + 1);
        let most = named.fold(with.call_paths, usize::max);
        observer.call_paths.pad_to(most);
        observer.new_segments.clear();
        observer.new_sides.clear();
        let mut equipment = Equipment {
            executor: with.executor,
            terms: with.terms,
            host: with.host,
            observer,
            locs: &mut self.locs,
        };
        let mut ways = Vec::new();
        let mut below = Below::default();
        for child in children {
            let (Some(arrival), Status::Full(interpolant, below_child)) =
                (&child.arrival, &child.status)
            else {
                return Err(nowhere(Failure::Diverged("a successor was dropped")));
            };
            let mut subpath = Subpath::new(start, &arrival.model);
            let count = arrival.instructions - start.metrics.instructions;
            let followed = subpath.follow(&mut equipment, Until::Instructions(count));
            self.statistics.subpath_instructions += subpath.length();
            followed.map_err(|failure| (failure, subpath.loc(with.executor)))?;
            let top = subpath.state.frames.top();
            let stands = (subpath.state.frames.len(), top.function, top.pc);
            if stands != arrival.stands
                || subpath.state.underapproximations != start.underapproximations
            {
                return Err((
                    Failure::Diverged("it ends at another point"),
                    subpath.loc(with.executor),
                ));
            }
            let way = weakest::way(&mut equipment, subpath, Some(interpolant));
            ways.push(way.map_err(nowhere)?);
            below.add(count, *below_child);
        }
        for end in &node.ends {
            let mut subpath = Subpath::new(start, &end.model);
            let count = end.instructions - start.metrics.instructions;
            let followed = subpath.follow(&mut equipment, Until::End(count + 1));
            self.statistics.subpath_instructions += subpath.length();
            followed.map_err(|failure| (failure, subpath.loc(with.executor)))?;
            ways.push(weakest::way(&mut equipment, subpath, None).map_err(nowhere)?);
            let path = Below {
                leaves: 1,
                instructions: 0,
            };
            below.add(count, path);
        }
        let whole = match self.form {
            InterpolantKind::Wp => weakest::interpolant(with.terms, ways),
            InterpolantKind::Core => core::interpolant(&mut equipment, start, ways),
        };
        let whole = whole.map_err(nowhere)?;
        Ok((whole, below))
    }

    /// Adds an entry for a state; if its point has the maximum number of entries, removes the least
    /// recently used one.
    pub(super) fn enter(
        &mut self,
        terms: &Terms,
        start: &State,
        interpolant: &Interpolant,
        below: Below,
    ) {
        let frames = FrameView::new(start);
        let Some(point) = Point::of(start, &frames) else {
            return;
        };
        let hash = point.hash();
        let Some(entry) = Entry::new(
            (terms, &mut self.locs),
            (start, &frames, point),
            interpolant,
            below,
        ) else {
            return;
        };
        let interpolants = self.table.entry(hash).or_default();
        if interpolants.iter().any(|known| known.is_equivalent(&entry)) {
            return;
        }
        self.statistics.interpolants += 1;
        if interpolants.len() >= MOST_ENTRIES {
            interpolants.remove(0);
            self.statistics.interpolants_dropped += 1;
        }
        interpolants.push(entry);
    }
}
