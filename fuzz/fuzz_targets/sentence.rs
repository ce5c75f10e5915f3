//! A sentence has a route, whatever is in it and whatever the files are called.
#![cfg_attr(fuzzing, no_main)]

use std::sync::LazyLock;

use aside_core::Descriptor;
use aside_fuzz::fuzz_target;
use aside_route::{Grammar, SeenFile, Situation, route};

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let catalog: Vec<Descriptor> = serde_json::from_str(include_str!("../../crates/aside-route/tests/catalog.json"))
        .expect("the catalog is a list of descriptors");
    Grammar::new(&catalog).expect("a test builds it")
});

fuzz_target!(|input: (&str, &str)| {
    let (text, name) = input;
    let files = vec![SeenFile { path: name.to_owned(), mtime: String::new() }];
    route(text, &Situation { files, ..Situation::default() }, &GRAMMAR);
});
