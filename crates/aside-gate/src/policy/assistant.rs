//! How far AI goes, as files of policy say it: any number of `[[assistant]]` blocks, of which the narrowest counts.
//!
//! ```toml
//! [[assistant]]
//! level = "off"                          # off, partial or full
//! from = "2026-12-01T09:00:00+01:00"     # from then on; always if absent
//! until = "2026-12-01T11:00:00+01:00"    # until then; for ever if absent
//! ```
//!
//! A mistake in a rule does not make this unknown. If it is unknown itself, what held before goes on holding, and after a
//! start AI is off until the file is mended.

use std::fmt::Write as _;

use aside_core::{AiLevel, AiReason, AiRestriction, PolicyLayer, RestrictedBy, Timestamp};
use serde::Deserialize;

use super::{Policy, file::FileLayer};

/// A block as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    level: AiLevel,
    from: Option<String>,
    until: Option<String>,
}

/// All that this module reads of a file.
#[derive(Deserialize)]
struct OnlyAssistant {
    #[serde(default)]
    assistant: Vec<Written>,
}

impl Written {
    fn read(&self) -> Result<AiRestriction, String> {
        let time = |text: &Option<String>| text.as_deref().map(str::parse::<Timestamp>).transpose();
        let (from, until) = (time(&self.from), time(&self.until));
        let (from, until) = (from.map_err(|error| error.to_string())?, until.map_err(|error| error.to_string())?);
        AiRestriction { level: self.level, from, until }.checked().map_err(|error| error.to_string())
    }
}

/// Returns what a file says, or what is wrong with it. No text is a file that is not there.
pub(crate) fn restrictions(text: &str) -> Result<Vec<AiRestriction>, String> {
    let found: OnlyAssistant = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    found.assistant.iter().map(Written::read).collect::<Result<_, _>>().map_err(|error| format!("assistant: {error}"))
}

/// Returns a file's text with one restriction in place of all that it has; with none, without any. What else is in it
/// stays as it is.
pub(crate) fn replaced(text: &str, restriction: Option<&AiRestriction>) -> Result<String, String> {
    restrictions(text)?;
    let mut kept = String::new();
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') {
            inside = is_header(line);
        }
        // A comment may be about what comes next.
        if !inside || line.trim_start().starts_with('#') {
            kept.push_str(line);
        }
    }
    let mut changed = kept.trim_end().to_owned();
    if let Some(restriction) = restriction {
        changed.push_str(if changed.is_empty() { "" } else { "\n\n" });
        changed.push_str(&block(restriction));
    } else if !changed.is_empty() {
        changed.push('\n');
    }
    // A header that stood in a text of several lines was none.
    let wanted: Vec<_> = restriction.into_iter().copied().collect();
    match restrictions(&changed) {
        Ok(found) if found == wanted && others(&changed) == others(text) => Ok(changed),
        _ => Err("this would change other settings too: edit the file instead".to_owned()),
    }
}

fn is_header(line: &str) -> bool {
    let header: String = line.chars().filter(|character| !character.is_whitespace()).collect();
    header.strip_prefix("[[assistant]]").is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

fn block(restriction: &AiRestriction) -> String {
    let level = match restriction.level {
        AiLevel::Off => "off",
        AiLevel::Partial => "partial",
        AiLevel::Full => "full",
    };
    let mut text = format!("[[assistant]]\nlevel = \"{level}\"\n");
    for (name, time) in [("from", restriction.from), ("until", restriction.until)] {
        if let Some(time) = time {
            let _ = writeln!(text, "{name} = \"{time}\"");
        }
    }
    text
}

/// All of a file but its restrictions.
fn others(text: &str) -> Option<toml::Table> {
    let mut table: toml::Table = toml::from_str(text).ok()?;
    table.remove("assistant");
    Some(table)
}

impl FileLayer {
    fn reasons(&self) -> Vec<AiReason> {
        let by = match self.layer {
            PolicyLayer::Organisation => RestrictedBy::Organisation,
            PolicyLayer::Workspace => RestrictedBy::Workspace,
            PolicyLayer::User | PolicyLayer::Builtin | PolicyLayer::Turn => RestrictedBy::User,
        };
        match &self.restrictions {
            Ok(found) => {
                found.iter().map(|restriction| AiReason { by, restriction: *restriction, mistake: None }).collect()
            }
            Err(problem) => {
                let mistake = Some(format!("{}: {problem}", self.file));
                vec![AiReason { by, restriction: AiRestriction::always(AiLevel::Off), mistake }]
            }
        }
    }
}

impl Policy {
    /// Returns all restrictions of AI, whether they hold now or not.
    pub(crate) fn restrictions(&self) -> Vec<AiReason> {
        self.files.iter().flat_map(FileLayer::reasons).collect()
    }

    /// Lets go on holding what a file said before a mistake came into it.
    pub(super) fn keep_restrictions(&mut self, before: &Self) {
        for file in self.files.iter_mut().filter(|file| file.restrictions.is_err()) {
            let known = before.files.iter().find(|known| known.layer == file.layer);
            if let Some(known) = known.filter(|known| known.restrictions.is_ok()) {
                file.restrictions.clone_from(&known.restrictions);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    const RULE: &str = "# mine\n[[rule]] # one\nname = 'r'\nruling = 'deny'\naction = 'shell.*'\n";

    fn policy(text: &str) -> Policy {
        Policy::builtin().with_file(PolicyLayer::Workspace, Path::new("/w/aside-policy.toml"), Ok(Some(text)), None)
    }

    fn levels(policy: &Policy) -> Vec<AiLevel> {
        policy.restrictions().iter().map(|reason| reason.restriction.level).collect()
    }

    #[test]
    fn a_file_may_say_several_things() {
        let text = "[[assistant]]\nlevel = 'partial'\n[[assistant]]\nlevel = 'off'\nfrom = '2026-12-01'\n";
        let found = policy(&format!("{text}{RULE}"));
        assert!(found.is_whole());
        assert_eq!(levels(&found), [AiLevel::Partial, AiLevel::Off]);
        assert_eq!(found.restrictions()[1].restriction.from, "2026-12-01".parse().ok());
        assert_eq!(found.restrictions()[0].by, RestrictedBy::Workspace);
        assert_eq!(levels(&policy(RULE)), []);
    }

    #[test]
    fn a_mistake_in_a_rule_leaves_it_known_and_one_in_itself_turns_ai_off() {
        let partial = "[[assistant]]\nlevel = 'partial'\n";
        let broken_rule = policy(&format!("{partial}[[rule]]\nname = 7\n"));
        assert!(!broken_rule.is_whole());
        assert_eq!(levels(&broken_rule), [AiLevel::Partial]);
        for broken in ["[[assistant", "[[assistant]]\nlevel = 'on'", "[[assistant]]\nlevel = 'off'\nfrom = 'noon'"] {
            let broken = policy(broken);
            assert!(!broken.is_whole(), "it is told as a mistake");
            assert_eq!(levels(&broken), [AiLevel::Off]);
            assert!(broken.restrictions()[0].mistake.as_ref().unwrap().starts_with("/w/aside-policy.toml: "));
            assert_eq!(levels(&broken.clone().keeping(&policy(partial))), [AiLevel::Partial]);
            assert_eq!(levels(&broken.keeping(&policy(RULE))), []);
        }
    }

    #[test]
    fn one_takes_the_place_of_all_and_the_rest_stays() {
        let old = format!("[[ assistant ]] # exam\nlevel = 'off'\n{RULE}\n[[assistant]]\nlevel = 'partial'\n");
        let new: AiRestriction = "partial 2026-12-01/2026-12-02".parse().unwrap();
        let changed = replaced(&old, Some(&new)).unwrap();
        assert_eq!(
            changed,
            format!(
                "{RULE}\n[[assistant]]\nlevel = \"partial\"\nfrom = \"2026-12-01T00:00:00.000Z\"\n\
                 until = \"2026-12-02T00:00:00.000Z\"\n"
            )
        );
        assert_eq!(replaced(&changed, None).unwrap(), RULE);
        assert_eq!(replaced("", None).unwrap(), "");
        assert!(replaced("[[assist", None).is_err());
    }

    #[test]
    fn a_header_inside_of_a_text_is_left_alone() {
        let text = "[[rule]]\nname = 'r'\nruling = 'deny'\naction = '*'\nreason = '''\n[[assistant]]\n'''\n";
        assert!(replaced(text, Some(&AiRestriction::always(AiLevel::Off))).is_err());
    }

    proptest! {
        #[test]
        fn never_panics_and_never_changes_the_rest(text in "(\\[\\[(assistant|rule)\\]\\]|[a-z='\"{}# \n]){0,40}", level in 0..3_u8) {
            let level = [AiLevel::Off, AiLevel::Partial, AiLevel::Full][usize::from(level)];
            if let Ok(changed) = replaced(&text, Some(&AiRestriction::always(level))) {
                prop_assert_eq!(others(&changed), others(&text));
                prop_assert_eq!(restrictions(&changed), Ok(vec![AiRestriction::always(level)]));
            }
        }
    }
}
