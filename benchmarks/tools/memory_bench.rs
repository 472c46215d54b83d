//! Costs of the memory room's fast paths, in nanoseconds per operation: `cargo run --release
//! --example memory_bench`.

use homi::ir::program::{Declared, FrameObject, FuncId, PointerWidth};
use homi::machine::memory::{AllocationSite, FrameLayout, Memory, ObjectKind};
use std::hint::black_box;
use std::time::Instant;

const SITE: AllocationSite = AllocationSite::Engine("benchmark");

fn measure(name: &str, operations: u64, mut body: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        body();
        best = best.min(start.elapsed().as_nanos() as f64 / operations as f64);
    }
    println!("{name:<58} {best:9.2} ns");
}

fn heap(memory: &mut Memory, size: u64) -> u64 {
    memory
        .allocate(ObjectKind::Heap, size, 16, SITE)
        .unwrap_or_else(|| panic!("no room for {size} bytes"))
}

fn main() {
    let mut memory = Memory::new(PointerWidth::Bits64);
    let buffer = heap(&mut memory, 4096);
    let scalars: Vec<u64> = (0..8).map(|_| heap(&mut memory, 8)).collect();
    measure(
        "write_word + read_word, 4096-byte buffer, byte by byte",
        4096 * 100,
        || {
            for _ in 0..100 {
                for offset in 0..4096 {
                    let _ = memory.write_word(buffer + offset, 1, offset);
                    let _ = black_box(memory.read_word(buffer + offset, 1));
                }
            }
        },
    );
    measure(
        "write_word + read_word, eight scalars in turn",
        1_000_000,
        || {
            for turn in 0..1_000_000usize {
                let address = scalars[turn % 8];
                let _ = memory.write_word(address, 8, turn as u64);
                let _ = black_box(memory.read_word(address, 8));
            }
        },
    );
    let many: Vec<u64> = (0..10_000).map(|_| heap(&mut memory, 32)).collect();
    measure(
        "read_word, 10,000 objects in turn (cache misses)",
        1_000_000,
        || {
            for turn in 0..1_000_000usize {
                let _ = black_box(memory.read_word(many[turn % 10_000], 8));
            }
        },
    );
    measure(
        "write_word, 10,000 objects in turn (cache misses)",
        1_000_000,
        || {
            for turn in 0..1_000_000usize {
                let _ = memory.write_word(many[turn % 10_000], 8, 1);
            }
        },
    );
    measure("allocate + write + free, 32 bytes", 200_000, || {
        for _ in 0..200_000 {
            let address = heap(&mut memory, 32);
            let _ = memory.write_word(address, 8, 1);
            let _ = memory.free(address, SITE);
        }
    });
    let object = |size| FrameObject {
        size,
        align: 8,
        name: String::new(),
        declared: Declared::default(),
        in_block: false,
    };
    let layout = FrameLayout::new(PointerWidth::Bits64, FuncId(0), &[object(8), object(64)]);
    let empty = FrameLayout::new(PointerWidth::Bits64, FuncId(0), &[]);
    measure("push_frame + pop_frame, no objects", 1_000_000, || {
        for _ in 0..1_000_000 {
            black_box(memory.push_frame(&empty));
            memory.pop_frame();
        }
    });
    measure(
        "push_frame + one write + pop_frame, two objects",
        200_000,
        || {
            for _ in 0..200_000 {
                let frame = memory.push_frame(&layout);
                let _ = memory.write_word(frame + layout.offset(0), 8, 1);
                memory.pop_frame();
            }
        },
    );
    for megabytes in [1u64, 64, 1024] {
        let mut memory = Memory::new(PointerWidth::Bits64);
        let objects: Vec<u64> = (0..16)
            .map(|_| heap(&mut memory, megabytes << 16))
            .collect();
        for &object in &objects {
            for page in 0..(megabytes << 16) / 4096 {
                let _ = memory.write_word(object + page * 4096, 8, page);
            }
        }
        measure(
            &format!("fork + one write in the child, {megabytes} MB of heap"),
            10_000,
            || {
                for turn in 0..10_000usize {
                    let mut child = memory.clone();
                    let _ = child.write_word(objects[turn % 16] + 64, 8, 1);
                    black_box(&child);
                }
            },
        );
    }
}
