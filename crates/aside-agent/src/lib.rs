//! The turn loop, profiles and the text grammar.
