//! Integration tests of `aside-latex`, one module a subject.

mod corpus;
mod synctex;
