//! Tests of relocatable, fixed and unfixable addresses.

use super::super::testing::{SIZE, free, new_block, put, with_start};
use super::Relocation::{Block, Elsewhere, Stays};
use super::*;
use homi_ir::program::FuncId;

#[test]
fn blocks_of_the_start_and_all_that_is_newer_move() {
    with_start(Vec::new(), |_, start, known| {
        let mut subpath = Subpath::new(&start, &start.model);
        let memory = &mut subpath.state.memory;
        let (new, gone) = (new_block(memory), new_block(memory));
        free(memory, gone);
        free(memory, known.other);
        let fixed_at = 0x1_0000_0000;
        assert!(memory.define_fixed(fixed_at, SIZE, AllocationSite::Engine("test")));
        let rows = [
            (0, Stays),
            (5, Stays),
            (u64::MAX, Stays),
            (homi_machine::memory::function_address(FuncId(0)), Stays),
            (known.global, Stays),
            (known.nowhere, Stays),
            (fixed_at, Stays),
            (known.local, Elsewhere),
            (known.local + SIZE, Elsewhere),
            (new, Elsewhere),
            (gone, Elsewhere),
            (known.block, Block(known.block)),
            (known.block + SIZE + 8, Block(known.block)),
            (known.block - 8, Block(known.block)),
            (known.freed + 1, Block(known.freed)),
            (known.other, Block(known.other)),
        ];
        for (row, (number, expected)) in rows.into_iter().enumerate() {
            assert_eq!(
                subpath.relocation(number),
                expected,
                "row {row}: {number:#x}"
            );
            assert_eq!(subpath.moves(number), expected != Stays, "row {row}");
        }
        let there = [
            known.block,
            known.freed,
            known.global,
            new,
            gone,
            known.block + 8,
        ];
        let there = there.map(|base| subpath.was_there(base));
        assert_eq!(there, [true, true, true, false, false, false]);
    });
}

#[test]
fn a_block_is_fixed_for_good_and_a_local_never() {
    with_start(Vec::new(), |_, start, known| {
        let mut subpath = Subpath::new(&start, &start.model);
        let new = new_block(&mut subpath.state.memory);
        for (number, can_be_fixed) in [
            (known.nowhere, true),
            (known.global, true),
            (known.local, false),
            (new, false),
            (known.block + 8, true),
        ] {
            assert_eq!(subpath.fix(number), can_be_fixed, "{number:#x}");
        }
        assert_eq!(subpath.relocation(known.block), Stays);
        assert_eq!(subpath.relocation(known.other), Block(known.other));
        assert_eq!(Vec::from_iter(subpath.facts.fixed.clone()), [known.block]);
        let all = [known.other, known.local];
        let refused = Err(Failure::Addresses("a sum".to_string()));
        assert_eq!(subpath.fix_all(&all, "a sum"), refused);
        assert_eq!(subpath.fix_all(&all[..1], "a sum"), Ok(()));
    });
}

#[test]
fn addresses_are_found_in_terms_and_behind_variables() {
    with_start(Vec::new(), |with, mut start, known| {
        let terms = with.terms;
        let constant = |number: u64| terms.constant(64, number.into());
        let either = |a, b| terms.ite(known.choice, constant(a), constant(b));
        put(&mut start, 8, either(known.other, 7));
        let mut subpath = Subpath::new(&start, &start.model);
        let term = either(known.block, known.global);
        assert_eq!(subpath.moving_numbers(with, term), [known.block]);
        assert_eq!(subpath.moving_base(known.block + 8), Some(known.block));
        assert_eq!(subpath.moving_base(known.global), None);
        // A register with a number, with a pair, with a term, and with a variable that hides an
        // address.
        put(&mut subpath.state, 4, known.global);
        put(&mut subpath.state, 5, known.block);
        put(&mut subpath.state, 6, term);
        put(
            &mut subpath.state,
            7,
            super::super::testing::register(with, 8),
        );
        let mut found = |slot, width| subpath.moving_in_register(with, Slot(slot), width);
        assert!(found(4, 64).is_empty());
        assert_eq!(found(4, 128), [known.block]);
        assert_eq!(found(5, 64), [known.block]);
        assert!(found(6, 64).contains(&known.block));
        assert_eq!(found(7, 64), [known.other]);
    });
}
