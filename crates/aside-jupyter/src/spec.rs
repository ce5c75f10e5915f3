//! What `kernel.json` says of a kernel, and the command that starts it.
//!
//! Source: "Kernel specs" in the documentation of jupyter_client.

mod read;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

pub(crate) use read::read;

/// How a kernel wants to be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterruptMode {
    /// By SIGINT.
    Signal,
    /// By a message on its control channel.
    Message,
}

/// How a kernel is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelSpec {
    /// For people.
    pub display_name: String,
    /// The language, as the kernel spells it.
    pub language: String,
    /// Program and arguments, with `{connection_file}`, `{resource_dir}` and `{prefix}` in them.
    pub argv: Vec<String>,
    /// Variables to set; `$NAME` and `${NAME}` stand for ours.
    pub environment: BTreeMap<String, String>,
    /// How it is interrupted.
    pub interrupt_mode: InterruptMode,
    /// The folder of its description.
    pub resource_folder: PathBuf,
    /// The environment of Python that it belongs to.
    pub prefix: Option<PathBuf>,
}

impl KernelSpec {
    /// The kernel of an interpreter that has ipykernel, where no file describes it.
    pub(crate) fn of_interpreter(prefix: &Path) -> Self {
        let argv = ["python", "-m", "ipykernel_launcher", "-f", "{connection_file}"];
        Self {
            display_name: "Python 3 (ipykernel)".to_owned(),
            language: "python".to_owned(),
            argv: argv.map(str::to_owned).into(),
            environment: BTreeMap::new(),
            interrupt_mode: InterruptMode::Signal,
            resource_folder: prefix.to_owned(),
            prefix: Some(prefix.to_owned()),
        }
    }

    /// Has IPython keep what it runs out of the person's own history, and not wait for others who write it: for runs without
    /// a person, as nbclient has it.
    pub fn leave_no_history(&mut self) {
        if self.argv.iter().any(|word| word == "ipykernel_launcher" || word == "ipykernel") {
            self.argv.push("--HistoryManager.hist_file=:memory:".to_owned());
        }
    }

    /// Returns program and arguments. `python` alone is the interpreter of its environment, as Jupyter means its own.
    pub fn command(&self, connection_file: &Path) -> Vec<String> {
        let prefix = self.prefix.as_deref().unwrap_or(Path::new("/usr"));
        let names = [
            ("{connection_file}", connection_file.display().to_string()),
            ("{resource_dir}", self.resource_folder.display().to_string()),
            ("{prefix}", prefix.display().to_string()),
        ];
        let mut argv: Vec<String> = self.argv.iter().map(|word| filled(word, &names)).collect();
        if let (Some(first), Some(prefix)) = (argv.first_mut(), &self.prefix)
            && is_python(first)
        {
            *first = interpreter(prefix).display().to_string();
        }
        argv
    }

    /// Returns the variables to set, given those that are set.
    pub fn environment(&self, variables: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        self.environment.iter().map(|(name, value)| (name.clone(), expanded(value, variables))).collect()
    }
}

/// The interpreter of an environment.
pub(crate) fn interpreter(prefix: &Path) -> PathBuf {
    prefix.join("bin/python")
}

/// `python`, `python3` or `python3.12`: any, rather than one.
fn is_python(program: &str) -> bool {
    let version = program.strip_prefix("python");
    version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// Puts values into the place of names in one pass, so that no value is read as a name.
fn filled(word: &str, names: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let found = names.iter().find(|(name, _)| rest.starts_with(name));
        let (taken, value) = found.map_or((1, "{"), |(name, value)| (name.len(), value.as_str()));
        text.push_str(value);
        rest = &rest[taken..];
    }
    text + rest
}

/// As Python's `string.Template.safe_substitute`, which Jupyter uses: what is not set stays as it is written.
fn expanded(value: &str, variables: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    let mut rest = value;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (taken, found) = variable(rest, variables);
        text.push_str(found.as_deref().unwrap_or(&rest[..taken]));
        rest = &rest[taken..];
    }
    text + rest
}

/// What stands at a `$`: how long it is, and what for.
fn variable(text: &str, variables: &BTreeMap<String, String>) -> (usize, Option<String>) {
    if text.starts_with("$$") {
        return (2, Some("$".to_owned()));
    }
    let braced = text.starts_with("${");
    let from = if braced { 2 } else { 1 };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = text.as_bytes()[from..].iter().take_while(|byte| is_name(byte)).count();
    let name = &text[from..from + length];
    let end = from + length + usize::from(braced);
    if name.is_empty()
        || name.starts_with(|first: char| first.is_ascii_digit())
        || (braced && !text[from + length..].starts_with('}'))
    {
        return (1, None);
    }
    (end, variables.get(name).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(argv: &[&str], prefix: Option<&str>) -> KernelSpec {
        let argv = argv.iter().map(|&word| word.to_owned()).collect();
        let prefix = prefix.map(PathBuf::from);
        KernelSpec { argv, prefix, resource_folder: "/k/x".into(), ..KernelSpec::of_interpreter(Path::new("/e")) }
    }

    #[test]
    fn names_are_filled_in_wherever_they_stand() {
        let argv = ["run", "--at={connection_file}", "{resource_dir}/a:{prefix}/b", "{other} {"];
        let command = spec(&argv, Some("/p")).command(Path::new("/r/{prefix}.json"));
        assert_eq!(command, ["run", "--at=/r/{prefix}.json", "/k/x/a:/p/b", "{other} {"]);
    }

    #[test]
    fn python_is_that_of_the_environment() {
        let first = |program: &str, prefix| spec(&[program], prefix).command(Path::new("/c")).remove(0);
        for any in ["python", "python3", "python3.12"] {
            assert_eq!(first(any, Some("/w/.venv")), "/w/.venv/bin/python");
        }
        assert_eq!(first("python", None), "python");
        assert_eq!(first("/usr/bin/python3", Some("/w/.venv")), "/usr/bin/python3");
        assert_eq!(first("pythonw", Some("/w/.venv")), "pythonw");
    }

    #[test]
    fn variables_stand_for_ours() {
        let variables = BTreeMap::from([("HOME".to_owned(), "/h".to_owned()), ("A_1".to_owned(), "$HOME".to_owned())]);
        let cases =
            [("${HOME}/x:$A_1", "/h/x:$HOME"), ("$$HOME ${NOT} $ ${HOME", "$HOME ${NOT} $ ${HOME"), ("$1é", "$1é")];
        for (value, wanted) in cases {
            assert_eq!(expanded(value, &variables), wanted);
        }
    }
}
