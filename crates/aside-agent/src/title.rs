//! A thread's title: what its first message is about, or its first words.

use aside_core::Problem;

const LONGEST: usize = 60;

/// Returns the first words of the first line that has any.
pub fn title_of(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("New thread");
    let plain: String = line.chars().filter(|character| !character.is_control()).collect();
    if plain.chars().count() <= LONGEST {
        return plain;
    }
    let cut: String = plain.chars().take(LONGEST).collect();
    let words = cut.rsplit_once(char::is_whitespace).map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end())
}

/// Returns where a problem is and what it is, as far as there is room: who asks about several says the same of each.
pub fn title_about(Problem { path, message, .. }: &Problem) -> String {
    match path {
        Some(path) => title_of(&format!("{}: {}", path.name(), message.trim_start())),
        None => title_of(message),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ProblemSeverity, ProblemSource};

    use super::*;

    #[test]
    fn a_question_about_a_problem_is_called_after_that() {
        let mut problem = Problem {
            path: "paper/main.tex".parse().ok(),
            line: Some(7),
            end_line: None,
            column: None,
            end_column: None,
            severity: ProblemSeverity::Error,
            message: "\n\\foo is not defined\nl.7".to_owned(),
            source: ProblemSource::Latex,
            program: None,
            detail: None,
            version: None,
            found_line: None,
        };
        assert_eq!(title_about(&problem), "main.tex: \\foo is not defined");
        problem.path = None;
        assert_eq!(title_about(&problem), "\\foo is not defined");
    }

    #[test]
    fn the_first_words_and_no_more() {
        assert_eq!(title_of("\n  rename ht\nand more"), "rename ht");
        assert_eq!(title_of(""), "New thread");
        let long = title_of(&"word ".repeat(40));
        assert!(long.chars().count() <= LONGEST + 1 && long.ends_with("word…"), "{long}");
        assert_eq!(title_of(&"ü".repeat(99)).chars().count(), LONGEST + 1);
    }
}
