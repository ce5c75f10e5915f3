//! Any edit of any text is made where its report says and nowhere else, and can be taken back.
//!
//! The input is a text, an earlier text, and the old and new lines of an edit, with NUL between them;
//! its first two bytes are the named lines.
#![cfg_attr(fuzzing, no_main)]

use aside_core::Version;
use aside_doc::{AnchoredEdit, BaseText, invert, plan};
use aside_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [start, length, rest @ ..] = bytes else { return };
    let Ok(rest) = std::str::from_utf8(rest) else { return };
    let mut parts = rest.split('\0');
    let mut part = || parts.next().unwrap_or_default().replace('\r', "");
    let (current, earlier, old, new) = (part(), part(), part(), part());
    let named = u32::from(*start);
    let edit = AnchoredEdit {
        start: (named > 0).then_some(named),
        end: (*length < 200).then_some(named + u32::from(*length % 8)),
        old: (length % 3 > 0).then_some(old),
        new,
    };
    let version = Version::of(&current);
    let bases = [&current, &earlier].map(|text| BaseText { version: Version::of(text), text });
    for base in [None, Some(&bases[0]), Some(&bases[1])] {
        let Ok(plan) = plan(&current, &version, base, std::slice::from_ref(&edit)) else { continue };
        let after = plan.text_after(&current);
        let base = BaseText { version: Version::of(&after), text: &after };
        let back =
            aside_doc::plan(&after, &base.version, Some(&base), &invert(&plan, &current)).expect("can be taken back");
        assert_eq!(back.text_after(&after), current);
    }
});
