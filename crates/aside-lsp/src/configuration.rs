//! Which language servers the person wants: `language-servers.toml` in their own data folder, which they write by hand.

use std::{collections::BTreeMap, ops::Range, path::PathBuf};

use aside_core::FileKind;
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use crate::language::kind_of;

/// Servers that are taken, and words of a command.
const MOST_SERVERS: usize = 50;
const MOST_WORDS: usize = 100;
/// Characters of a name.
const LONGEST_NAME: usize = 40;

/// One server.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Configured {
    /// What the person calls it.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The languages it is asked about.
    pub languages: Vec<FileKind>,
    /// What it is told when it asks for its settings.
    pub settings: Value,
    /// What it is told at its start.
    pub options: Value,
    /// Folders beside the workspace that it may read.
    pub read: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    servers: BTreeMap<Spanned<String>, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    command: Spanned<Vec<String>>,
    languages: Option<Vec<Spanned<String>>>,
    settings: Option<toml::Table>,
    options: Option<toml::Table>,
    #[serde(default)]
    read: Vec<Spanned<PathBuf>>,
}

/// Where in the text something is wrong, and what.
type Mistake = (Range<usize>, String);

/// Reads the file. The error says in which line something is wrong and what.
pub(crate) fn parse(text: &str) -> Result<Vec<Configured>, String> {
    let file: Result<File, Mistake> =
        toml::from_str(text).map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()));
    let servers = file.and_then(|file| file.servers.into_iter().map(|(name, entry)| entry.read(name)).collect());
    let servers: Vec<Configured> = servers.map_err(|(place, detail): Mistake| {
        let before = text.get(..place.start).unwrap_or_default();
        format!("line {}: {detail}", before.matches('\n').count() + 1)
    })?;
    match servers.len() <= MOST_SERVERS {
        true => Ok(servers),
        false => Err(format!("at most {MOST_SERVERS} servers are supported")),
    }
}

impl Entry {
    fn read(self, name: Spanned<String>) -> Result<Configured, Mistake> {
        let is_sound = |name: &str| {
            let plain = |character: char| character.is_ascii_alphanumeric() || "-_+.# ".contains(character);
            !name.trim().is_empty() && name.len() <= LONGEST_NAME && name.chars().all(plain)
        };
        if !is_sound(name.get_ref()) {
            let detail = format!("a server's name is 1 to {LONGEST_NAME} letters, digits, spaces and `-_+.#`");
            return Err((name.span(), detail));
        }
        let words = self.command.get_ref();
        if words.first().is_none_or(String::is_empty) || words.len() > MOST_WORDS {
            let detail = "`command` is a program and its arguments, as in [\"pylsp\"]".to_owned();
            return Err((self.command.span(), detail));
        }
        if words.iter().any(|word| word.contains('\0')) || words[0].contains('/') && !words[0].starts_with('/') {
            let detail = "`command` begins with a program name, or an absolute path".to_owned();
            return Err((self.command.span(), detail));
        }
        let languages = match self.languages {
            Some(languages) => languages.iter().map(language).collect::<Result<_, _>>()?,
            None => vec![language(&name).map_err(|(place, detail)| {
                (place, format!("{detail}; give the server `languages = [\"…\"]`, or the name of its language"))
            })?],
        };
        if let Some(folder) = self.read.iter().find(|folder| !folder.get_ref().is_absolute()) {
            return Err((folder.span(), "`read` names folders by absolute paths".to_owned()));
        }
        let json = |table: Option<toml::Table>| {
            table.map_or(Value::Null, |table| serde_json::to_value(table).unwrap_or(Value::Null))
        };
        Ok(Configured {
            name: name.into_inner(),
            command: self.command.into_inner(),
            languages,
            settings: json(self.settings),
            options: json(self.options),
            read: self.read.into_iter().map(Spanned::into_inner).collect(),
        })
    }
}

fn language(name: &Spanned<String>) -> Result<FileKind, Mistake> {
    kind_of(name.get_ref()).ok_or_else(|| (name.span(), format!("`{}` is not a known language", name.get_ref())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_server_has_a_command_and_languages() {
        let text = r#"
            [servers.python]
            command = ["pyright-langserver", "--stdio"]
            [servers.python.settings.python.analysis]
            typeCheckingMode = "strict"

            [servers."web things"]
            command = ["/usr/bin/typescript-language-server", "--stdio"]
            languages = ["javascript", "typescript", "typescriptreact"]
            options = { hostInfo = "aside" }
            read = ["/data/types"]
        "#;
        let servers = parse(text).unwrap();
        let [python, web] = &servers[..] else { panic!("two servers") };
        assert_eq!((python.name.as_str(), &python.languages[..]), ("python", &[FileKind::Python][..]));
        assert_eq!(python.settings, json!({"python": {"analysis": {"typeCheckingMode": "strict"}}}));
        assert_eq!(python.options, Value::Null);
        assert_eq!(web.languages, [FileKind::JavaScript, FileKind::TypeScript, FileKind::Tsx]);
        assert_eq!(web.options, json!({"hostInfo": "aside"}));
        assert_eq!(web.read, [PathBuf::from("/data/types")]);
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, told) in [
            ("[servers.python]\ncommand = []", "line 2: `command` is a program and its arguments"),
            ("[servers.python]\ncommand = \"pylsp\"", "line 2: invalid type: string"),
            ("[servers.python]\ncommand = [\"./pylsp\"]", "line 2: `command` begins with a program name"),
            ("[servers.python]\ncommand = [\"bin/pylsp\"]", "line 2: `command` begins with a program name"),
            ("\n[servers.pyhton]\ncommand = [\"pylsp\"]", "line 2: `pyhton` is not a known language; give"),
            ("[servers.x]\ncommand = [\"x\"]\nlanguages = [\n\"pdf\"]", "line 4: `pdf` is not a known language"),
            ("[servers.python]\ncommand = [\"x\"]\nread = [\"types\"]", "line 3: `read` names folders"),
            ("[servers.python]\ncommand = [\"x\"]\ncwd = \"/\"", "line 3: unknown field `cwd`"),
            ("[server.python]\n", "line 1: unknown field `server`"),
            ("[servers.\"a\\u0007\"]\ncommand = [\"x\"]", "line 1: a server's name is"),
            ("[servers.python", "line 1: "),
        ] {
            let found = parse(text).unwrap_err();
            assert!(found.starts_with(told), "{text}\n{found}");
        }
    }
}
