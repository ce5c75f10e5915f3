//! Live texts beside the official JavaScript client, and beside each other.
//!
//! The bytes in hexadecimal and base 64 were produced by yjs 13.6.33, y-protocols 1.0.7 and lib0 0.2.120
//! (client id 1001; the text is [`TEXT`]).

use aside_core::{HunkAnchor, Version};
use aside_doc::{Access, PeerId, Received, Replica, Splice, StateDocument, SyncError, TextDocument};
use proptest::prelude::*;

const TEXT: &str = "\ntyped 👍 e\u{301}\nשלום\nc\n";
const UPDATE: &str = "0104e90700010104746578740184e90700010a84e9070114f09f918d2065cc810ad7a9d79cd795d79d0a630ac4e90701e907020674797065642001e907010001";
const STEP_1: &str = "00000401e90715";
const STEP_2: &str = "0001400104e90700010104746578740184e90700010a84e9070114f09f918d2065cc810ad7a9d79cd795d79d0a630ac4e90701e907020674797065642001e907010001";
const AWARENESS: &str = "011c01e90701177b2275736572223a7b226e616d65223a22416461227d7d";
/// `Y.encodeRelativePosition` before (association 0) and after (association -1) the emoji, and at the end.
const EMOJI: [&str; 2] = ["AOkHAgA=", "AOkHA0E="];
const END: &str = "AQR0ZXh0AA==";

const ALICE: PeerId = PeerId(1);
const BOB: PeerId = PeerId(2);

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digit).collect()
}

fn from_javascript() -> TextDocument {
    TextDocument::from_updates([bytes(UPDATE)]).unwrap()
}

fn receive(document: &mut TextDocument, frame: &[u8]) -> Received {
    document.replica_mut().receive(ALICE, Access::Write, frame).unwrap()
}

/// Sends what `from` has to `to`, as two providers do.
fn sync(from: &mut TextDocument, to: &mut TextDocument) {
    for question in to.replica().greet() {
        for answer in receive(from, &question).replies {
            receive(to, &answer);
        }
    }
}

mod javascript {
    use super::*;

    #[test]
    fn its_updates_are_read() {
        assert_eq!(&*from_javascript().text(), TEXT);
    }

    #[test]
    fn its_questions_are_answered_with_its_own_bytes() {
        let mut document = from_javascript();
        let empty = [0, 0, 1, 0];
        assert_eq!(receive(&mut document, &empty).replies, [bytes(STEP_2)]);
        assert_eq!(document.replica().greet(), [bytes(STEP_1)]);
    }

    #[test]
    fn its_answers_and_cursors_are_taken_in_and_passed_on() {
        let mut document = TextDocument::from_text("");
        let received = receive(&mut document, &bytes(STEP_2));
        assert_eq!(&*document.text(), TEXT);
        assert_eq!(received.change.unwrap().update, bytes(UPDATE));
        assert_eq!(receive(&mut document, &bytes(STEP_2)), Received::default(), "nothing new");
        assert_eq!(receive(&mut document, &bytes(AWARENESS)).presence, Some(bytes(AWARENESS)));
        assert_eq!(document.replica().greet()[1], bytes(AWARENESS));
        assert_eq!(receive(&mut document, &[3]).replies, [bytes(AWARENESS)]);
    }

    #[test]
    fn anchors_are_its_relative_positions() {
        let document = from_javascript();
        let start = TEXT.find('👍').unwrap();
        let anchor = document.anchor(start..start + 4).unwrap();
        assert_eq!([&anchor.start[..], &anchor.end[..]], EMOJI);
        assert_eq!(document.resolve(&anchor), Some(start..start + 4));
        assert_eq!(document.anchor(TEXT.len()..TEXT.len()).unwrap().start, END);
    }
}

mod text {
    use super::*;

    fn splice(range: std::ops::Range<usize>, insert: &str) -> Splice {
        Splice { range, insert: insert.to_owned() }
    }

    #[test]
    fn splices_count_in_bytes_whatever_the_characters() {
        let mut document = TextDocument::from_text("👍 é\nשלום\n");
        let at = |needle: &str| "👍 é\nשלום\n".find(needle).unwrap();
        document.apply(
            &[splice(0..4, "👎👎"), splice(at("é")..at("é") + 2, "e"), splice(at("ם")..at("ם") + 2, "")],
            "test",
        );
        assert_eq!(&*document.text(), "👎👎 e\nשלו\n");
    }

    #[test]
    fn the_version_follows_the_text() {
        let mut document = TextDocument::from_text("a");
        assert_eq!(document.version(), Version::of("a"));
        document.replace_text("b", "test");
        assert_eq!((document.version(), document.version()), (Version::of("b"), Version::of("b")));
    }

    #[test]
    fn what_changes_nothing_is_no_change() {
        let mut document = TextDocument::from_text("a\n");
        assert_eq!(document.replace_text("a\n", "test"), None);
        assert_eq!(document.apply(&[], "test"), None);
    }

    #[test]
    fn a_stored_history_is_continued() {
        let mut document = TextDocument::from_text("a\n");
        let mut log = vec![document.replica().encode_state()];
        log.extend(document.replace_text("a\nb\n", "test").map(|change| change.update));
        log.extend(document.replace_text("x\nb\n", "test").map(|change| change.update));
        assert_eq!(&*TextDocument::from_updates(&log).unwrap().text(), "x\nb\n");
    }

    #[test]
    fn replacing_the_text_leaves_the_cursors_of_others_where_they_are() {
        let before = "one\ntwo\nthree\nfour\n";
        let mut document = TextDocument::from_text(before);
        let cursor = document.anchor(9..9).unwrap();
        assert_eq!(&before[9..10], "h");
        document.replace_text("zero\none\nTWO\nthree!\nfour\n", "disk");
        let now = document.resolve(&cursor).unwrap().start;
        assert_eq!(&document.text()[now..now + 5], "hree!");
    }
}

mod anchors {
    use super::*;

    /// Anchors `b` of `a b c`-like text, types, and returns what the anchor covers then.
    fn covers(range: std::ops::Range<usize>, at: usize, typed: &str) -> String {
        let mut document = TextDocument::from_text("a\nb\nc\n");
        let anchor = document.anchor(range).unwrap();
        document.apply(&[Splice { range: at..at, insert: typed.to_owned() }], "test");
        document.text()[document.resolve(&anchor).unwrap()].to_owned()
    }

    #[test]
    fn what_is_typed_at_the_boundary_stays_outside() {
        assert_eq!(covers(2..3, 2, "X"), "b");
        assert_eq!(covers(2..3, 3, "X"), "b");
        assert_eq!(covers(0..6, 6, "X"), "a\nb\nc\n");
        assert_eq!(covers(0..6, 0, "X"), "a\nb\nc\n");
        assert_eq!(covers(0..5, 2, "X"), "a\nXb\nc", "but what is typed inside is inside");
    }

    #[test]
    fn an_empty_range_stays_empty() {
        assert_eq!(covers(2..2, 2, "X"), "");
        assert_eq!(covers(6..6, 6, "X"), "");
    }

    #[test]
    fn a_range_whose_characters_are_gone_is_empty() {
        let mut document = TextDocument::from_text("a\nb\nc\n");
        let anchor = document.anchor(2..4).unwrap();
        document.replace_text("a\nc\n", "test");
        assert_eq!(document.resolve(&anchor), Some(2..2));
    }

    #[test]
    fn what_is_no_range_or_no_anchor_is_none() {
        let document = TextDocument::from_text("👍");
        assert_eq!(document.anchor(1..4), None);
        assert_eq!(document.anchor(0..5), None);
        for (start, end) in [("", ""), ("!!", "AOkHAgA="), ("AOkHAgA=", "AOkHA0E=")] {
            let anchor = HunkAnchor { start: start.to_owned(), end: end.to_owned() };
            assert_eq!(document.resolve(&anchor), None, "{start:?}");
        }
    }
}

mod peers {
    use super::*;

    #[test]
    fn a_reader_sees_and_is_seen_but_changes_nothing() {
        let mut document = TextDocument::from_text("a");
        let reader = |document: &mut TextDocument, frame: &[u8]| {
            document.replica_mut().receive(BOB, Access::Read, frame).unwrap()
        };
        assert_eq!(reader(&mut document, &[0, 0, 1, 0]).replies.len(), 1);
        assert_eq!(reader(&mut document, &[0, 1, 2, 0, 0]), Received::default(), "an empty answer");
        assert!(reader(&mut document, &bytes(AWARENESS)).presence.is_some());
        let refused = reader(&mut document, &bytes(STEP_2));
        assert_eq!((refused.replies[0][0], refused.change), (2, None), "permission denied");
        assert_eq!(&*document.text(), "a");
    }

    #[test]
    fn who_disconnects_disappears_for_the_others() {
        let mut document = TextDocument::from_text("a");
        receive(&mut document, &bytes(AWARENESS));
        let gone = document.replica_mut().leave(ALICE).unwrap();
        assert_eq!(gone, bytes("010901e90702046e756c6c"), "client 1001, clock 2, null");
        assert_eq!(document.replica().greet().len(), 1);
        assert_eq!(document.replica_mut().leave(ALICE), None);
    }

    #[test]
    fn nonsense_is_an_error_and_changes_nothing() {
        let mut document = TextDocument::from_text("a");
        for frame in [&b""[..], b"\x00", b"\x00\x02\x05abc", b"\x00\x00\x03\xff\xff\xff", b"\x01\x01\x09", b"\x63\x00"]
        {
            let received = document.replica_mut().receive(ALICE, Access::Write, frame);
            assert!(matches!(received, Err(SyncError::Malformed(_))), "{frame:?}: {received:?}");
        }
        assert_eq!(&*document.text(), "a");
    }

    #[test]
    fn updates_that_trip_an_assertion_are_errors() {
        let mut document = from_javascript();
        let client_beyond_53_bits = [1, 1, 188, 128, 240, 214, 194, 242, 143, 229, 12];
        let clock_that_overflows =
            [1, 1, 115, 247, 212, 206, 245, 0xff, 0xff, 0xff, 0xff, 15, 0, 132, 246, 250, 149, 1, 10, 1, 48];
        for update in [&client_beyond_53_bits[..], &clock_that_overflows] {
            let frame = [&[0, 2, u8::try_from(update.len()).unwrap()], update].concat();
            assert!(document.replica_mut().receive(ALICE, Access::Write, &frame).is_err(), "{update:?}");
            assert!(TextDocument::from_updates([update]).is_err(), "{update:?}");
        }
        assert_eq!(&*document.text(), TEXT);
    }

    #[test]
    fn a_restored_document_is_what_was_stored_and_goes_on() {
        let mut document = from_javascript();
        document.replace_text("not stored", "test");
        document.restore([bytes(UPDATE)]).unwrap();
        assert_eq!(&*document.text(), TEXT);
        document.replace_text("on", "test");
        assert_eq!(&*document.text(), "on");
    }

    #[test]
    fn what_builds_on_changes_that_are_not_here_is_asked_for_again() {
        let mut author = TextDocument::from_text("a");
        let mut document = TextDocument::from_text("");
        let second = author.replace_text("ab", "typing").unwrap();
        let received = receive(&mut document, &second.frame());
        assert_eq!((received.change, &*document.text()), (None, ""));
        assert_eq!(received.replies, document.replica().greet(), "sync step 1");
        let answer = receive(&mut author, &received.replies[0]).replies.remove(0);
        assert!(receive(&mut document, &answer).change.is_some());
        assert_eq!(&*document.text(), "ab");
    }

    #[test]
    fn stored_updates_may_come_in_any_order() {
        let mut author = TextDocument::from_text("a");
        let first = author.replica().encode_state();
        let second = author.replace_text("ab", "typing").unwrap().update;
        assert_eq!(&*TextDocument::from_updates([second, first]).unwrap().text(), "ab");
    }

    #[test]
    fn content_that_is_not_text_does_not_shift_places() {
        use yrs::{ReadTxn as _, Text as _, Transact as _, updates::decoder::Decode as _};
        let mut document = TextDocument::from_text("ab");
        let peer = yrs::Doc::new();
        let text = peer.get_or_insert_text("text");
        let state = yrs::Update::decode_v1(&document.replica().encode_state()).unwrap();
        peer.transact_mut().apply_update(state).unwrap();
        text.insert_embed(&mut peer.transact_mut(), 1, yrs::Any::from("embedded"));
        let update = peer.transact().encode_state_as_update_v1(&yrs::StateVector::default());
        document.replica_mut().merge(&update).unwrap();
        document.apply(&[Splice { range: 1..2, insert: "B".to_owned() }], "test");
        assert_eq!(&*document.text(), "aB");
        assert_eq!(document.resolve(&document.anchor(1..2).unwrap()), Some(1..2));
    }

    #[test]
    fn the_layout_is_passed_on() {
        use yrs::{Map as _, ReadTxn as _, Transact as _};
        let browser = yrs::Doc::new();
        let map = browser.get_or_insert_map("layout");
        map.insert(&mut browser.transact_mut(), "mode", "focus");
        let update = browser.transact().encode_state_as_update_v1(&yrs::StateVector::default());
        let mut layout = StateDocument::default();
        let change = layout.replica_mut().merge(&update).unwrap().change.unwrap();
        assert_eq!(layout.value("mode").as_deref(), Some("\"focus\""));
        let stored = StateDocument::from_updates([change.update]).unwrap();
        assert_eq!(stored.value("mode").as_deref(), Some("\"focus\""));
        assert_eq!(stored.value("none"), None);
    }
}

/// Whose turn it is, where (per mille of the text) and what to put there in place of how many bytes.
type Step = (usize, usize, usize, String);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec((0..3_usize, 0..1000_usize, 0..6_usize, "[ab\né👍]{0,4}"), 1..40)
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

proptest! {
    #[test]
    fn three_peers_that_type_at_once_converge(steps in steps(), rounds in 1..5_usize) {
        let first = TextDocument::from_text("start\n👍 text\n");
        let state = first.replica().encode_state();
        let copy = || TextDocument::from_updates([&state]).unwrap();
        let mut peers = [first, copy(), copy()];
        for (index, (peer, at, length, insert)) in steps.iter().enumerate() {
            let text = peers[*peer].text();
            let start = boundary(&text, at * text.len() / 1000);
            let end = boundary(&text, start + length).max(start);
            peers[*peer].apply(&[Splice { range: start..end, insert: insert.clone() }], "typing");
            if index % rounds == 0 {
                let (left, right) = peers.split_at_mut(1);
                sync(&mut left[0], &mut right[index % 2]);
            }
        }
        for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
            let frames = peers[to].replica().greet();
            for frame in frames {
                for answer in receive(&mut peers[from], &frame).replies {
                    receive(&mut peers[to], &answer);
                }
            }
        }
        prop_assert_eq!(peers[0].text(), peers[1].text());
        prop_assert_eq!(peers[1].text(), peers[2].text());
        prop_assert_eq!(peers[0].version(), Version::of(peers[2].text().as_bytes()));
    }

    #[test]
    fn any_replacement_arrives(before in "[ab\n é👍]{0,30}", after in "[ab\n é👍]{0,30}") {
        let mut document = TextDocument::from_text(&before);
        document.replace_text(&after, "test");
        prop_assert_eq!(&*document.text(), &after);
        let copy = Replica::from_updates([document.replica().encode_state()]);
        prop_assert!(copy.is_ok());
    }

    #[test]
    fn any_anchor_resolves_to_where_it_was(text in "[ab\n é👍]{0,30}", one in 0..60_usize, two in 0..60_usize) {
        let document = TextDocument::from_text(&text);
        let (one, two) = (boundary(&text, one), boundary(&text, two));
        let range = one.min(two)..one.max(two);
        prop_assert_eq!(document.resolve(&document.anchor(range.clone()).unwrap()), Some(range));
    }

    #[test]
    fn no_bytes_bring_it_down(frame in proptest::collection::vec(any::<u8>(), 0..60)) {
        let mut document = TextDocument::from_text("a\n");
        let _ = document.replica_mut().receive(ALICE, Access::Write, &frame);
        document.apply(&[Splice { range: 0..0, insert: "b".to_owned() }], "test");
    }

    #[test]
    fn no_broken_update_brings_it_down(at in 0..65_usize, byte in any::<u8>(), cut in 0..65_usize) {
        let mut frame = bytes(STEP_2);
        let at = at.min(frame.len() - 1);
        frame[at] = byte;
        frame.truncate(frame.len() - cut.min(frame.len() - 1) / 8);
        let mut document = TextDocument::from_text("a\n");
        let _ = document.replica_mut().receive(ALICE, Access::Write, &frame);
        document.replace_text("b\n", "test");
        prop_assert_eq!(&*document.text(), "b\n");
    }
}
