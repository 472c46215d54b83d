//! Extract (section 3.2.1): the greedy set cover that approximates the smallest set of tests with
//! the coverage of all tests.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Positions of the chosen sets in the order of choice. Each step takes the set with the most
/// uncovered elements; of equals the earliest. Elements are small numbers (branch sides).
pub fn extract(sets: &[impl AsRef<[u32]>]) -> Vec<usize> {
    let universe = sets
        .iter()
        .flat_map(|set| set.as_ref().iter().copied())
        .max()
        .map_or(0, |largest| largest as usize + 1);
    let mut covered = vec![false; universe];
    // The gain of a set only shrinks, so an old number is an upper bound: take the greatest bound,
    // compute it again, and if it still holds no other set can be better.
    let mut heap: BinaryHeap<(usize, Reverse<usize>)> = sets
        .iter()
        .enumerate()
        .map(|(index, set)| (set.as_ref().len(), Reverse(index)))
        .collect();
    let mut chosen = Vec::new();
    while let Some((bound, Reverse(index))) = heap.pop() {
        let set = sets[index].as_ref();
        let gain = set.iter().filter(|side| !covered[**side as usize]).count();
        if gain == 0 {
            continue;
        }
        if gain < bound {
            heap.push((gain, Reverse(index)));
            continue;
        }
        for side in set {
            covered[*side as usize] = true;
        }
        chosen.push(index);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand_pcg::Pcg64;

    #[test]
    fn the_largest_comes_first_and_the_rest_fills_up() {
        let sets = [
            vec![1, 2],
            vec![1, 2, 3, 4],
            vec![4, 5],
            vec![3, 4],
            vec![5, 6],
        ];
        // 1 covers 1-4; of the rest 4 adds {5, 6} and 2 only {5}.
        assert_eq!(extract(&sets), [1, 4]);
    }

    #[test]
    fn equals_go_to_the_earliest() {
        assert_eq!(extract(&[vec![1, 2], vec![3, 4], vec![1, 2]]), [0, 1]);
        assert_eq!(extract(&[vec![], vec![0], vec![0]]), [1]);
        assert_eq!(extract(&Vec::<Vec<u32>>::new()), Vec::<usize>::new());
    }

    /// The definition, without the heap.
    fn simple(sets: &[Vec<u32>]) -> Vec<usize> {
        let mut covered = std::collections::BTreeSet::new();
        let mut chosen = Vec::new();
        loop {
            let gain = |set: &Vec<u32>| set.iter().filter(|side| !covered.contains(*side)).count();
            let best = (0..sets.len()).max_by_key(|index| (gain(&sets[*index]), Reverse(*index)));
            match best {
                Some(index) if gain(&sets[index]) > 0 => {
                    covered.extend(sets[index].iter().copied());
                    chosen.push(index);
                }
                _ => return chosen,
            }
        }
    }

    #[test]
    fn the_heap_changes_nothing() {
        let mut generator = Pcg64::new(7, 1);
        for _ in 0..50 {
            let sets: Vec<Vec<u32>> = (0..30)
                .map(|_| {
                    let mut set: Vec<u32> = (0..generator.random_range(0..12))
                        .map(|_| generator.random_range(0..40))
                        .collect();
                    set.sort_unstable();
                    set.dedup();
                    set
                })
                .collect();
            assert_eq!(extract(&sets), simple(&sets));
        }
    }
}
