//! Integration tests of `aside-notebook`, one module a subject.

mod nbformat;
mod properties;
mod write;
