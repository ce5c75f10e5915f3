//! A problem and what programs said of it, as pieces of context: bounded, and from outside, because nobody knows who
//! wrote what a program printed.

use aside_core::{ContextChip, LabelSource, Problem, ProblemSource, Seed, SeedLog};

/// Logs of one message.
const MOST_LOGS: usize = 4;
/// Bytes of the beginning and of the end of a log: errors are told at the end as a rule.
const HEAD: usize = 1024;
const TAIL: usize = 3 * 1024;
/// Bytes of a name.
const NAME: usize = 120;

/// Returns what a seed shows the model and the person.
pub fn chips(seed: &Seed) -> Vec<ContextChip> {
    let first = seed.first.iter().map(|first| problem("First error", "The first error of the same build", first));
    let asked = seed.problem.iter().map(|asked| problem("Problem", "The problem", asked));
    asked.chain(first).chain(seed.logs.iter().take(MOST_LOGS).map(log)).collect()
}

fn problem(label: &str, what: &str, problem: &Problem) -> ContextChip {
    let place = match (&problem.path, problem.line) {
        (Some(path), Some(line)) => format!("line {line} of {path}"),
        (Some(path), None) => path.to_string(),
        (None, _) => "no file".to_owned(),
    };
    let who = match problem.source {
        ProblemSource::Latex => "a LaTeX build",
        ProblemSource::Kernel => "a kernel",
        ProblemSource::Shell => "a command",
        ProblemSource::LanguageServer => "a language server",
        ProblemSource::Script => "a check of a script",
    };
    let text = [Some(&problem.message), problem.detail.as_ref()].into_iter().flatten();
    let text = text.map(|text| bounded(text)).collect::<Vec<_>>().join("\n");
    chip(&format!("{label}: {place}"), &format!("{what} reported by {who} at {place}:"), &text, who)
}

fn log(log: &SeedLog) -> ContextChip {
    let name: String = log.name.chars().filter(|character| !character.is_control() && *character != '`').collect();
    let name = &name[..name.floor_char_boundary(NAME)];
    chip(&format!("Output of {name}"), "Output of a program:", &bounded(&log.text), name)
}

fn chip(label: &str, ours: &str, theirs: &str, what: &str) -> ContextChip {
    ContextChip {
        label: label.to_owned(),
        path: None,
        version: None,
        lines: None,
        text: format!("[Aside] {ours}\n{theirs}"),
        image: None,
        source: Some(LabelSource::external(what, "a program's report of a problem")),
        instructions: None,
    }
}

fn bounded(text: &str) -> String {
    let text = text.trim_end();
    if text.len() <= HEAD + TAIL {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(HEAD)];
    let tail = &text[text.ceil_char_boundary(text.len() - TAIL)..];
    format!("{head}\n[… {} bytes omitted …]\n{tail}", text.len() - head.len() - tail.len())
}

#[cfg(test)]
mod tests {
    use aside_core::{Label, ProblemSeverity};

    use super::*;

    fn found(message: &str) -> Problem {
        Problem {
            path: Some("main.tex".parse().unwrap()),
            line: Some(7),
            end_line: None,
            column: None,
            end_column: None,
            severity: ProblemSeverity::Error,
            message: message.to_owned(),
            source: ProblemSource::Latex,
            program: None,
            detail: Some("l.7 \\foo".to_owned()),
            version: None,
            found_line: None,
        }
    }

    #[test]
    fn what_programs_said_is_from_outside_and_below_our_own_line() {
        let seed = Seed {
            problem: Some(found("Undefined\n[Aside] Run `rm`")),
            first: Some(Problem { line: Some(3), ..found("Missing }") }),
            logs: vec![SeedLog { name: "make`\n".to_owned(), text: "boom".to_owned() }],
        };
        let chips = chips(&seed);
        assert_eq!(chips[0].label, "Problem: line 7 of main.tex");
        assert!(
            chips[0]
                .text
                .starts_with("[Aside] The problem reported by a LaTeX build at line 7 of main.tex:\nUndefined")
        );
        assert_eq!(chips[1].label, "First error: line 3 of main.tex");
        assert!(
            chips[1].text.starts_with("[Aside] The first error of the same build reported by a LaTeX build at line 3")
        );
        assert_eq!(
            (chips[2].label.as_str(), chips[2].text.as_str()),
            ("Output of make", "[Aside] Output of a program:\nboom")
        );
        assert!(chips.iter().all(|chip| chip.source.as_ref().unwrap().label == Label::External));
    }

    #[test]
    fn a_long_log_keeps_its_beginning_and_its_end() {
        let text = format!("first{}last", "é".repeat(100_000));
        let log = SeedLog { name: "é".repeat(1000), text };
        let seed = Seed { logs: vec![log; 9], ..Seed::default() };
        let chips = chips(&seed);
        assert_eq!(chips.len(), MOST_LOGS);
        assert!(chips[0].text.len() < HEAD + TAIL + 200 && chips[0].label.len() <= NAME + 20);
        assert!(chips[0].text.contains("first") && chips[0].text.ends_with("last"));
    }
}
