//! No frame of a peer brings a document down.
#![cfg_attr(fuzzing, no_main)]

use aside_doc::{Access, PeerId, TextDocument};
use aside_fuzz::fuzz_target;

fuzz_target!(init: {
    // A panic that is caught on the way is an answer; only one that gets here is a finding.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
}, |bytes: &[u8]| {
    let mut document = TextDocument::from_text("a\nb\n");
    for frame in bytes.split(|byte| *byte == 0xff) {
        let _ = document.replica_mut().receive(PeerId(1), Access::Write, frame);
    }
    document.replace_text("c\n", "fuzz");
    assert_eq!(&*document.text(), "c\n");
});
