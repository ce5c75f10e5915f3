//! The settings of the person: read from `settings.toml` in their own folder, and for some from `.aside/settings.toml` of the
//! workspace, which overrides it. Follows both files, whoever changes them.

mod arguments;
mod file;
mod get;
mod look;
mod reset;
mod set;
mod set_phrases;
mod ui_theme;
mod ui_zoom;

use std::{
    collections::BTreeMap,
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aside_core::{ActionRequest, Failure, ObjectRef, SETTINGS, Setting, SettingScope};
use aside_gate::{Handler, handler};
use aside_protocol::{SettingView, SettingsFile, SettingsView};
use aside_store::{DataFolder, Stamp, TextFile};
use serde_json::Value;
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};

use crate::{app::blocking, lock::FOLDER};
use file::{Contents, EditError};

/// The name of both files.
const NAME: &str = "settings.toml";
/// Bytes of a file.
const LONGEST: u64 = 64 << 10;
/// How often the files are looked at: a change by Aside itself counts at once, one by hand within this.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The settings that are not at their default, by key.
pub type SetValues = BTreeMap<String, Value>;

/// The settings of the person in this workspace.
pub struct Settings {
    person: Option<TextFile>,
    workspace: TextFile,
    /// The stamps of both files when they were read last. Held while they are read, so that an older reading replaces no newer.
    seen: Mutex<[Stamp; 2]>,
    read: watch::Sender<Arc<Layers>>,
}

/// Both files, as they were read.
#[derive(Debug, Default, PartialEq)]
pub struct Layers {
    person: Contents,
    workspace: Contents,
}

/// Why a setting can't be changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// There is nowhere to keep it.
    #[error("there is no folder to store settings in; set ASIDE_DATA_DIR")]
    NoFolder,
    /// The disk.
    #[error("cannot change settings.toml: {0}")]
    Io(#[from] io::Error),
    /// The file has to be mended first.
    #[error("cannot change settings.toml: {0}")]
    Edit(#[from] EditError),
}

impl Settings {
    /// Reads the files: the person's in their own folder, if they have one, and the workspace's in its `.aside`.
    pub fn open(data: Option<&DataFolder>, workspace: &Path) -> Arc<Self> {
        let settings = Arc::new(Self {
            person: data.map(|data| data.file(NAME, LONGEST)),
            workspace: TextFile::new(workspace.join(FOLDER).join(NAME), LONGEST),
            seen: Mutex::new([Stamp::Unknown; 2]),
            read: watch::Sender::default(),
        });
        settings.look();
        settings
    }

    /// Follows the files as long as the settings are there.
    pub async fn follow(settings: std::sync::Weak<Self>) {
        let mut tick = interval(LOOK_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let Some(settings) = settings.upgrade() else { return };
            if blocking(move || settings.look()).await.is_err() {
                return;
            }
        }
    }

    /// Tells of every change.
    pub fn changes(&self) -> watch::Receiver<Arc<Layers>> {
        self.read.subscribe()
    }

    /// Returns the settings with their values, the files, and the mistakes in them.
    pub fn view(&self) -> SettingsView {
        let layers = self.look();
        let files = [
            self.person.as_ref().map(|file| (file.path(), &layers.person)),
            Some((self.workspace.path(), &layers.workspace)).filter(|_| self.workspace.stamp() != Stamp::Absent),
        ];
        let file = |(path, contents): (&Path, &Contents)| SettingsFile {
            path: path.display().to_string(),
            problems: contents.problems.clone(),
        };
        SettingsView {
            settings: SETTINGS.iter().map(|setting| layers.view(setting)).collect(),
            files: files.into_iter().flatten().map(file).collect(),
        }
    }

    /// Returns one setting with its value.
    fn one(&self, setting: &Setting) -> SettingView {
        self.look().view(setting)
    }

    /// Sets a setting in the file that it is kept in, or takes it out for none; returns the value that the file had.
    fn change(&self, setting: &Setting, value: Option<&Value>) -> Result<Option<Value>, SettingsError> {
        let scope = file::scope_of(setting);
        let file = match scope {
            SettingScope::Person => self.person.as_ref().ok_or(SettingsError::NoFolder)?,
            SettingScope::Workspace | SettingScope::OneWorkspace => &self.workspace,
        };
        let mut before = None;
        file.change(|text| {
            let mut known = file::read(text.unwrap_or_default(), scope).values;
            before = known.remove(setting.key);
            Ok::<_, SettingsError>(file::with(text, setting, value)?)
        })?;
        self.look();
        Ok(before)
    }

    /// Reads the files again if they have changed.
    fn look(&self) -> Arc<Layers> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = [self.person.as_ref().map_or(Stamp::Absent, TextFile::stamp), self.workspace.stamp()];
        if *seen != stamps || stamps.contains(&Stamp::Unknown) {
            let person = self.person.as_ref().map(|file| read(file, SettingScope::Person)).unwrap_or_default();
            let now = Layers { person, workspace: read(&self.workspace, SettingScope::Workspace) };
            self.read.send_if_modified(|known| {
                let is_new = **known != now;
                if is_new {
                    *known = Arc::new(now);
                }
                is_new
            });
            *seen = stamps;
        }
        self.read.borrow().clone()
    }
}

impl Layers {
    /// Returns the settings that are set.
    pub fn values(&self) -> SetValues {
        let both = self.person.values.iter().chain(&self.workspace.values);
        both.map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }

    fn view(&self, setting: &Setting) -> SettingView {
        let (own, there) = (self.person.values.get(setting.key), self.workspace.values.get(setting.key));
        let is_kept_there = setting.scope == SettingScope::OneWorkspace;
        SettingView {
            setting: *setting,
            value: there.or(own).cloned().unwrap_or_else(|| setting.default_value()),
            changed: if is_kept_there { there.is_some() } else { own.is_some() },
            overridden: there.is_some() && !is_kept_there,
        }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Settings({:?})", self.read.borrow().values())
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let words = error.to_string();
        match error {
            SettingsError::NoFolder => Self::new("no_folder", words),
            SettingsError::Io(_) => Self::new("io", words),
            SettingsError::Edit(_) => Self::new("damaged", words).hint("fix the file by hand, then try again"),
        }
    }
}

/// The actions on settings.
pub fn actions(settings: &Arc<Settings>) -> [Arc<dyn Handler>; 5] {
    [
        handler(get::SettingsGet { settings: settings.clone() }),
        handler(set::SettingsSet { settings: settings.clone() }),
        handler(reset::SettingsReset { settings: settings.clone() }),
        handler(ui_theme::UiTheme { settings: settings.clone() }),
        handler(ui_zoom::UiZoom { settings: settings.clone() }),
    ]
}

fn read(file: &TextFile, scope: SettingScope) -> Contents {
    match file.read() {
        Ok(text) => file::read(text.as_deref().unwrap_or_default(), scope),
        Err(error) => {
            let problem = aside_protocol::SettingProblem { line: 1, message: format!("it cannot be read: {error}") };
            Contents { problems: vec![problem], ..Contents::default() }
        }
    }
}

fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse().expect("our action names are well formed"), args)
}

fn object(setting: &Setting) -> ObjectRef {
    ObjectRef { kind: "setting".to_owned(), id: setting.key.to_owned() }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests write the files as a person would")]
mod tests {
    use std::fs;

    use aside_core::setting;
    use serde_json::json;

    use super::*;

    struct Place {
        data: tempfile::TempDir,
        workspace: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Self {
            let (data, workspace) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            fs::create_dir(workspace.path().join(FOLDER)).unwrap();
            Self { data, workspace }
        }

        fn open(&self) -> Arc<Settings> {
            Settings::open(Some(&DataFolder::at(self.data.path())), self.workspace.path())
        }
    }

    fn value(settings: &Settings, key: &str) -> (Value, bool, bool) {
        let view = settings.view();
        let found = view.settings.into_iter().find(|view| view.setting.key == key).unwrap();
        (found.value, found.changed, found.overridden)
    }

    #[test]
    fn change_counts_in_every_workspace_at_once() {
        let place = Place::new();
        let (one, other) = (place.open(), place.open());
        let size = setting("editor.font_size").unwrap();
        let mut heard = one.changes();
        assert_eq!(one.change(size, Some(&json!(15))).unwrap(), None);
        assert!(heard.has_changed().unwrap());
        assert_eq!(heard.borrow_and_update().values(), SetValues::from([("editor.font_size".to_owned(), json!(15))]));
        assert_eq!(value(&other, "editor.font_size"), (json!(15), true, false));
        assert_eq!(other.change(size, None).unwrap(), Some(json!(15)));
        assert_eq!(value(&one, "editor.font_size"), (json!(13), false, false));
    }

    #[test]
    fn colour_is_of_one_workspace() {
        let (place, other) = (Place::new(), tempfile::tempdir().unwrap());
        let (one, elsewhere) = (place.open(), Settings::open(Some(&DataFolder::at(place.data.path())), other.path()));
        let colour = setting("workspace.colour").unwrap();
        assert_eq!(one.change(colour, Some(&json!("orange"))).unwrap(), None);
        assert_eq!(value(&one, "workspace.colour"), (json!("orange"), true, false));
        assert_eq!(value(&elsewhere, "workspace.colour"), (json!("none"), false, false));
        let text = fs::read_to_string(place.workspace.path().join(FOLDER).join(NAME)).unwrap();
        assert!(text.contains("\ncolour = \"orange\"\n") && !text.contains("font_size"), "{text}");
        assert_eq!(one.change(colour, None).unwrap(), Some(json!("orange")));
        assert_eq!(value(&one, "workspace.colour"), (json!("none"), false, false));
    }

    #[test]
    fn workspace_overrides_only_its_own_settings() {
        let place = Place::new();
        let text = "[editor]\ntab_size = 2\nfont_size = 30\n";
        fs::write(place.workspace.path().join(FOLDER).join(NAME), text).unwrap();
        let settings = place.open();
        settings.change(setting("editor.tab_size").unwrap(), Some(&json!(8))).unwrap();
        assert_eq!(value(&settings, "editor.tab_size"), (json!(2), true, true));
        assert_eq!(value(&settings, "editor.font_size"), (json!(13), false, false));
        assert_eq!(settings.view().files[1].problems[0].line, 3);
    }

    #[test]
    fn change_by_hand_is_heard() {
        let place = Place::new();
        let settings = place.open();
        let mut heard = settings.changes();
        fs::write(place.data.path().join(NAME), "[window]\ntheme = \"dark\"\nsize = 3\n").unwrap();
        settings.look();
        assert!(heard.has_changed().unwrap());
        assert_eq!(heard.borrow_and_update().values(), SetValues::from([("window.theme".to_owned(), json!("dark"))]));
        assert_eq!(settings.view().files[0].problems[0].line, 3);
        settings.look();
        assert!(!heard.has_changed().unwrap(), "it was told once");
    }

    #[test]
    fn without_a_folder_nothing_is_changed() {
        let place = Place::new();
        let settings = Settings::open(None, place.workspace.path());
        let error = settings.change(setting("editor.font_size").unwrap(), Some(&json!(9))).unwrap_err();
        assert!(matches!(error, SettingsError::NoFolder));
        fs::create_dir(place.data.path().join(NAME)).unwrap();
        assert!(place.open().view().files[0].problems[0].message.contains("cannot be read"));
    }
}
