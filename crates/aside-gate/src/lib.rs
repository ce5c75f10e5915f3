//! The only door to side effects.
