//! The built-in actions, one file each.
