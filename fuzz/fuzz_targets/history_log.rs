//! Any bytes are a log of another AI program as far as they go: read without a panic, in pieces as at once.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_history::{FileFacts, Found, Reader, Source};

fuzz_target!(|bytes: &[u8]| {
    let facts = FileFacts { session: "s".to_owned(), document: false };
    for source in Source::all() {
        let (mut whole, mut pieces) = (Found::default(), Found::default());
        let read = Reader::new(source, &facts).read(bytes, 0, &mut whole);
        let mut reader = Reader::new(source, &facts);
        let first = reader.read(&bytes[..bytes.len() / 2], 0, &mut pieces);
        let second = reader.read(&bytes[first..], first as u64, &mut pieces);
        Reader::new(source, &facts).read_document(bytes, &mut Found::default());
        assert_eq!((first + second, pieces), (read, whole));
    }
});
