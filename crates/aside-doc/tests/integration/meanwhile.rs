//! What becomes of an edit when the text was changed since its author saw it.

use aside_doc::Reason;

use crate::common::{edit, outcome};

#[test]
fn a_twin_that_came_leaves_the_known_lines_known() {
    let base = "fn one() {\n    go();\n}\n\nfn two() {\n    stop();\n}\n";
    // The line is copied below; its neighbours are where they were.
    let current = base.replace("    stop();\n", "    stop();\n    go();\n");
    let seen = edit((2, 2), "    go();\n", "    run();\n");
    assert_eq!(outcome(&current, Some(base), &[seen]).map(|(text, _)| text), Ok(current.replacen("go", "run", 1)));
}

#[test]
fn a_block_goes_with_its_edit_when_it_is_moved() {
    let (block, rest) =
        ("fn one() {\n    go();\n    stop();\n}\n", "mod a;\nmod b;\nmod c;\nmod d;\nmod e;\nmod f;\nmod g;\n");
    let (base, current) = (format!("{block}{rest}"), format!("{rest}{block}"));
    let made = outcome(&current, Some(&base), &[edit((1, 4), block_text(), "fn one() {}\n")]);
    assert_eq!(made.map(|(text, _)| text), Ok(format!("{rest}fn one() {{}}\n")));
}

fn block_text() -> &'static str {
    "fn one() {\n    go();\n    stop();\n}\n"
}

#[test]
fn what_was_made_by_hand_with_other_blanks_is_not_made_again() {
    let (base, current) = ("a\nb\n", "a\n    new\n    lines\nb\n");
    let seen = edit((1, 2), "a\nb\n", "a\n\tnew\n\tlines\nb\n");
    assert_eq!(outcome(current, Some(base), &[seen]).map(|(text, _)| text), Ok(current.to_owned()));
}

#[test]
fn named_lines_that_fit_loosely_are_not_passed_over_for_a_near_twin() {
    let text = format!("x\n    end\n{}    end\n{}        end\n", "gap\n".repeat(5), "far\n".repeat(40));
    assert_eq!(outcome(&text, Some(&text), &[edit((49, 49), "    end\n", "    done\n")]), Err(Reason::Ambiguous));
}
