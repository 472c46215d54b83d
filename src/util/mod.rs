//! Small generic things that every room may use: dense ids. Knows nothing about programs or terms.

mod id;

pub(crate) use id::dense_id;
