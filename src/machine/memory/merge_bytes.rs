//! The contents of two versions of one object become one.
//!
//! Invariant: nodes that both share stay shared; a chunk that differs becomes one in which the
//! bytes that differ are choices. Writes at symbolic offsets must be in the bytes of both.

use super::bytes::ByteValue;
use super::chunk::{CHUNK_SIZE, Chunk, ChunkRef, unshare};
use super::contents::Contents;
use super::merge::{Choice, Unlike};
use super::nodes::{FANOUT, Node, levels, span};
use std::sync::Arc;

impl Contents {
    /// Takes the bytes of the other where the choice is not for these.
    pub(super) fn merge(
        &mut self,
        other: &Contents,
        choice: &mut Choice<'_>,
    ) -> Result<(), Unlike> {
        if self.size() != other.size() {
            return Err(Unlike::Object);
        }
        let (level, size) = (levels(self.size()), self.size());
        if let Some(root) = merged(self.root(), other.root(), (level, 0, size), choice)? {
            *self = Contents::of_root(root, size);
        }
        Ok(())
    }
}

/// Returns a node that represents two of the same level, start and size of the whole; `None` if
/// they are the same.
fn merged(
    first: &Node,
    second: &Node,
    (level, start, size): (u32, u64, u64),
    choice: &mut Choice<'_>,
) -> Result<Option<Node>, Unlike> {
    match (first, second) {
        (Node::Fill(own), Node::Fill(theirs)) if own == theirs => return Ok(None),
        (Node::Chunk(own), Node::Chunk(theirs)) if Arc::ptr_eq(own, theirs) => return Ok(None),
        (Node::Inner(own), Node::Inner(theirs)) if Arc::ptr_eq(own, theirs) => return Ok(None),
        _ if start >= size => return Ok(None),
        _ => {}
    }
    if level == 0 {
        let length = (size - start).min(CHUNK_SIZE as u64) as usize;
        let chunk = merged_chunk(first, second, length, choice)?;
        return Ok(chunk.map(Node::Chunk));
    }
    let mut changed = None;
    for index in 0..FANOUT {
        let place = (level - 1, start + index as u64 * span(level - 1), size);
        let merged = merged(&below(first, index), &below(second, index), place, choice)?;
        if let Some(child) = merged {
            let children =
                changed.get_or_insert_with(|| std::array::from_fn(|index| below(first, index)));
            children[index] = child;
        }
    }
    Ok(changed.map(|children: [Node; FANOUT]| Node::Inner(Arc::new(children))))
}

/// The child of a node above the chunks.
fn below(node: &Node, index: usize) -> Node {
    match node {
        Node::Inner(children) => children[index].clone(),
        other => other.clone(),
    }
}

fn merged_chunk(
    first: &Node,
    second: &Node,
    length: usize,
    choice: &mut Choice<'_>,
) -> Result<Option<ChunkRef>, Unlike> {
    let mut result: Option<ChunkRef> = None;
    for index in 0..length {
        let (own, theirs) = (byte_of(first, index), byte_of(second, index));
        if own == theirs {
            continue;
        }
        let byte = choice.byte(own, theirs)?;
        let chunk = result.get_or_insert_with(|| match first {
            Node::Chunk(chunk) => chunk.clone(),
            Node::Fill(fill) => Chunk::filled(length, *fill),
            Node::Inner(_) => unreachable!("level 0 holds no inner nodes"),
        });
        match choice.kept(byte) {
            ByteValue::Concrete(value) => unshare(chunk).write(index, &[value]),
            ByteValue::Term(term) => unshare(chunk).set_term(index, term),
        }
    }
    Ok(result)
}

fn byte_of(node: &Node, index: usize) -> ByteValue {
    match node {
        Node::Chunk(chunk) => match chunk.term(index) {
            Some(term) => ByteValue::Term(term),
            None => ByteValue::Concrete(chunk.bytes()[index]),
        },
        Node::Fill(fill) => ByteValue::Concrete(*fill),
        Node::Inner(_) => unreachable!("level 0 holds no inner nodes"),
    }
}
