//! The address space against a naive model, and what each wrong access is called.

use super::*;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{FrameObject, FuncId, LocId};
use homi_solver::term::{Byte, Terms};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const SITE: AllocationSite = AllocationSite::Engine("test");

fn place_of_free(line: u32) -> AllocationSite {
    AllocationSite::Instruction {
        function: FuncId(1),
        location: LocId(line),
    }
}

fn heap(memory: &mut Memory, size: u64) -> u64 {
    memory
        .allocate(ObjectKind::Heap, size, 16, SITE)
        .expect("room")
}

fn layout(sizes: &[u64]) -> Arc<FrameLayout> {
    let object = |&size: &u64| FrameObject {
        size,
        align: 8,
        name: "local".to_string(),
        declared: Default::default(),
        in_block: false,
    };
    FrameLayout::new(
        Default::default(),
        FuncId(7),
        &sizes.iter().map(object).collect::<Vec<_>>(),
    )
}

/// A naive address space: one map entry per byte.
#[derive(Clone, Default)]
struct Model {
    bytes: BTreeMap<u64, ByteValue>,
    /// Base and size of live heap objects.
    objects: Vec<(u64, u64)>,
    /// Base and sizes of frames' objects.
    frames: Vec<Vec<(u64, u64)>>,
}

impl Model {
    fn add(&mut self, base: u64, size: u64, fill: u8) {
        for address in base..base + size {
            let old = self.bytes.insert(address, ByteValue::Concrete(fill));
            assert!(old.is_none(), "two objects share {address:#x}");
        }
    }

    fn remove(&mut self, base: u64, size: u64) {
        for address in base..base + size {
            self.bytes.remove(&address);
        }
    }

    fn targets(&self) -> Vec<(u64, u64)> {
        let frames = self.frames.iter().flatten();
        self.objects.iter().chain(frames).copied().collect()
    }
}

fn compare(memory: &Memory, model: &Model, terms: &Terms) {
    for (&address, &byte) in &model.bytes {
        assert_eq!(memory.read_byte(&Terms::new(), address), Ok(byte));
    }
    for (base, size) in model.targets() {
        for (address, len) in [(base - 1, 1), (base + size, 1), (base.wrapping_sub(1), 2)] {
            assert!(memory.read(terms, address, len).is_err());
        }
    }
    let live: u64 = model.objects.iter().map(|object| object.1).sum();
    assert_eq!(memory.heap_bytes(), live);
    let mut expected = model.targets();
    expected.sort();
    let found: Vec<(u64, u64)> = memory.objects().map(|o| (o.base, o.size)).collect();
    assert_eq!(found, expected);
}

#[test]
fn random_operations_agree_with_a_naive_model_on_all_forks() {
    let terms = Terms::new();
    let array = terms.array("x", 0, 64);
    for seed in 0..12 {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut states = vec![(Memory::new(Default::default()), Model::default())];
        for _ in 0..700 {
            let which = random.random_range(0..states.len());
            if states.len() < 5 && random.random_range(0..40) == 0 {
                let fork = states[which].clone();
                states.push(fork);
            }
            let (memory, model) = &mut states[which];
            step(&mut random, &terms, array, memory, model);
        }
        for (memory, model) in &states {
            compare(memory, model, &terms);
        }
    }
}

fn step(
    random: &mut Pcg64Mcg,
    terms: &Terms,
    array: homi_solver::term::ArrayId,
    memory: &mut Memory,
    model: &mut Model,
) {
    let targets = model.targets();
    let choice = if targets.is_empty() {
        0
    } else {
        random.random_range(0..16)
    };
    if choice == 0 {
        let size = [0, 1, 7, 8, 100, 256, 257, 1000, 5000][random.random_range(0..9)];
        let base = heap(memory, size);
        model.add(base, size, UNINITIALISED);
        model.objects.push((base, size));
        return;
    }
    if choice == 1 {
        if !model.objects.is_empty() {
            let (base, size) = model
                .objects
                .remove(random.random_range(0..model.objects.len()));
            memory.free(base, SITE).expect("live");
            model.remove(base, size);
        }
        return;
    }
    if choice == 2 {
        let layout = layout(&[4, 300, 16]);
        let frame = memory.push_frame(&layout);
        let objects: Vec<(u64, u64)> = [4, 300, 16]
            .iter()
            .enumerate()
            .map(|(index, &size)| (frame + layout.offset(index as u32), size))
            .collect();
        for &(base, size) in &objects {
            model.add(base, size, UNINITIALISED);
        }
        model.frames.push(objects);
        return;
    }
    if choice == 3 {
        if let Some(objects) = model.frames.pop() {
            memory.pop_frame();
            for (base, size) in objects {
                model.remove(base, size);
            }
        }
        return;
    }
    let (base, size) = targets[random.random_range(0..targets.len())];
    if size == 0 {
        assert!(memory.read_byte(&Terms::new(), base).is_err());
        return;
    }
    let offset = random.random_range(0..size);
    let room = size - offset;
    let address = base + offset;
    match choice {
        4..=6 => {
            let bytes = (1u64 << random.random_range(0..4u32)).min(room).min(8);
            let value: u64 = random.random();
            memory
                .write_word(address, bytes as u32, value)
                .expect("in bounds");
            for index in 0..bytes {
                let byte = ByteValue::Concrete((value >> (8 * index)) as u8);
                model.bytes.insert(address + index, byte);
            }
        }
        7 | 8 => {
            let bytes = (1u64 << random.random_range(0..4u32)).min(room).min(8) as u32;
            let read = memory.read_word(address, bytes).expect("in bounds");
            let mut expected = Some(0u64);
            for index in 0..u64::from(bytes) {
                expected = match (expected, model.bytes[&(address + index)]) {
                    (Some(value), ByteValue::Concrete(byte)) => {
                        Some(value | u64::from(byte) << (8 * index))
                    }
                    _ => None,
                };
            }
            assert_eq!(read, expected);
        }
        9 => {
            let index = random.random_range(0..64);
            let value = ByteValue::Term(terms.symbol(Byte { array, index }));
            memory.write_byte(terms, address, value).expect("in bounds");
            model.bytes.insert(address, value);
        }
        10 => {
            // A term of several bytes, written and read back.
            let bytes = room.min(4);
            let mut term = terms.symbol(Byte { array, index: 0 });
            for index in 1..bytes as u32 {
                term = terms.concat(terms.symbol(Byte { array, index }), term);
            }
            let value = Value::Term(term);
            memory
                .write(terms, address, bytes as u32, value)
                .expect("in bounds");
            assert_eq!(memory.read(terms, address, bytes as u32), Ok(value));
            for index in 0..bytes as u32 {
                let byte = ByteValue::Term(terms.symbol(Byte { array, index }));
                model.bytes.insert(address + u64::from(index), byte);
            }
        }
        11 => {
            let len = random.random_range(0..=room);
            let byte = ByteValue::Concrete(random.random());
            memory.fill(terms, address, byte, len).expect("in bounds");
            for index in 0..len {
                model.bytes.insert(address + index, byte);
            }
        }
        _ => {
            let (other, other_size) = targets[random.random_range(0..targets.len())];
            // Half of them at the same offset, where whole chunks are shared.
            let start = if random.random() {
                offset.min(other_size)
            } else {
                random.random_range(0..=other_size)
            };
            let len = random.random_range(0..=room.min(other_size - start));
            memory.copy(address, other + start, len).expect("in bounds");
            let bytes: Vec<ByteValue> = (0..len)
                .map(|index| model.bytes[&(other + start + index)])
                .collect();
            for (index, byte) in bytes.into_iter().enumerate() {
                model.bytes.insert(address + index as u64, byte);
            }
        }
    }
}

#[test]
fn equal_paths_see_equal_addresses() {
    let mut first = Memory::new(Default::default());
    let shared = heap(&mut first, 10);
    let mut second = first.clone();
    assert_eq!(heap(&mut first, 20), heap(&mut second, 20));
    assert!(second.free(shared, SITE).is_ok());
    assert!(first.read_byte(&Terms::new(), shared).is_ok());
    assert_ne!(
        heap(&mut second, 10),
        shared,
        "freed numbers are not reused"
    );
}

#[test]
fn a_fork_does_not_see_writes_through_the_cache() {
    let mut parent = Memory::new(Default::default());
    let address = heap(&mut parent, 8);
    parent.write_word(address, 8, 1).expect("in bounds");
    parent.write_word(address, 8, 2).expect("in bounds");
    let mut child = parent.clone();
    parent.write_word(address, 8, 3).expect("in bounds");
    assert_eq!(child.read_word(address, 8), Ok(Some(2)));
    child.write_word(address, 8, 4).expect("in bounds");
    assert_eq!(parent.read_word(address, 8), Ok(Some(3)));
    let grandchild = child.clone();
    drop(child);
    assert_eq!(grandchild.read_word(address, 8), Ok(Some(4)));
}

#[test]
fn wrong_accesses_are_named() {
    let mut memory = Memory::new(Default::default());
    let kind = |result: AccessResult<ByteValue>| result.expect_err("an error").kind;
    assert_eq!(
        kind(memory.read_byte(&Terms::new(), 0)),
        AccessErrorKind::Null
    );
    assert_eq!(
        kind(memory.read_byte(&Terms::new(), 4095)),
        AccessErrorKind::Null
    );
    assert_eq!(
        kind(memory.read_byte(&Terms::new(), u64::MAX)),
        AccessErrorKind::OutOfBounds { object: None }
    );
    let function = function_address(FuncId(3));
    assert_eq!(
        kind(memory.read_byte(&Terms::new(), function)),
        AccessErrorKind::Function
    );

    let first = heap(&mut memory, 10);
    let second = heap(&mut memory, 10);
    let error = memory
        .read_byte(&Terms::new(), first + 10)
        .expect_err("past the end");
    let owner = memory.owner(first + 10).expect("an owner");
    assert_eq!(owner.base, first);
    assert_eq!(
        error.kind,
        AccessErrorKind::OutOfBounds {
            object: Some(owner)
        }
    );
    assert_eq!(error.below.map(|o| o.base), Some(first));
    assert_eq!(error.above.map(|o| o.base), Some(second));
    assert!(memory.write_word(first + 7, 4, 0).is_err());

    memory.free(first, place_of_free(12)).expect("live");
    match memory
        .read_byte(&Terms::new(), first + 3)
        .expect_err("freed")
        .kind
    {
        AccessErrorKind::UseAfterFree { object, freed } => {
            assert_eq!(object.map(|o| (o.base, o.size)), Some((first, 10)));
            assert_eq!(freed, Some(place_of_free(12)));
        }
        other => panic!("{other:?}"),
    }

    let constant = ObjectKind::Global { constant: true };
    let global = memory.allocate(constant, 4, 4, SITE).expect("room");
    memory.initialise(global, &[1, 2, 3, 4]).expect("in bounds");
    assert_eq!(memory.read_word(global, 4), Ok(Some(0x0403_0201)));
    let error = memory.write_word(global, 4, 0).expect_err("read only");
    assert!(matches!(error.kind, AccessErrorKind::ReadOnly { .. }));
    let external = memory
        .allocate(ObjectKind::External, 4, 4, SITE)
        .expect("room");
    let error = memory.read_word(external, 4).expect_err("undefined");
    assert!(matches!(error.kind, AccessErrorKind::External { .. }));
}

#[test]
fn wrong_frees_are_named() {
    let mut memory = Memory::new(Default::default());
    let object = heap(&mut memory, 10);
    assert!(matches!(
        memory.free(object + 1, SITE),
        Err(FreeError::Interior { offset: 1, .. })
    ));
    assert!(matches!(
        memory.free(object + 11, SITE),
        Err(FreeError::Invalid(_))
    ));
    assert!(matches!(
        memory.free(12345, SITE),
        Err(FreeError::Invalid(_))
    ));
    memory.free(object, place_of_free(3)).expect("live");
    let error = memory.free(object, SITE).expect_err("double");
    assert!(
        matches!(&error, FreeError::Double { freed: Some(site), .. } if *site == place_of_free(3))
    );
    assert_eq!(error.to_string(), "double free");

    let layout = layout(&[8]);
    let frame = memory.push_frame(&layout);
    let error = memory
        .free(frame + layout.offset(0), SITE)
        .expect_err("stack");
    assert_eq!(error.to_string(), "free of alloca");
    let global = ObjectKind::Global { constant: false };
    let global = memory.allocate(global, 8, 8, SITE).expect("room");
    assert_eq!(
        memory.free(global, SITE).expect_err("global").to_string(),
        "free of global"
    );
    let kept = heap(&mut memory, 8);
    memory.mark_global(kept).expect("live");
    assert_eq!(
        memory.free(kept, SITE).expect_err("kept").to_string(),
        "free of global"
    );
}

#[test]
fn objects_of_returned_calls_are_dead() {
    let mut memory = Memory::new(Default::default());
    let layout = layout(&[8, 40]);
    let outer = memory.push_frame(&layout) + layout.offset(0);
    memory.write_word(outer, 8, 5).expect("in bounds");
    let inner = memory.push_frame(&layout) + layout.offset(1);
    memory.write_word(inner, 8, 6).expect("in bounds");
    let empty = super::tests::layout(&[]);
    memory.push_frame(&empty);
    let dynamic = memory
        .allocate_in_frame(ObjectKind::Stack, 100, 16, SITE)
        .expect("room");
    let token = memory.stack_save();
    let in_loop = memory
        .allocate_in_frame(ObjectKind::Stack, 100, 16, SITE)
        .expect("room");
    memory.stack_restore(token);
    assert!(memory.read_byte(&Terms::new(), in_loop).is_err());
    assert!(memory.read_byte(&Terms::new(), dynamic).is_ok());
    memory.pop_frame();
    let error = memory
        .read_byte(&Terms::new(), dynamic)
        .expect_err("returned");
    let local = Some(SITE);
    assert_eq!(error.kind, AccessErrorKind::UseAfterReturn { local });
    assert!(memory.read_byte(&Terms::new(), inner).is_ok());
    memory.pop_frame();
    let error = memory
        .read_byte(&Terms::new(), inner)
        .expect_err("returned");
    let AccessErrorKind::UseAfterReturn { local } = error.kind else {
        panic!("{error:?}");
    };
    assert!(
        matches!(local, Some(AllocationSite::FrameObject { object: 1, .. })),
        "{local:?}"
    );
    assert_eq!(memory.read_word(outer, 8), Ok(Some(5)));
    assert_eq!(memory.frame_depth(), 1);
}

#[test]
fn a_million_allocations_of_a_loop_leave_little_behind() {
    let mut memory = Memory::new(Default::default());
    let mut last = 0;
    for _ in 0..1_000_000 {
        let address = heap(&mut memory, 24);
        assert!(address > last);
        memory.write_word(address, 8, 1).expect("in bounds");
        memory.free(address, SITE).expect("live");
        last = address;
    }
    let mut nodes = 0;
    memory.mark_terms(
        &mut |_| {
            nodes += 1;
            true
        },
        &mut |_| {},
    );
    assert!(nodes < 100, "{nodes} nodes for a million dead objects");
}

#[test]
fn fixed_objects_lie_where_asked() {
    let mut memory = Memory::new(Default::default());
    assert!(memory.define_fixed(0x8000_0000, 16, SITE));
    assert!(!memory.define_fixed(0x8000_000f, 16, SITE));
    assert!(
        memory.define_fixed(0x80, 16, SITE),
        "the null page is like any other"
    );
    assert_eq!(memory.read_word(0x8000_0008, 8), Ok(Some(0)));
    assert!(memory.read_word(0x8000_0009, 8).is_err());
    assert!(matches!(
        memory.free(0x8000_0000, SITE),
        Err(FreeError::NotHeap { .. })
    ));
}

#[test]
fn huge_requests_fail_and_huge_objects_are_cheap() {
    let mut memory = Memory::new(Default::default());
    assert_eq!(memory.allocate(ObjectKind::Heap, u64::MAX, 16, SITE), None);
    assert_eq!(
        memory.allocate(ObjectKind::Heap, MAX_OBJECT_SIZE + 1, 16, SITE),
        None
    );
    let terms = Terms::new();
    let base = heap(&mut memory, 1 << 30);
    memory
        .fill(&terms, base, ByteValue::Concrete(0), 1 << 30)
        .expect("in bounds");
    memory
        .write_word(base + (1 << 29), 8, 7)
        .expect("in bounds");
    let copy = heap(&mut memory, 1 << 30);
    memory
        .copy(copy + (1 << 29), base + (1 << 29), 4096)
        .expect("in bounds");
    assert_eq!(memory.read_word(copy + (1 << 29), 8), Ok(Some(7)));
}

#[test]
fn symbolic_offsets_read_and_write_what_their_value_says() {
    let terms = Terms::new();
    let array = terms.array("i", 0, 4);
    let byte = |index| terms.symbol(Byte { array, index });
    let wide = terms.zext(byte(0), 64);
    for (scale, bytes) in [(1u64, 1u32), (1, 2), (4, 4), (8, 8), (16, 16), (2, 4)] {
        for with_symbolic in [false, true] {
            let mut memory = Memory::new(Default::default());
            let base = heap(&mut memory, 64);
            for offset in 0..64u64 {
                memory
                    .write_word(base + offset, 1, offset * 3 + 1)
                    .expect("in bounds");
            }
            if with_symbolic {
                for offset in [5, 6, 20, 33] {
                    let value = ByteValue::Term(byte(1));
                    memory
                        .write_byte(&terms, base + offset, value)
                        .expect("in bounds");
                }
            }
            let object = memory.locate(base).expect("live");
            let scaled = terms.bin(BinOp::Mul, wide, terms.constant(64, u128::from(scale)));
            let last = (64 - u64::from(bytes)) / scale * scale;
            let read = memory
                .read_symbolic(&terms, &object, scaled, (0, last), bytes)
                .expect("in bounds");
            let mut written = memory.clone();
            let value = Value::Term(terms.zext(byte(2), 8 * bytes));
            written
                .write_symbolic(&terms, &object, scaled, (0, last), bytes, value)
                .expect("in bounds");
            for index in 0..=last / scale {
                let mut model = homi_solver::term::Model::new();
                model.set(Byte { array, index: 0 }, index as u8);
                model.set(Byte { array, index: 1 }, 0x77);
                model.set(Byte { array, index: 2 }, 0x99);
                let number = |value: Value| match value {
                    Value::Concrete(value) => value,
                    Value::Term(term) => terms.eval(term, &model),
                };
                let expected = memory
                    .read(&terms, base + index * scale, bytes)
                    .expect("in bounds");
                assert_eq!(number(read), number(expected));
                for at in 0..64u64 {
                    let now = number(written.read(&terms, base + at, 1).expect("in bounds"));
                    let inside = at.wrapping_sub(index * scale) < u64::from(bytes);
                    let wanted = if inside {
                        if at == index * scale { 0x99 } else { 0 }
                    } else {
                        number(memory.read(&terms, base + at, 1).expect("in bounds"))
                    };
                    assert_eq!(now, wanted);
                }
            }
        }
    }
}

#[test]
fn reads_after_symbolic_writes_see_them_and_what_was_written_since() {
    let terms = Terms::new();
    let array = terms.array("i", 0, 8);
    let byte = |index| terms.symbol(Byte { array, index });
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(11);
    for _ in 0..60 {
        let mut memory = Memory::new(Default::default());
        let base = heap(&mut memory, 600);
        let model_index: [u8; 8] = std::array::from_fn(|_| random.random_range(0..=255));
        let mut model = homi_solver::term::Model::new();
        for (index, value) in (0u32..).zip(model_index) {
            model.set(Byte { array, index }, value);
        }
        let mut expected = [0xabu8; 600];
        let object = memory.locate(base).expect("live");
        for step in 0..12u8 {
            let which = random.random_range(0..8usize);
            let offset = terms.zext(byte(which as u32), 64);
            let at = usize::from(model_index[which]);
            match random.random_range(0..4) {
                0 | 1 => {
                    let value = Value::Concrete(u128::from(step));
                    let written =
                        memory.write_symbolic(&terms, &object, offset, (0, 255), 1, value);
                    assert!(written.is_ok());
                    expected[at] = step;
                }
                2 => {
                    let at = random.random_range(0..600);
                    let address = base + at as u64;
                    memory
                        .write_word(address, 1, u64::from(step))
                        .expect("in bounds");
                    expected[at] = step;
                }
                _ => {
                    let fork = memory.clone();
                    memory.write_word(base, 1, 1).expect("in bounds");
                    memory = fork;
                }
            }
            let which = random.random_range(0..8usize);
            let offset = terms.zext(byte(which as u32), 64);
            let read = memory.read_symbolic(&terms, &object, offset, (0, 255), 1);
            let value = match read.expect("in bounds") {
                Value::Concrete(value) => value,
                Value::Term(term) => terms.eval(term, &model),
            };
            assert_eq!(value, u128::from(expected[usize::from(model_index[which])]));
        }
    }
}

#[test]
fn a_made_symbolic_object_reads_as_its_array() {
    let terms = Terms::new();
    let array = terms.array("n", 0, 4);
    let mut memory = Memory::new(Default::default());
    let base = heap(&mut memory, 4);
    memory.make_symbolic(&terms, base, array).expect("live");
    assert_eq!(memory.read_word(base, 4), Ok(None));
    let Ok(Value::Term(term)) = memory.read(&terms, base, 4) else {
        panic!("a term");
    };
    let mut model = homi_solver::term::Model::new();
    for (index, value) in [1u8, 2, 3, 4].into_iter().enumerate() {
        let index = index as u32;
        model.set(Byte { array, index }, value);
    }
    assert_eq!(terms.eval(term, &model), 0x0403_0201);
    let mut marked = Vec::new();
    memory.mark_terms(&mut |_| true, &mut |term| marked.push(term));
    assert_eq!(marked.len(), 4);
    let less = terms.cmp(CmpOp::Ult, term, terms.constant(32, 10));
    assert_eq!(terms.width(less), 1);
}

#[test]
fn a_symbolic_size_allows_what_the_path_has_shown() {
    let terms = Terms::new();
    let array = terms.array("n", 0, 8);
    let byte = |index| terms.symbol(Byte { array, index });
    let size = (1..8).fold(byte(0), |low, index| terms.concat(byte(index), low));
    let mut memory = Memory::new(Default::default());
    let base = memory
        .allocate_symbolic(ObjectKind::Heap, 300, size, 16, UNINITIALISED, SITE)
        .expect("room");
    let object = memory.locate(base + 299).expect("it may have 300 bytes");
    assert_eq!((object.size, object.capacity), (0, 300));
    assert!(memory.locate(base + 300).is_err());
    assert!(memory.read_word(base, 1).is_err());
    memory.grow(&object, 8);
    // The cache knows the piece now, and no more of it than may be accessed.
    assert_eq!(memory.write_word(base, 8, 7), Ok(()));
    assert_eq!(memory.read_word(base, 8), Ok(Some(7)));
    for address in [base + 1, base + 8] {
        assert!(memory.read_word(address, 8).is_err());
        assert!(memory.write_word(address, 8, 1).is_err());
    }
    assert_eq!(
        memory.concrete_slice(base + 4).expect("four bytes").len(),
        4
    );
    let fork = memory.clone();
    memory.grow(&object, 20);
    assert_eq!(memory.write_word(base + 12, 8, 9), Ok(()));
    assert!(fork.read_word(base + 12, 8).is_err());
    // An earlier copy of the description does not remove bytes.
    memory.grow(&object, 10);
    assert_eq!(memory.read_word(base + 12, 8), Ok(Some(9)));
    let mut marked = Vec::new();
    memory.mark_terms(&mut |_| true, &mut |term| marked.push(term));
    assert!(marked.contains(&size));
    let mut elsewhere = memory.clone();
    let own = terms.not(size);
    elsewhere.map_terms(&|term| if term == size { own } else { term });
    let moved = elsewhere.locate(base).expect("the object");
    assert_eq!((moved.symbolic_size, moved.size), (Some(own), 20));
    let other = heap(&mut memory, 16);
    assert_eq!(memory.copy_contents(other, base, 300), Ok(()));
    assert_eq!(memory.read_word(other, 8), Ok(Some(7)));
    memory.fix_size(&object, 16);
    assert!(memory.check(base, 17).is_err());
    let before = memory.heap_bytes();
    assert!(memory.free(base, SITE).is_ok());
    assert_eq!(memory.heap_bytes(), before - 300);
    let mut marked = Vec::new();
    memory.mark_terms(&mut |_| true, &mut |term| marked.push(term));
    assert!(!marked.contains(&size));
}

#[test]
fn stacks_of_threads_do_not_meet_and_stay_accessible() {
    let mut memory = Memory::new(Default::default());
    let layout = FrameLayout::new(
        Default::default(),
        FuncId(0),
        &[FrameObject {
            size: 8,
            align: 8,
            name: String::new(),
            declared: Default::default(),
            in_block: false,
        }],
    );
    let first = memory.push_frame(&layout) + layout.offset(0);
    assert_eq!(memory.write_word(first, 8, 1), Ok(()));
    memory.switch_stack(1);
    let second = memory.push_frame(&layout) + layout.offset(0);
    assert_ne!(first, second);
    assert_eq!(memory.write_word(second, 8, 2), Ok(()));
    assert_eq!(memory.read_word(first, 8), Ok(Some(1)));
    assert_eq!(memory.write_word(first, 8, 3), Ok(()));
    let objects = memory.objects().map(|object| object.base);
    assert_eq!(objects.collect::<Vec<_>>(), [first, second]);
    memory.switch_stack(0);
    assert_eq!(memory.read_word(first, 8), Ok(Some(3)));
    assert_eq!(memory.read_word(second, 8), Ok(Some(2)));
    // The second thread ends; another gets its number, and its frames other addresses.
    memory.switch_stack(1);
    memory.drop_calls();
    memory.switch_stack(0);
    assert!(memory.read_word(second, 8).is_err());
    memory.switch_stack(1);
    assert_ne!(memory.push_frame(&layout) + layout.offset(0), second);
}

/// Wide symbolic writes are layers: after any further operation the bytes equal a plain array's
/// bytes under a model.
#[test]
fn layers_of_wide_symbolic_writes_agree_with_an_array() {
    let terms = Terms::new();
    let array = terms.array("i", 0, 16);
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(17);
    for round in 0..12u64 {
        let mut model = homi_solver::term::Model::new();
        // Half of the offsets lie close together, so that they meet.
        let near = random.random_range(0..60_000u64) & !255;
        let places: Vec<u64> = (0..8)
            .map(|index| match index % 2 {
                0 => near + random.random_range(0..24u64),
                _ => random.random_range(0..65_536u64),
            })
            .collect();
        for (index, place) in places.iter().enumerate() {
            for (half, value) in (*place as u16).to_le_bytes().into_iter().enumerate() {
                let index = (2 * index + half) as u32;
                model.set(Byte { array, index }, value);
            }
        }
        let byte = |index| terms.symbol(Byte { array, index });
        let offset = |which: usize, size: u64| {
            let place = terms.concat(byte(2 * which as u32 + 1), byte(2 * which as u32));
            // An element of an array where the place allows it.
            let place = if round % 3 == 0 {
                let number = terms.bin(
                    BinOp::LShr,
                    place,
                    terms.constant(16, u128::from(size.ilog2())),
                );
                terms.bin(
                    BinOp::Mul,
                    terms.zext(number, 64),
                    terms.constant(64, u128::from(size)),
                )
            } else {
                terms.zext(place, 64)
            };
            (place, terms.eval(place, &model) as u64)
        };
        let number = |value: Value| match value {
            Value::Concrete(value) => value,
            Value::Term(term) => terms.eval(term, &model),
        };
        let mut memory = Memory::new(Default::default());
        let base = heap(&mut memory, 70_000);
        let object = memory.locate(base).expect("live");
        let mut expected = vec![UNINITIALISED; 70_000];
        let mut kept: Option<(Memory, Vec<u8>)> = None;
        for step in 0..150u32 {
            let which = random.random_range(0..8usize);
            let size = 1u64 << random.random_range(0..4);
            let close = |spread: u64, random: &mut Pcg64Mcg| {
                let around = places[random.random_range(0..8)].saturating_sub(spread / 2);
                (around + random.random_range(0..spread)).min(69_000)
            };
            let value = u128::from(random.random::<u64>() >> (64 - 8 * size));
            let bytes = &value.to_le_bytes()[..size as usize];
            match random.random_range(0..9) {
                0 | 1 => {
                    let (term, at) = offset(which, size);
                    let written = Value::Concrete(value);
                    memory
                        .write_symbolic(&terms, &object, term, (0, 65_535), size as u32, written)
                        .expect("in bounds");
                    expected[at as usize..][..bytes.len()].copy_from_slice(bytes);
                }
                2 => {
                    let at = close(40, &mut random);
                    memory
                        .write(&terms, base + at, size as u32, Value::Concrete(value))
                        .expect("in bounds");
                    expected[at as usize..][..bytes.len()].copy_from_slice(bytes);
                }
                3 => {
                    // The fast path of concrete code, with the general path as fallback.
                    let at = close(900, &mut random);
                    if memory
                        .write_word(base + at, size as u32, value as u64)
                        .is_ok()
                    {
                        expected[at as usize..][..bytes.len()].copy_from_slice(bytes);
                    }
                    if let Ok(Some(word)) = memory.read_word(base + at, size as u32) {
                        let shown = &expected[at as usize..][..bytes.len()];
                        assert_eq!(&word.to_le_bytes()[..bytes.len()], shown);
                    }
                }
                4 => {
                    let (at, len) = (close(40, &mut random), random.random_range(1..900u64));
                    memory
                        .fill(&terms, base + at, ByteValue::Concrete(step as u8), len)
                        .expect("in bounds");
                    expected[at as usize..][..len as usize].fill(step as u8);
                }
                5 => {
                    let (from, to) = (close(40, &mut random), close(400, &mut random));
                    memory.settle(&terms, base + from, 300);
                    memory.settle(&terms, base + to, 300);
                    memory.copy(base + to, base + from, 300).expect("in bounds");
                    expected.copy_within(from as usize..from as usize + 300, to as usize);
                }
                6 => {
                    let (term, at) = offset(which, size);
                    let read = memory
                        .read_symbolic(&terms, &object, term, (0, 65_535), size as u32)
                        .expect("in bounds");
                    let mut word = [0; 16];
                    word[..bytes.len()].copy_from_slice(&expected[at as usize..][..bytes.len()]);
                    assert_eq!(number(read), u128::from_le_bytes(word), "{round} {step}");
                }
                7 => {
                    let other = (memory.clone(), expected.clone());
                    if let Some((before, bytes)) = kept.replace(other) {
                        (memory, expected) = (before, bytes);
                    }
                    memory.map_terms(&|term| term);
                }
                _ => {
                    let at = close(40, &mut random);
                    let read = memory
                        .read(&terms, base + at, size as u32)
                        .expect("in bounds");
                    let mut word = [0; 16];
                    word[..bytes.len()].copy_from_slice(&expected[at as usize..][..bytes.len()]);
                    assert_eq!(number(read), u128::from_le_bytes(word), "{round} {step}");
                    let slice = memory.concrete_slice(base + at).expect("in bounds");
                    assert_eq!(slice, &expected[at as usize..][..slice.len()]);
                }
            }
        }
        let mut terms_seen = 0;
        memory.mark_terms(&mut |_| true, &mut |_| terms_seen += 1);
        assert!(
            terms_seen < 30_000,
            "{terms_seen}: layers do not touch every byte"
        );
    }
}
