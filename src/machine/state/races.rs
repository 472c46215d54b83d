//! Order of the accesses of the program's threads: vector clocks, as in FastTrack and its
//! predecessors (Flanagan and Freund, PLDI 2009; Mattern 1989).
//!
//! Idea: each thread counts its releases. A thread that releases an object leaves there its
//! knowledge of all counts, and one that acquires it takes that over. An access happened before
//! another if the second one's thread knows the first one's count at that time. Invariant: before a
//! second thread begins nothing is recorded, because all of it happens before that thread.

use homi_ir::program::LocId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes that are noted together.
const GRANULE: u64 = 8;

/// One access of the program's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WatchedAccess {
    /// The thread's number; of an access that was noted, the thread's id.
    pub thread: u32,
    pub writes: bool,
    pub is_atomic: bool,
    /// Bytes of the access, from the first on.
    pub size: u64,
    /// Source location.
    pub place: LocId,
}

/// The counts of all threads that one knows of, by the thread's number.
type Clock = BTreeMap<u32, u32>;

/// An access that a later one may race with.
#[derive(Clone, Debug)]
struct Noted {
    access: WatchedAccess,
    /// The thread's own count.
    time: u32,
    /// Bit `i` represents byte `i` of the granule.
    bytes: u8,
}

/// The order of accesses on one path.
///
/// Threads have ids here, which are not given again, unlike the numbers of the modeled kernel.
#[derive(Clone, Debug, Default)]
pub struct Races {
    /// The id of the thread that has or had a number last; the first thread has 0 for both.
    ids: BTreeMap<u32, u32>,
    begun: u32,
    clocks: BTreeMap<u32, Clock>,
    /// Clocks of released synchronization objects, by address.
    released: Arc<BTreeMap<u64, Clock>>,
    /// The ids of threads by what others join them by.
    names: BTreeMap<u64, u32>,
    noted: Arc<BTreeMap<u64, Vec<Noted>>>,
}

impl Races {
    /// A thread begins another one: it knows what its maker knows.
    pub fn begin(&mut self, maker: u32, number: u32, name: u64) {
        let maker = self.id(maker);
        self.begun += 1;
        let id = self.begun;
        self.ids.insert(number, id);
        let mut clock = self.clock(maker).clone();
        clock.insert(id, 1);
        self.clocks.insert(id, clock);
        self.names.insert(name, id);
        self.tick(maker);
    }

    /// Returns true if a second thread has begun.
    pub fn has_begun(&self) -> bool {
        self.begun > 0
    }

    /// Returns the id of the thread that has a number.
    pub fn id(&self, number: u32) -> u32 {
        self.ids.get(&number).copied().unwrap_or(number)
    }

    /// A thread knows what another one did until it ended.
    pub fn join(&mut self, thread: u32, name: u64) {
        if let Some(ended) = self.names.get(&name) {
            let known = self.clock(*ended).clone();
            let id = self.id(thread);
            merge(self.clock(id), &known);
        }
    }

    /// A thread takes over what an object was left with.
    pub fn acquire(&mut self, thread: u32, object: u64) {
        if let Some(known) = self.released.get(&object).cloned() {
            let id = self.id(thread);
            merge(self.clock(id), &known);
        }
    }

    /// A thread leaves at an object what it knows.
    pub fn release(&mut self, thread: u32, object: u64) {
        if !self.has_begun() {
            return;
        }
        let thread = self.id(thread);
        let known = self.clock(thread).clone();
        merge(
            Arc::make_mut(&mut self.released).entry(object).or_default(),
            &known,
        );
        self.tick(thread);
    }

    /// Notes an access; an earlier one of another thread that nothing orders with it.
    pub fn access(&mut self, address: u64, access: WatchedAccess) -> Option<WatchedAccess> {
        if !self.has_begun() || access.size == 0 {
            return None;
        }
        let access = WatchedAccess {
            thread: self.id(access.thread),
            ..access
        };
        let clock = self.clock(access.thread).clone();
        let time = clock.get(&access.thread).copied().unwrap_or(1);
        let (first, last) = (address, address.saturating_add(access.size - 1));
        let mut other = None;
        for granule in first / GRANULE..=last / GRANULE {
            let bytes = bytes_of(granule, first, last);
            let noted = Arc::make_mut(&mut self.noted).entry(granule).or_default();
            let races = |earlier: &&Noted| {
                let before = clock.get(&earlier.access.thread).copied().unwrap_or(0);
                earlier.access.thread != access.thread
                    && earlier.bytes & bytes != 0
                    && (earlier.access.writes || access.writes)
                    && !(earlier.access.is_atomic && access.is_atomic)
                    && earlier.time > before
            };
            other = other.or(noted.iter().find(races).map(|earlier| earlier.access));
            // What races with the earlier one of the same thread races with this one, too.
            noted.retain(|earlier| {
                earlier.access.thread != access.thread
                    || earlier.bytes & !bytes != 0
                    || (earlier.access.writes, earlier.access.is_atomic)
                        != (access.writes, access.is_atomic)
            });
            noted.push(Noted {
                access,
                time,
                bytes,
            });
        }
        other
    }

    /// New memory lies at these addresses: what was there before is another's.
    pub fn forget(&mut self, address: u64, size: u64) {
        if self.noted.is_empty() || size == 0 {
            return;
        }
        let (first, last) = (
            address / GRANULE,
            address.saturating_add(size - 1) / GRANULE,
        );
        let there = self.noted.range(first..=last);
        let gone: Vec<u64> = there.map(|(granule, _)| *granule).collect();
        for granule in gone {
            Arc::make_mut(&mut self.noted).remove(&granule);
        }
    }

    fn clock(&mut self, thread: u32) -> &mut Clock {
        let first = || Clock::from([(thread, 1)]);
        self.clocks.entry(thread).or_insert_with(first)
    }

    fn tick(&mut self, thread: u32) {
        *self.clock(thread).entry(thread).or_default() += 1;
    }
}

fn merge(into: &mut Clock, other: &Clock) {
    for (thread, count) in other {
        let own = into.entry(*thread).or_default();
        *own = (*own).max(*count);
    }
}

/// Returns the bytes of a granule between two addresses, as a mask.
fn bytes_of(granule: u64, first: u64, last: u64) -> u8 {
    let start = granule * GRANULE;
    let within = |byte: &u64| (first..=last).contains(&(start + byte));
    (0..GRANULE).filter(within).map(|byte| 1 << byte).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(thread: u32, writes: bool) -> WatchedAccess {
        WatchedAccess {
            thread,
            writes,
            is_atomic: false,
            size: 4,
            place: LocId::new(thread as usize),
        }
    }

    #[test]
    fn what_nothing_orders_races() {
        let mut races = Races::default();
        assert_eq!(races.access(64, access(0, true)), None);
        races.begin(0, 1, 100);
        assert_eq!(races.access(64, access(1, true)), None);
        assert_eq!(races.access(64, access(0, false)), Some(access(1, true)));
        assert_eq!(races.access(68, access(0, true)), None);
    }

    #[test]
    fn joins_and_objects_order() {
        let mut races = Races::default();
        races.begin(0, 1, 100);
        races.access(64, access(1, true));
        races.release(1, 8);
        races.access(72, access(1, true));
        races.acquire(0, 8);
        assert_eq!(races.access(64, access(0, true)), None);
        assert_eq!(races.access(72, access(0, true)), Some(access(1, true)));
        races.join(0, 100);
        assert_eq!(races.access(72, access(0, false)), None);
    }

    #[test]
    fn a_number_that_is_given_again_is_another_thread() {
        let mut races = Races::default();
        races.begin(0, 1, 100);
        assert_eq!(races.access(64, access(1, true)), None);
        races.begin(0, 1, 108);
        assert_eq!(races.access(64, access(1, true)), Some(access(1, true)));
        races.join(0, 108);
        assert_eq!(races.access(64, access(0, true)), Some(access(1, true)));
    }

    #[test]
    fn two_atomics_and_two_reads_are_none() {
        let mut races = Races::default();
        races.begin(0, 1, 100);
        let atomic = |thread| WatchedAccess {
            is_atomic: true,
            ..access(thread, true)
        };
        races.access(64, atomic(1));
        assert_eq!(races.access(64, atomic(0)), None);
        races.access(80, access(1, false));
        assert_eq!(races.access(80, access(0, false)), None);
        races.forget(64, 8);
        assert_eq!(races.access(64, access(0, true)), None);
    }
}
