//! What lines of a shell take back by git.

use super::line::pieces;

/// What is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Back<'l> {
    /// All that was changed.
    Everything,
    /// These files and folders.
    Paths(Vec<&'l str>),
    /// All, or what is named, but it is kept and may come back.
    Stashed(Vec<&'l str>),
}

impl Back<'_> {
    /// Tells whether that has to do with a file.
    pub fn is_about(&self, file: &str) -> bool {
        let (Self::Paths(paths) | Self::Stashed(paths)) = self else { return true };
        let is_it = |path: &&str| {
            let path = path.trim_matches(['"', '\'']).trim_start_matches("./").trim_end_matches('/');
            // Which files a pattern means is not looked up.
            let wide = matches!(path, "" | "." | "*" | ":/") || path.contains('*');
            let below = |whole: &str| file == whole || file.starts_with(&format!("{whole}/"));
            wide || below(path) || file.ends_with(&format!("/{path}")) || file.contains(&format!("/{path}/"))
        };
        paths.is_empty() || paths.iter().any(is_it)
    }
}

/// What a line takes back.
pub fn backs(line: &str) -> Vec<Back<'_>> {
    pieces(line).into_iter().filter_map(|(piece, _)| back(&git(piece)?)).collect()
}

/// Tells whether a line brings back what was stashed.
pub fn unstashes(line: &str) -> bool {
    let pops = |words: Vec<&str>| matches!(words[..], ["stash", "pop" | "apply", ..]);
    pieces(line).into_iter().any(|(piece, _)| git(piece).is_some_and(pops))
}

/// The words after `git` and its own options.
fn git(piece: &str) -> Option<Vec<&str>> {
    let mut words = piece.split_whitespace().peekable();
    while words.next_if(|word| matches!(*word, "sudo" | "command" | "time")).is_some() {}
    words.next().filter(|program| *program == "git" || program.ends_with("/git"))?;
    while let Some(option) = words.next_if(|word| word.starts_with('-')) {
        if matches!(option, "-C" | "-c") {
            words.next();
        }
    }
    Some(words.collect())
}

fn back<'l>(words: &[&'l str]) -> Option<Back<'l>> {
    let (verb, rest) = words.split_first()?;
    let has = |option: &str| rest.contains(&option);
    let plain = || rest.iter().copied().filter(|word| !word.starts_with('-')).collect::<Vec<_>>();
    let after_rule = || rest.iter().position(|word| *word == "--").map(|at| rest[at + 1..].to_vec());
    match *verb {
        "revert" => Some(Back::Everything),
        "reset" if has("--hard") || has("--merge") || has("HEAD") => Some(Back::Everything),
        "checkout" if rest.last() == Some(&".") => Some(Back::Everything),
        "checkout" => after_rule().filter(|paths| !paths.is_empty()).map(Back::Paths),
        // What is only taken out of what is to be committed stays as it is.
        "restore" if (has("--staged") || has("-S")) && !(has("--worktree") || has("-W")) => None,
        "restore" => {
            let source = rest.iter().position(|word| matches!(*word, "-s" | "--source"));
            let source = source.and_then(|at| rest.get(at + 1)).copied();
            let paths = after_rule().unwrap_or_else(plain);
            Some(Back::Paths(paths.into_iter().filter(|path| source != Some(*path)).collect()))
        }
        "stash" => match rest.first() {
            None | Some(&("push" | "save")) => Some(Back::Stashed(after_rule().unwrap_or_default())),
            Some(option) if option.starts_with('-') => Some(Back::Stashed(after_rule().unwrap_or_default())),
            Some(_) => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_what_is_named() {
        let about = |line: &str| backs(line).iter().any(|back| back.is_about("/w/src/cost.py"));
        for line in [
            "git checkout -- src/cost.py",
            "git checkout HEAD~1 -- cost.py",
            "git checkout .",
            "cd x && git restore src",
            "git restore -s HEAD~2 cost.py",
            "git -C /w reset --hard HEAD~1",
            "git revert abc",
            "git stash",
            "git stash push -m wip",
            "git checkout -- 'src/*.py'",
        ] {
            assert!(about(line), "{line}");
        }
        for line in [
            "git checkout main",
            "git checkout -- src/other.rs",
            "git checkout -- ost.py",
            "git restore --staged src/cost.py",
            "git restore docs",
            "git stash pop",
            "git stash list",
            "git stash push -- docs",
            "git reset --soft HEAD~1",
            "echo git checkout .",
            "git commit -m 'do; git checkout .'",
        ] {
            assert!(!about(line), "{line}");
        }
        assert!(unstashes("make && git stash pop") && !unstashes("git stash"));
    }
}
