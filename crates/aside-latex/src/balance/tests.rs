//! What is balanced and what is not, in small texts.

use proptest::prelude::*;

use super::*;

fn check(text: &str, expect: &[&str]) {
    let found: Vec<_> = imbalances(text).iter().map(Imbalance::message).collect();
    assert_eq!(found, expect, "in {text:?}");
}

#[test]
fn balanced_texts_are_fine() {
    for text in [
        "",
        "\\begin{a}{x}$y$ \\(z\\) \\[w\\] $$v$$\\end{a}",
        "a \\{ b \\$ c \\% d \\\\[2pt] e",
        "50\\% of {x} % not } this $ \\begin{a}\n",
        "$a$$b$ and $\\text{if $c$}$",
        "$\\left( x \\right] + \\left\\{ y \\right.$",
        "\\verb|{$| \\verb*+\\begin{x}+ \\lstinline[x]!}! \\mintinline{c}|{|",
        "\\begin{verbatim}\n} $ \\end{x} \\begin{y}\n\\end{verbatim}",
        "\\begin{minted}{c}\nif (a) {\n\\end{minted}",
        "\\newcommand{\\be}{\\begin{equation}}\n\\newcommand\\ee{\\end{equation}}\\def\\x#1{$#1}\n\\newenvironment{y}[1][z]{\\begin{y}$}{$\\end{y}}",
        "\\begin{tabular}{>{$}c<{$}l}a&b\\end{tabular} \\newcolumntype{C}[1]{>{$}c<{$}}",
        "\\url{http://x/%7B#a} \\href{http://x%20y}{z}",
        "\\begin{document}x\\end{document} } $ \\end{y}",
        "\\NewDocumentEnvironment{a}{m}{\\begin{b}}{\\end{b}}",
        "\\iffalse } $ \\fi",
        "$$a$$ and $$ b $$",
    ] {
        check(text, &[]);
    }
}

#[test]
fn what_is_open_is_told_with_its_line() {
    check("\\begin{a}\nx\n", &["\\begin{a} in line 1 has no \\end{a}."]);
    check("x\n\\end{a}", &["\\end{a} in line 2 has no \\begin{a}."]);
    check("\\begin{a}\n\\begin{b}\n\\end{a}", &["\\begin{b} in line 2 has no \\end{b}."]);
    check("{\n{}", &["{ in line 1 is not closed."]);
    check("a}\n", &["} in line 1 closes nothing."]);
    check("\n$a\n\nnew $b$", &["$ in line 2 is not closed."]);
    check("\\[ a\n", &["\\[ in line 1 is not closed."]);
    check("a \\) b", &["\\) in line 1 closes nothing."]);
    check("$\\left( x$", &["\\left in line 1 is not closed."]);
    check("$x \\right)$", &["\\right in line 1 closes nothing."]);
    check("\\textbf{$a}", &["$ in line 1 is not closed."]);
    check("\\begin{verbatim}\nx", &["\\begin{verbatim} in line 1 has no \\end{verbatim}."]);
    check("\\newcommand{\\x}{a", &["{ in line 1 is not closed."]);
}

#[test]
fn an_edit_is_told_what_it_unbalanced_only() {
    let before = "a}\n\\begin{x}\n$y$\n\\end{x}\n";
    assert_eq!(imbalance(before, &before.replace('y', "z")), None);
    let found = imbalance(before, &before.replace("\\end{x}", "")).unwrap();
    assert_eq!(found.message(), "\\begin{x} in line 2 has no \\end{x}.");
    let found = imbalance(before, &before.replace("$y$", "$y$ }")).unwrap();
    assert_eq!((found.line, found.what), (3, Unbalanced::Brace));
    assert_eq!(imbalance(before, "a}\n"), None);
    assert_eq!(imbalance(before, &format!("b}} {before}")).map(|found| found.line), Some(1));
}

#[test]
fn deep_and_long_texts_are_read_once() {
    for part in [
        "{",
        "}",
        "$",
        "\\end{a}",
        "\\begin{a}",
        "\\left(",
        "{\\end{b}",
        "\\verb|",
        "\\[",
        "\\begin{verbatim}",
        "\n\n$",
    ] {
        imbalances(&part.repeat(20_000));
    }
    imbalances(&format!("{}{}", "{$".repeat(20_000), "\\end{a}}".repeat(20_000)));
    imbalances(&"\\newcommand{\\a}{".repeat(20_000));
    imbalances(&"\\def\\a".repeat(100_000));
    imbalances(&"\\begin{tabular}{".repeat(20_000));
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in "[\\\\{}$%\\[\\]()a-c\\n| é*]{0,60}") {
        let found = imbalances(&text);
        prop_assert!(found.iter().all(|one| one.at <= text.len() && one.line >= 1));
        prop_assert_eq!(imbalance(&text, &text), None);
    }
}
