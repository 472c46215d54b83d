//! (skeleton; owned by its engineer)
