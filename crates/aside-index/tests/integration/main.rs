//! Tests of the index over real folders.

mod common;
mod conversations;
mod damage;
mod expressions;
mod freshness;
mod guards;
mod learning;
mod pdfs;
