//! Contents against plain vectors, and what they share.

use super::*;
use homi_solver::term::Terms;

fn byte(contents: &Contents, offset: u64) -> u8 {
    match contents.piece(offset) {
        Piece::Fill(fill) => fill,
        Piece::Chunk(chunk) => chunk.bytes()[(offset % CHUNK) as usize],
    }
}

#[test]
fn fills_and_writes_agree_with_a_vector() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
    for size in [1u64, 8, 255, 256, 257, 4096, 4097, 70_000] {
        let mut contents = Contents::filled(size, 0xab);
        let mut model = vec![0xabu8; size as usize];
        for step in 0..60u32 {
            let from = random.random_range(0..size);
            let to = random.random_range(from..=size);
            if step % 3 == 0 {
                contents.fill(from, to, step as u8);
                model[from as usize..to as usize].fill(step as u8);
            } else {
                let at = (from % CHUNK) as usize;
                contents.chunk_mut(from).write(at, &[step as u8]);
                model[from as usize] = step as u8;
            }
            if step == 30 {
                let before = contents.clone();
                contents.fill(0, size, 1);
                assert!((0..size).all(|offset| byte(&before, offset) == model[offset as usize]));
                contents = before;
            }
        }
        assert!((0..size).all(|offset| byte(&contents, offset) == model[offset as usize]));
    }
}

#[test]
fn undefined_contents_share_their_chunks() {
    let terms = Terms::new();
    let array = terms.array("x", 0, 256);
    let symbol = |index: u64| {
        terms.symbol(homi_solver::term::Byte {
            array,
            index: index as u32,
        })
    };
    for size in [1u64, 255, 256, 257, 4096, 4097, 70_000, 1 << 30] {
        let contents = Contents::symbolic(size, &symbol);
        let term = |offset: u64| match contents.piece(offset) {
            Piece::Fill(_) => None,
            Piece::Chunk(chunk) => chunk.term((offset % CHUNK) as usize),
        };
        for offset in [0, size / 2, size - 1] {
            assert_eq!(
                term(offset),
                Some(symbol(offset % CHUNK)),
                "{size} {offset}"
            );
        }
        let mut written = contents.clone();
        let (start, end) = written.chunk_bounds(size - 1);
        let zeros = vec![0; (end - start) as usize];
        written.chunk_mut(size - 1).write(0, &zeros);
        assert!(written.chunk_mut(size - 1).is_concrete(), "{size}");
        assert!(term(size - 1).is_some());
        let mut chunks = 0;
        let mut seen = std::collections::BTreeSet::new();
        contents.for_each_chunk(&mut |part| seen.insert(part), &mut |_| chunks += 1);
        assert!(chunks <= 2, "{size}");
        let other = terms.symbol(homi_solver::term::Byte { array, index: 0 });
        let moved = contents.with_terms(&|_| other).expect("it has terms");
        chunks = 0;
        moved.for_each_chunk(&mut |part| seen.insert(part), &mut |_| chunks += 1);
        assert!(chunks <= 64, "{size}: {chunks}");
    }
}

#[test]
fn a_huge_object_costs_one_chunk_per_write() {
    let mut contents = Contents::filled(1 << 30, 0);
    contents.chunk_mut(123_456_789).write(1, &[5]);
    let mut chunks = 0;
    contents.for_each_chunk(&mut |_| true, &mut |_| chunks += 1);
    assert_eq!(chunks, 1);
    contents.fill(0, 1 << 30, 0);
    chunks = 0;
    contents.for_each_chunk(&mut |_| true, &mut |_| chunks += 1);
    assert_eq!(chunks, 0);
}
