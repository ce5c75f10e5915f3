//! A project's settings for latexmk. The file is a program in Perl: it is read and not run. Search paths and the engine
//! count; everything else is named as left out.

use std::collections::BTreeMap;

use super::Engine;

/// The names that such a file has, in the order in which latexmk looks for them.
pub const LATEXMKRC: [&str; 2] = [".latexmkrc", "latexmkrc"];

/// Statements that are named as left out.
const MOST_NAMED: usize = 5;
/// Letters of a statement that are shown.
const MOST_LETTERS: usize = 60;

/// The settings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latexmkrc {
    /// Folders in which TeX and its programs look for files, by the variable that names them, such as `TEXINPUTS`.
    pub paths: BTreeMap<String, Vec<String>>,
    /// The engine.
    pub engine: Option<Engine>,
    /// Everything else: the line, and the statement.
    pub left_out: Vec<(usize, String)>,
}

impl Latexmkrc {
    /// Reads the settings of a file.
    pub fn read(text: &str) -> Self {
        let mut read = Self::default();
        for (line, statement) in statements(text) {
            if !read.take(&statement) {
                read.left_out.push((line, statement));
            }
        }
        read
    }

    /// Says what was used of the file and what was not, and why.
    pub fn note(&self, name: &str) -> String {
        let paths = self.paths.iter().map(|(variable, folders)| format!("{variable} {}", folders.join(":")));
        let engine = self.engine.map(|engine| format!("the engine {}", engine.program()));
        let used: Vec<String> = paths.chain(engine).collect();
        let used = if used.is_empty() { "nothing".to_owned() } else { used.join(", ") };
        let named = self.left_out.iter().take(MOST_NAMED);
        let mut named: Vec<String> = named.map(|(line, text)| format!("line {line} `{}`", short(text))).collect();
        if let Some(more) = self.left_out.len().checked_sub(MOST_NAMED + 1) {
            named.push(format!("{} more", more + 1));
        }
        let left_out = if named.is_empty() { String::new() } else { format!(" Left out: {}.", named.join(", ")) };
        format!("{name} is a Perl program and is not run; used from it: {used}.{left_out}")
    }

    /// Takes one statement; false if it is none that is understood.
    fn take(&mut self, statement: &str) -> bool {
        if let Some(arguments) = statement.strip_prefix("ensure_path") {
            return match &literals(arguments)[..] {
                [variable, folders @ ..] if is_search_path(variable) && is_only_literals(arguments) => {
                    self.look_in(variable, folders.iter().map(String::as_str))
                }
                _ => false,
            };
        }
        let Some((name, value)) = statement.split_once('=') else { return false };
        let (name, value) = (name.trim(), value.trim());
        if name == "$pdf_mode" {
            self.engine = match value {
                "1" => Some(Engine::Pdflatex),
                "4" => Some(Engine::Lualatex),
                "5" => Some(Engine::Xelatex),
                _ => return false,
            };
            return true;
        }
        let variable = name.strip_prefix("$ENV{").and_then(|rest| rest.strip_suffix('}'));
        let variable = variable.map(|variable| variable.trim().trim_matches(['"', '\'']));
        let Some(variable) = variable.filter(|variable| is_search_path(variable)) else { return false };
        let value = without_environment(value);
        if !is_only_literals(&value) {
            return false;
        }
        let values = literals(&value);
        self.look_in(variable, values.iter().flat_map(|value| value.split(':')))
    }

    fn look_in<'a>(&mut self, variable: &str, folders: impl Iterator<Item = &'a str>) -> bool {
        let folders: Vec<&str> = folders.filter(|folder| !folder.is_empty()).collect();
        if folders.iter().any(|folder| folder.contains(['$', '@', '`', '\\', '\0'])) {
            return false;
        }
        let known = self.paths.entry(variable.to_owned()).or_default();
        for folder in folders {
            if known.iter().all(|known| known != folder) {
                known.push(folder.to_owned());
            }
        }
        true
    }
}

/// Tells whether a variable names folders in which TeX's programs look for files.
pub fn is_search_path(variable: &str) -> bool {
    let is_name = variable.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_name && (variable.ends_with("INPUTS") || variable.ends_with("FONTS") || variable == "INDEXSTYLE")
}

/// The statements with their lines, without comments and without `1`, which ends a file of Perl.
fn statements(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut now, mut begun) = (Vec::new(), String::new(), 1);
    let (mut quote, mut depth, mut line, mut is_comment) = (None, 0_i32, 1, false);
    let mut before = ' ';
    for letter in text.chars() {
        line += usize::from(letter == '\n');
        if is_comment && letter != '\n' {
            continue;
        }
        is_comment = false;
        match (quote, letter) {
            (Some(open), _) if letter == open && before != '\\' => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            // `$#array` is no comment.
            (None, '#') if before != '$' => {
                is_comment = true;
                continue;
            }
            (None, '{') => depth += 1,
            (None, '}') => depth -= 1,
            _ => {}
        }
        before = letter;
        let ends = quote.is_none() && depth <= 0 && (letter == ';' || (letter == '}' && now.starts_with("sub ")));
        if now.is_empty() && (letter.is_whitespace() || letter == ';') {
            continue;
        }
        if now.is_empty() {
            begun = line;
        }
        if letter != ';' || !ends {
            now.push(if letter == '\n' { ' ' } else { letter });
        }
        if ends {
            found.push((begun, std::mem::take(&mut now).trim().to_owned()));
        }
    }
    found.push((begun, now.trim().to_owned()));
    found.retain(|(_, statement)| !statement.is_empty() && statement != "1" && statement != "return 1");
    found
}

/// A value without references to the environment, in strings and beside them: those are added anyway.
fn without_environment(value: &str) -> String {
    let (mut rest, mut left) = (value, String::new());
    while let Some(at) = rest.find("$ENV{") {
        let Some(end) = rest[at..].find('}') else { break };
        left.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    left.push_str(rest);
    left
}

/// The strings in quotes.
fn literals(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = rest[at..].chars().next().unwrap_or('"');
        let Some(end) = rest[at + 1..].find(quote) else { break };
        found.push(rest[at + 1..at + 1 + end].to_owned());
        rest = &rest[at + 2 + end..];
    }
    found
}

/// Tells whether there are only strings, what joins them, and defaults for missing ones.
fn is_only_literals(text: &str) -> bool {
    let (mut quote, mut plain) = (None, true);
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None => plain &= letter.is_whitespace() || ".(),/|".contains(letter),
        }
    }
    plain && quote.is_none()
}

fn short(statement: &str) -> String {
    let words = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST_LETTERS) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Option<String> {
        Latexmkrc::read(text).paths.get("TEXINPUTS").map(|folders| folders.join(":"))
    }

    #[test]
    fn search_paths_are_read_in_every_spelling() {
        for (text, folders) in [
            (r#"$ENV{"TEXINPUTS"} = "./styles//:" . ($ENV{"TEXINPUTS"} // "");"#, "./styles//"),
            ("$ENV{'TEXINPUTS'}='./styles//:./figures:' . $ENV{'TEXINPUTS'};", "./styles//:./figures"),
            (r#"$ENV{TEXINPUTS} = ".:./styles:$ENV{TEXINPUTS}";"#, ".:./styles"),
            ("ensure_path('TEXINPUTS', './styles//', './more');\n1;", "./styles//:./more"),
            ("ensure_path( 'TEXINPUTS', './a' ); # why\nensure_path 'TEXINPUTS', './b';", "./a:./b"),
        ] {
            let read = Latexmkrc::read(text);
            assert_eq!(paths(text).as_deref(), Some(folders), "{text}");
            assert_eq!(read.left_out, [], "{text}");
        }
    }

    #[test]
    fn programs_are_left_out_and_named() {
        let text = "$pdf_mode = 5;\n# TEXINPUTS\n$pdflatex = 'pdflatex -shell-escape %O %S';\n\
            $ENV{'TEXINPUTS'} = `kpsewhich x` . ':';\nsub mine { system('date'); return 0; }\n@default_files = ('a.tex');\n";
        let read = Latexmkrc::read(text);
        assert_eq!((read.engine, read.paths.len()), (Some(Engine::Xelatex), 0));
        assert_eq!(read.left_out.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 5, 6]);
        let note = read.note(".latexmkrc");
        assert!(note.starts_with(".latexmkrc is a Perl program and is not run; used from it: the engine xelatex."));
        assert!(note.contains("line 3 `$pdflatex = 'pdflatex -shell-escape %O %S'`"), "{note}");
        assert!(note.contains("line 5 `sub mine { system('date'); return 0; }`"), "{note}");
    }

    #[test]
    fn any_text_is_read_without_a_panic() {
        for text in ["", ";;;", "'", "$ENV{", "ensure_path", "ensure_path(", "$ENV{TEXINPUTS} = \"", "}}}{{{;", "é'é"]
        {
            Latexmkrc::read(text).note("latexmkrc");
        }
    }
}
