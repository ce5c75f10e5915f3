//! What anchored edits have to withstand: places, white space, structure, asking twice.

use aside_core::{Confidence, Version};
use aside_doc::{AnchoredEdit, Level, Reason, invert};

use crate::common::*;

mod positions {
    use super::*;

    #[test]
    fn the_named_lines_of_the_current_version_are_exact() {
        assert_eq!(now(ABC, edit((2, 2), "b", "B")), becomes("a\nB\nc\n", Level::Named));
        assert_eq!(now("x\nx\nx\n", edit((2, 2), "x", "y")), becomes("x\ny\nx\n", Level::Named));
        assert_eq!(now(ABC, edit((2, 2), None, "B")), becomes("a\nB\nc\n", Level::Named));
        let plan = planned(ABC, Some(ABC), &[edit((2, 2), "b", "B")]).unwrap();
        assert_eq!(plan.hunks[0].confidence, Confidence::Exact);
    }

    #[test]
    fn lines_that_moved_are_followed() {
        let above = "new\n".repeat(500);
        let current = format!("{above}{ABC}");
        let after = format!("{above}a\nB\nc\n");
        assert_eq!(since(ABC, &current, edit((2, 2), "b", "B")), becomes(&after, Level::Carried));
        assert_eq!(since(ABC, &current, edit((2, 2), None, "B")), becomes(&after, Level::Carried));
        assert_eq!(outcome(&current, None, &[edit((2, 2), "b", "B")]), becomes(&after, Level::Found));
    }

    #[test]
    fn a_stale_range_with_unique_content_is_found() {
        let base = "a\nb\nc\nd\ne\n";
        let current = "top\na\nb\nC\nd\ne\n";
        assert_eq!(since(base, current, edit((4, 4), "b", "B")), becomes("top\na\nB\nC\nd\ne\n", Level::Found));
    }

    #[test]
    fn content_that_is_there_twice_is_told_apart_by_the_range() {
        let base = "if a:\n  go()\nelse:\n  go()\n";
        let current = "new\nif a:\n  go()\nelse:\n  go()\n";
        let after = "new\nif a:\n  go()\nelse:\n  stop()\n";
        assert_eq!(since(base, current, edit((4, 4), "  go()", "  stop()")), becomes(after, Level::Carried));
        assert_eq!(since(base, current, edit((), "  go()", "  stop()")), Err(Reason::Ambiguous));
        assert_eq!(outcome(current, None, &[edit((), "  go()", "  stop()")]), Err(Reason::Ambiguous));
    }

    #[test]
    fn without_a_version_the_numbers_count_but_are_not_certain() {
        let plan = planned("x\nx\n", None, &[edit((2, 2), "x", "y")]).unwrap();
        assert_eq!(plan.text_after("x\nx\n"), "x\ny\n");
        assert_eq!(plan.hunks[0].confidence, Confidence::Moved);
    }

    #[test]
    fn off_by_one_and_a_wrong_count_find_the_text() {
        assert_eq!(now(ABC, edit((1, 1), "b", "B")), becomes("a\nB\nc\n", Level::Found));
        assert_eq!(now(ABC, edit((2, 9), "b", "B")), becomes("a\nB\nc\n", Level::Found));
        assert_eq!(now(ABC, edit((70, 71), "b", "B")), becomes("a\nB\nc\n", Level::Found));
    }

    #[test]
    fn positions_that_make_no_sense_are_refused() {
        assert_eq!(now(ABC, edit((0, 1), "a", "A")), Err(Reason::Parse));
        assert_eq!(now(ABC, edit((3, 1), "a", "A")), Err(Reason::Parse));
        assert_eq!(now(ABC, edit((4, 4), None, "A")), Err(Reason::NoMatch));
        assert_eq!(now(ABC, edit(5, "", "A")), Err(Reason::NoMatch));
    }

    #[test]
    fn what_is_not_there_names_the_closest_real_lines() {
        let report =
            planned("def f(x):\n    return x\n", None, &[edit((), "def f(y):\n    return x", "z")]).unwrap_err();
        assert_eq!(report.failed[0].reason, Reason::NoMatch);
        assert_eq!(report.failed[0].candidates[0].line, 1);
        assert_eq!(report.failed[0].candidates[0].text, "def f(x):\n    return x");
    }

    #[test]
    fn ambiguity_names_at_most_three_places() {
        let report = planned(&"x\n".repeat(9), None, &[edit((), "x", "y")]).unwrap_err();
        let lines: Vec<u32> = report.failed[0].candidates.iter().map(|candidate| candidate.line).collect();
        assert_eq!(lines, [1, 2, 3]);
    }

    #[test]
    fn an_echo_of_the_first_and_last_line_stands_for_the_range() {
        let current = "a\nb\nc\nd\n";
        assert_eq!(now(current, edit((1, 3), "a\n...\nc", "x")), becomes("x\nd\n", Level::Named));
        assert_eq!(now(current, edit((1, 4), "a\n...\nc", "x")), Err(Reason::NoMatch));
        let later = format!("top\n{current}");
        assert_eq!(since(current, &later, edit((1, 3), "a\n...\nc", "x")), becomes("top\nx\nd\n", Level::Carried));
    }
}

mod twins {
    use super::*;

    #[test]
    fn a_surviving_twin_is_not_edited_when_the_place_was_deleted() {
        let base = "def a():\n  go()\n\ndef b():\n  go()\n";
        let current = "def a():\n\ndef b():\n  go()\n";
        assert_eq!(since(base, current, edit((2, 2), "  go()", "  stop()")), Err(Reason::Stale));
        assert_eq!(since("x\nx\n", "x\n", edit((1, 1), "x", "y")), Err(Reason::Stale));
    }

    #[test]
    fn a_surviving_twin_is_not_edited_when_the_place_was_retyped() {
        let base = "def a():\n  go()\n\ndef b():\n  go()\n";
        let current = "def a():\n  wait()\n\ndef b():\n  go()\n";
        assert_eq!(since(base, current, edit((2, 2), "  go()", "  stop()")), Err(Reason::Stale));
        let report = planned(current, Some(base), &[edit((2, 2), "  go()", "  stop()")]).unwrap_err();
        assert!(report.failed[0].candidates[0].text.contains("wait()"), "it says what is there now");
    }

    #[test]
    fn a_deleted_unique_place_is_stale_too() {
        assert_eq!(since(ABC, "a\nc\n", edit((2, 2), "b", "B")), Err(Reason::Stale));
        assert_eq!(since(ABC, "a\nc\n", edit((), "b", "B")), Err(Reason::Stale));
    }

    #[test]
    fn a_block_that_was_moved_is_stale() {
        let base = "one\ntwo\nthree\nfour\nfive\n";
        let current = "two\nthree\nfour\nfive\none\n";
        assert_eq!(since(base, current, edit((1, 1), "one", "1")), Err(Reason::Stale));
    }

    #[test]
    fn text_that_came_after_the_named_version_can_be_edited() {
        assert_eq!(since(ABC, "a\nb\nc\nd\n", edit((), "d", "D")), becomes("a\nb\nc\nD\n", Level::Found));
    }
}

mod twice {
    use super::*;

    #[test]
    fn a_retried_insertion_is_already_applied() {
        let insert = || edit(2, "", "new");
        let once = now(ABC, insert()).unwrap().0;
        assert_eq!(once, "a\nnew\nb\nc\n");
        assert!(is_already(&once, Some(ABC), insert()), "the same request again");
        assert!(is_already(&once, None, insert()), "without a version");
        let more = format!("top\n{}typed\n", once.replace("new\n", "new\ntyped\n"));
        assert!(is_already(&more, Some(ABC), insert()), "with typing around it");
    }

    #[test]
    fn with_the_current_version_nothing_is_a_retry() {
        assert_eq!(now("a\nnew\nb\n", edit(2, "", "new")), becomes("a\nnew\nnew\nb\n", Level::Named));
        assert_eq!(now("a\n\nb\n", edit(2, "", "\n")), becomes("a\n\n\nb\n", Level::Named));
        assert_eq!(now("b\nb2\n", edit((), "b", "b\nb2")), becomes("b\nb2\nb2\n", Level::Found));
        assert_eq!(now("b2\nb\n", edit((9, 9), "b", "b2\nb")), becomes("b2\nb2\nb\n", Level::Found));
        assert_eq!(now("a\nB\nc\n", edit((2, 2), "b", "B")), Err(Reason::NoMatch));
        assert_eq!(now("a\nB\nc\n", edit((), "b", "B")), Err(Reason::NoMatch));
    }

    #[test]
    fn a_retried_insertion_never_moves_on_to_a_twin() {
        let base = "{\n}\n{\n}\n";
        for (line, text) in [(2, "x"), (4, "x"), (3, "{"), (2, "}"), (5, "{")] {
            let insert = edit(line, "", text);
            let once = planned(base, Some(base), std::slice::from_ref(&insert)).unwrap().text_after(base);
            let again = planned(&once, Some(base), &[insert]).unwrap();
            assert_eq!(again.text_after(&once), once, "line {line}, {text:?}");
        }
    }

    #[test]
    fn a_retried_change_is_already_applied() {
        for edit in [
            edit((2, 2), "b", "B"),
            edit((), "b", "B"),
            edit((2, 2), None, "B1\nB2"),
            edit((1, 3), "a\nb\nc", "a\nB\nc"),
            edit((), "b", "above\nb\nbelow"),
            edit((2, 2), "b", "b\nb"),
        ] {
            let once = planned(ABC, Some(ABC), std::slice::from_ref(&edit)).unwrap().text_after(ABC);
            assert!(is_already(&once, Some(ABC), edit.clone()), "{edit:?}");
            let typed = format!("typed\n{once}typed\n");
            assert!(is_already(&typed, Some(ABC), edit.clone()), "{edit:?} with typing around it");
            if edit.old.is_some() {
                assert!(is_already(&once, None, edit.clone()), "{edit:?} without a version");
            }
        }
    }

    #[test]
    fn a_change_made_by_hand_with_plain_quotes_is_the_one_that_is_said_with_others() {
        for (said, typed) in [("say(\u{2019}b\u{2019})", "say('b')"), ("say(\"b\")", "say(\u{201c}b\u{201d})")] {
            let insert = edit(2, "", &format!("{said}\nmore"));
            assert!(is_already(&format!("a\n{typed}\nmore\nb\nc\n"), Some(ABC), insert), "{said}");
        }
        // Where the quotes are what changes, they are meant.
        let (base, quotes) = ("a\nsay('b')\n", edit((2, 2), "say('b')", "say(\u{2019}b\u{2019})"));
        assert!(!is_already("top\na\nsay('b')\n", Some(base), quotes));
    }

    #[test]
    fn a_retried_deletion_is_already_applied_and_takes_no_twin() {
        let base = "x\na\nx\nb\n";
        assert!(is_already("a\nx\nb\n", Some(base), edit((1, 1), "x", "")));
        assert!(is_already("x\na\nb\n", Some(base), edit((3, 3), None, "")));
        let far = format!("x\n{}x\n", "y\n".repeat(60));
        let once = far.strip_prefix("x\n").unwrap();
        assert_eq!(outcome(once, None, &[edit((1, 1), "x", "")]), Err(Reason::Stale));
    }

    #[test]
    fn a_retried_change_leaves_a_twin_alone() {
        let far = format!("x\n{}x\n", "y\n".repeat(60));
        let once = far.replacen('x', "new", 1);
        assert!(is_already(&once, None, edit((1, 1), "x", "new")));
        assert!(is_already(&once, Some(&far), edit((1, 1), "x", "new")));
    }

    #[test]
    fn old_and_new_the_same_is_an_error_that_says_so() {
        assert_eq!(now(ABC, edit((2, 2), "b", "b")), Err(Reason::Noop));
        assert_eq!(now(ABC, edit((2, 2), None, "b")), Err(Reason::Noop));
        assert_eq!(now(ABC, edit(2, "", "")), Err(Reason::Noop));
    }

    #[test]
    fn an_insertion_without_old_is_literal() {
        assert_eq!(now("x\n", edit((1, 0), None, "x")), becomes("x\nx\n", Level::Named));
        assert!(is_already("x\nx\n", Some("x\n"), edit((1, 0), None, "x")), "but not twice");
    }
}

mod white_space {
    use super::*;

    #[test]
    fn trailing_blanks_do_not_hide_a_place() {
        let current = "a  \nb\t\nc\n";
        assert_eq!(now(current, edit((), "a\nb", "a\nB")), becomes("a  \nB\nc\n", Level::TrailingBlanks));
    }

    #[test]
    fn a_uniform_outdent_is_given_back_to_the_new_lines() {
        let current = "class A:\n    def f(self):\n        return 1\n";
        let after = "class A:\n    def f(self):\n        x = 2\n        return x\n";
        let outdented = edit((), "def f(self):\n    return 1", "def f(self):\n    x = 2\n    return x");
        assert_eq!(now(current, outdented), becomes(after, Level::Indent));
    }

    #[test]
    fn tabs_stay_tabs_where_the_edit_has_spaces() {
        let current = "f:\n\tif x:\n\t\ty\n";
        let after = "f:\n\tif x:\n\t\tz\n\t\t\tw\n";
        assert_eq!(
            now(current, edit((2, 3), "    if x:\n        y", "    if x:\n        z\n            w")),
            becomes(after, Level::Indent)
        );
        assert_eq!(
            now(current, edit((2, 3), "    if x:\n        y", "   z")),
            Err(Reason::NoMatch),
            "not to be converted"
        );
    }

    #[test]
    fn spaces_for_tabs_need_named_lines() {
        let current = "def early(p):\n\tif p:\n\t\treturn\n\ndef target(p):\n\tfor i in p:\n\t\tif i:\n\t\t\tstop()\n";
        for (by, step) in [(0_usize, 4_usize), (2, 2), (3, 3), (4, 4), (8, 4), (8, 8)] {
            let given = |line: &str, depth: usize| " ".repeat(by + depth * step) + line;
            for (first, second) in [("if p:", "return"), ("if i:", "stop()"), ("for i in p:", "if i:")] {
                let old = [given(first, 0), given(second, 1)].join("\n");
                let new = [given(first, 0), given("pass", 1)].join("\n");
                let edit = AnchoredEdit { old: Some(old), new, ..AnchoredEdit::default() };
                assert_eq!(now(current, edit.clone()), Err(Reason::Ambiguous), "{edit:?}");
            }
        }
        let old = "    if p:\n        return";
        let twins = "def a():\n\tif p:\n\t\treturn\n\tfor i in p:\n\t\tif p:\n\t\t\treturn\n";
        assert_eq!(now(twins, edit((), old, "    pass")), Err(Reason::Ambiguous));
        assert_eq!(
            now(twins, edit((5, 6), old, "    if p:\n        pass")),
            becomes(&twins.replacen("\t\t\treturn", "\t\t\tpass", 1), Level::Indent)
        );
    }

    #[test]
    fn tab_width_is_not_guessed_from_one_line() {
        let current = "f:\n\t\ta\n";
        assert_eq!(now(current, edit((2, 2), "    a", "    b")), becomes("f:\n\t\tb\n", Level::Indent));
        assert_eq!(now(current, edit((2, 2), "    a", "    if b:\n        a")), Err(Reason::NoMatch));
    }

    #[test]
    fn mixed_indents_that_do_not_shift_alike_are_no_match() {
        assert_eq!(now("\ta\n  b\n", edit((), "  a\n    b", "x")), Err(Reason::NoMatch));
    }

    #[test]
    fn loose_matches_have_to_be_unique() {
        assert_eq!(now("  }\n    }\n", edit((), "}", "]")), Err(Reason::Ambiguous));
        assert_eq!(now("a \na\t\n", edit((), "a", "b")), Err(Reason::Ambiguous));
    }

    #[test]
    fn ambiguity_ends_the_search() {
        // Level c has two hits; that level d would have one more place does not help.
        assert_eq!(now("a\na\na \nb\n", edit((), "a", "x")), Err(Reason::Ambiguous));
    }

    #[test]
    fn blank_lines_are_only_found_by_their_number() {
        let current = "a\n\n\n\nb\n";
        assert_eq!(now(current, edit((3, 3), "\n", "x")), becomes("a\n\nx\n\nb\n", Level::Named));
        assert_eq!(now(current, edit((5, 5), "\n", "x")), Err(Reason::NoMatch));
        assert_eq!(now(current, edit((), "\n\n", "x")), Err(Reason::Parse));
        assert_eq!(now(current, edit((2, 4), None, "")), becomes("a\nb\n", Level::Named));
    }

    #[test]
    fn typographic_characters_stay_where_they_are_not_changed() {
        let current = "print(“it’s”)\nx = 1 – 2\n";
        let found = now(current, edit((), "print(\"it's\")\nx = 1 - 2", "print(\"it's\")\nx = 1 - 3"));
        assert_eq!(found, becomes("print(“it’s”)\nx = 1 – 3\n", Level::Punctuation));
        assert_eq!(now("a\u{a0}b\n", edit((), "a b", "a c")), becomes("a\u{a0}c\n", Level::Punctuation));
    }

    #[test]
    fn emoji_combining_characters_and_right_to_left_are_only_text() {
        let current = "👩‍🔬 e\u{301}\nשלום\nend\n";
        assert_eq!(now(current, edit((), "שלום", "עולם 👍")), becomes("👩‍🔬 e\u{301}\nעולם 👍\nend\n", Level::Found));
        assert_eq!(now(current, edit((), "👩‍🔬 é", "x")), Err(Reason::NoMatch), "composed is another text");
    }
}

mod bytes {
    use super::*;

    #[test]
    fn an_edit_with_crlf_fits_a_text_with_lf() {
        assert_eq!(now(ABC, edit((1, 2), "a\r\nb\r\n", "a\r\nB\r\n")), becomes("a\nB\nc\n", Level::Named));
    }

    #[test]
    fn the_final_newline_stays_as_it_is() {
        assert_eq!(now("a\nb", edit((2, 2), "b", "B")), becomes("a\nB", Level::Named));
        assert_eq!(now("a\nb", edit((2, 2), "b\n", "B\n")), becomes("a\nB", Level::Found.min(Level::Named)));
        assert_eq!(now("a\nb", edit((2, 2), None, "B\n")), becomes("a\nB", Level::Named));
        assert_eq!(now("a\nb", edit(3, "", "c\n")), becomes("a\nb\nc", Level::Named));
        assert_eq!(now("a\nb", edit((2, 2), "b", "")), becomes("a", Level::Named));
        assert_eq!(now("a\nb\n", edit((2, 2), "b", "")), becomes("a\n", Level::Named));
        assert_eq!(now("a\nb\n", edit(3, "", "c")), becomes("a\nb\nc\n", Level::Named));
    }

    #[test]
    fn the_final_newline_goes_or_comes_on_request() {
        assert_eq!(now("a\nb\n", edit((2, 2), "b\n", "b")), becomes("a\nb", Level::Named));
        assert_eq!(now("a\nb", edit((2, 2), "b", "b\n")), becomes("a\nb\n", Level::Named));
        let plan = planned("a\nb\n", Some("a\nb\n"), &[edit((2, 2), "b\n", "b")]).unwrap();
        assert_eq!(plan.final_newline, Some(false));
        assert_eq!(plan.hunks.len(), 1, "a person has to see a place");
    }

    #[test]
    fn empty_deletes_and_a_newline_leaves_one_blank_line() {
        assert_eq!(now(ABC, edit((2, 2), "b", "")), becomes("a\nc\n", Level::Named));
        assert_eq!(now(ABC, edit((2, 2), "b", "\n")), becomes("a\n\nc\n", Level::Named));
        assert_eq!(now(ABC, edit((2, 2), "b", "\n\n")), becomes("a\n\n\nc\n", Level::Named));
        assert_eq!(
            now("a\nb", edit((2, 2), "b", "\n")),
            becomes("a\n\n", Level::Named),
            "a blank last line has to end"
        );
        assert_eq!(now("a\n", edit((1, 1), "a", "")), becomes("", Level::Named));
    }

    #[test]
    fn an_empty_text_takes_what_comes_as_it_is() {
        assert_eq!(now("", edit(1, "", "a")), becomes("a", Level::Named));
        assert_eq!(now("", edit(1, "", "a\n")), becomes("a\n", Level::Named));
        assert_eq!(now("", edit((), "a", "b")), Err(Reason::NoMatch));
    }

    #[test]
    fn context_lines_keep_their_own_bytes() {
        let current = "a  \nb\nc\t\n";
        let plan = planned(current, None, &[edit((), "a\nb\nc", "a\nB\nc")]).unwrap();
        assert_eq!(plan.text_after(current), "a  \nB\nc\t\n");
        assert_eq!(plan.hunks.len(), 1);
        assert_eq!((plan.hunks[0].range_before.start, plan.hunks[0].range_before.end), (2, 2));
    }

    #[test]
    fn one_long_line_is_changed_in_place() {
        let long = "x".repeat(1 << 20);
        let current = format!("{long}a{long}\n");
        let mut change = edit((1, 1), None, "");
        change.new = format!("{long}b{long}\n");
        let plan = planned(&current, Some(&current), &[change]).unwrap();
        assert_eq!(plan.splices.len(), 1);
        assert_eq!((plan.splices[0].range.clone(), &plan.splices[0].insert[..]), (1 << 20..(1 << 20) + 1, "b"));
    }

    #[test]
    fn nul_is_refused() {
        assert_eq!(now(ABC, edit((1, 1), "a", "a\0")), Err(Reason::Parse));
    }
}

mod structure {
    use super::*;

    fn several(current: &str, edits: &[AnchoredEdit]) -> Result<String, Reason> {
        outcome(current, Some(current), edits).map(|(text, _)| text)
    }

    #[test]
    fn edits_may_come_in_any_order_and_touch() {
        let edits = [edit((3, 3), "c", "C\nC2"), edit((1, 1), "a", ""), edit((2, 2), "b", "B"), edit(2, "", "new")];
        assert_eq!(several(ABC, &edits), Ok("new\nB\nC\nC2\n".to_owned()));
        let plan = planned(ABC, Some(ABC), &edits).unwrap();
        let ranges: Vec<_> =
            plan.report.applied.iter().map(|applied| (applied.range_after.start, applied.range_after.end)).collect();
        assert_eq!(ranges, [(3, 4), (1, 0), (2, 2), (1, 1)]);
    }

    #[test]
    fn edits_of_the_same_lines_fail_together_and_are_named() {
        for pair in [
            [edit((2, 2), "b", "B"), edit((2, 2), "b", "X")],
            [edit((2, 2), "b", "B"), edit((2, 2), "b", "B")],
            [edit((1, 3), "a\nb\nc", "a\nB\nc"), edit((3, 3), "c", "C")],
            [edit((1, 3), "a\nb\nc", "A\nB\nC"), edit((2, 2), "b", "X")],
            [edit((1, 2), "a\nb", "x"), edit(2, "", "y")],
            [edit(2, "", "x"), edit(2, "", "y")],
        ] {
            let report = planned(ABC, Some(ABC), &pair).unwrap_err();
            assert_eq!(report.failed[0].reason, Reason::Overlap, "{pair:?}");
            assert!(report.failed[0].message.contains("0 and 1") || report.failed[0].message.contains("1 and 0"));
        }
    }

    #[test]
    fn one_failing_edit_fails_the_request() {
        let report = planned(ABC, Some(ABC), &[edit((1, 1), "a", "A"), edit((), "nowhere", "x")]).unwrap_err();
        assert!(report.applied.is_empty());
        assert_eq!((report.placed.len(), report.placed[0].index), (1, 0));
        assert_eq!((report.failed[0].index, report.failed[0].reason), (1, Reason::NoMatch));
    }

    #[test]
    fn insertions_at_both_ends() {
        assert_eq!(several(ABC, &[edit(1, "", "top"), edit(4, "", "end")]), Ok("top\na\nb\nc\nend\n".to_owned()));
    }

    #[test]
    fn five_hundred_edits_at_once() {
        let current: String = (1..=1000).map(|line| format!("line {line}\n")).collect();
        let every_second = (1..=500).rev().map(|number| {
            let line = number * 2;
            AnchoredEdit { old: Some(format!("line {line}")), new: format!("LINE {line}"), start: None, end: None }
        });
        let edits: Vec<_> = every_second.collect();
        let after: String =
            (1..=1000).map(|line| format!("{} {line}\n", if line % 2 == 0 { "LINE" } else { "line" })).collect();
        assert_eq!(several(&current, &edits), Ok(after));
    }

    #[test]
    fn elisions_replace_piece_by_piece() {
        let current = "def f():\n    a\n    b\n    return 1\n";
        let elided = edit((), "def f():\n...\n    return 1", "def g():\n...\n    return 2");
        assert_eq!(now(current, elided), becomes("def g():\n    a\n    b\n    return 2\n", Level::Elision));
        assert_eq!(now(current, edit((), "def f():\n...\n    return 1", "def g():")), Err(Reason::NoMatch));
    }

    #[test]
    fn what_stays_around_an_elision_has_to_be_there_still() {
        let base = "def f():\n    a\n    b\n    return 1\n";
        let elided = || edit((), "def f():\n...\n    return 1", "def f():\n...\n    return 2");
        let typed_inside = base.replace("    a\n", "    a typed\n");
        let becomes_two = typed_inside.replace("return 1", "return 2");
        assert_eq!(since(base, &typed_inside, elided()), becomes(&becomes_two, Level::Elision));
        assert_eq!(since(base, &base.replace("f()", "other()"), elided()), Err(Reason::Stale));
        assert!(is_already(&becomes_two, Some(base), elided()));
    }

    #[test]
    fn the_report_is_the_documented_json() {
        let plan = planned(ABC, Some(ABC), &[edit((2, 2), "b", "B")]).unwrap();
        let version = Version::of(ABC);
        assert_eq!(
            serde_json::to_value(&plan.report).unwrap(),
            serde_json::json!({
                "applied": [{
                    "index": 0,
                    "range_before": {"start": 2, "end": 2},
                    "range_after": {"start": 2, "end": 2},
                    "level": "a",
                    "confidence": "exact",
                    "diff": "-b\n+B\n",
                }],
                "failed": [],
                "hash_before": version.as_str(),
            })
        );
        let report = planned(ABC, Some(ABC), &[edit((), "bb", "B")]).unwrap_err();
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["failed"][0]["reason"], "no_match");
        assert!(json["failed"][0]["candidates"].is_array());
    }
}

mod parts {
    use super::*;

    #[test]
    fn every_hunk_can_be_made_on_its_own() {
        let before = "a\nb\nc\nd\n";
        let whole = edit((1, 4), "a\nb\nc\nd", "a\na\nb\nC\nd\nd");
        let plan = planned(before, Some(before), &[whole]).unwrap();
        let alone: Vec<String> = plan.hunks.iter().map(|hunk| now(before, hunk.as_edit()).unwrap().0).collect();
        assert_eq!(alone, ["a\na\nb\nc\nd\n", "a\nb\nC\nd\nd\n"]);
    }

    #[test]
    fn a_preview_shows_what_changes() {
        let plan = planned(ABC, Some(ABC), &[edit((2, 2), "b", "B")]).unwrap();
        let hunks = plan.preview(ABC);
        assert_eq!((hunks[0].start, &hunks[0].old, &hunks[0].new), (2, &vec!["b".to_owned()], &vec!["B".to_owned()]));
        assert_eq!((&hunks[0].before, &hunks[0].after), (&vec!["a".to_owned()], &vec!["c".to_owned()]));
    }
}

mod undo {
    use super::*;

    /// Makes an edit, lets a person type, and takes the edit back.
    fn undone(before: &str, edit: AnchoredEdit, typed: impl Fn(&str) -> String) -> Result<String, Reason> {
        let plan = planned(before, Some(before), &[edit]).unwrap();
        let after = plan.text_after(before);
        let now = typed(&after);
        outcome(&now, Some(&after), &invert(&plan, before)).map(|(text, _)| text)
    }

    #[test]
    fn what_was_typed_above_and_below_is_kept() {
        let typed = |text: &str| format!("above\n{text}below\n");
        assert_eq!(undone(ABC, edit((2, 2), "b", "B"), typed), Ok("above\na\nb\nc\nbelow\n".to_owned()));
        assert_eq!(undone(ABC, edit((2, 2), "b", ""), typed), Ok("above\na\nb\nc\nbelow\n".to_owned()));
        assert_eq!(undone(ABC, edit(2, "", "new"), typed), Ok("above\na\nb\nc\nbelow\n".to_owned()));
    }

    #[test]
    fn what_was_typed_inside_is_not_thrown_away() {
        let typed = |text: &str| text.replace('B', "B mine");
        assert_eq!(undone(ABC, edit((2, 2), "b", "B"), typed), Err(Reason::Stale));
    }

    #[test]
    fn an_undo_can_be_undone() {
        let plan = planned(ABC, Some(ABC), &[edit((2, 2), "b", "B1\nB2")]).unwrap();
        let after = plan.text_after(ABC);
        let back = planned(&after, Some(&after), &invert(&plan, ABC)).unwrap();
        assert_eq!(back.text_after(&after), ABC);
        let again = planned(ABC, Some(ABC), &invert(&back, &after)).unwrap();
        assert_eq!(again.text_after(ABC), after);
    }

    #[test]
    fn an_undo_asked_for_twice_does_it_once() {
        let plan = planned(ABC, Some(ABC), &[edit((2, 2), "b", "B")]).unwrap();
        let after = plan.text_after(ABC);
        let again = planned(ABC, Some(&after), &invert(&plan, ABC)).unwrap();
        assert!(again.changes_nothing());
    }
}
