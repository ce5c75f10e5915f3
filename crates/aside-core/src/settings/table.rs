//! The table of all settings.

use super::{Setting, SettingKind, SettingOption, SettingScope};

const fn option(value: &'static str, title: &'static str) -> SettingOption {
    SettingOption { value, title }
}

/// All settings, in the order in which they are shown.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "editor.font_size",
        title: "Font size",
        help: "The size of text in editors and notebook cells, in pixels.",
        group: "Editor",
        kind: SettingKind::Number { default: 13, least: 8, most: 40 },
        scope: SettingScope::Person,
    },
    Setting {
        key: "editor.line_numbers",
        title: "Line numbers",
        help: "Shows the number of each line in files.",
        group: "Editor",
        kind: SettingKind::Switch { default: true },
        scope: SettingScope::Person,
    },
    Setting {
        key: "editor.word_wrap",
        title: "Word wrap",
        help: "Wraps long lines of code; Markdown, LaTeX and plain text always wrap.",
        group: "Editor",
        kind: SettingKind::Switch { default: false },
        scope: SettingScope::Workspace,
    },
    Setting {
        key: "editor.tab_size",
        title: "Tab size",
        help: "The columns of a tab; once set, also the spaces of an indent in files that have no indents yet.",
        group: "Editor",
        kind: SettingKind::Number { default: 4, least: 1, most: 8 },
        scope: SettingScope::Workspace,
    },
    Setting {
        key: "editor.keymap",
        title: "Keys of the editor",
        help: "The keys of another editor in files and cells; commands of the window keep theirs where the editor has none.",
        group: "Editor",
        kind: SettingKind::Choice {
            default: "default",
            options: &[option("default", "Default"), option("vim", "Vim"), option("emacs", "Emacs")],
        },
        scope: SettingScope::Person,
    },
    Setting {
        key: "notebook.line_numbers",
        title: "Line numbers in notebooks",
        help: "Shows the number of each line in the cells of notebooks that you open.",
        group: "Notebook",
        kind: SettingKind::Switch { default: false },
        scope: SettingScope::Person,
    },
    Setting {
        key: "notes.daily_folder",
        title: "Folder of daily notes",
        help: "Where new daily notes are created; empty puts them beside the latest one.",
        group: "Notes",
        kind: SettingKind::Text { example: "journal", longest: 1_000 },
        scope: SettingScope::Workspace,
    },
    Setting {
        key: "search.model",
        title: "Model for search by meaning",
        help: "`folder:PATH` is a model folder on this computer, `ollama:MODEL` a model of Ollama, `SERVICE:MODEL` one of another service; empty searches by words alone.",
        group: "Search",
        kind: SettingKind::Text { example: "ollama:all-minilm", longest: 1_000 },
        scope: SettingScope::Person,
    },
    Setting {
        key: "workspace.colour",
        title: "Colour of the workspace",
        help: "A stripe in the top bar of this workspace's windows, to tell several windows apart.",
        group: "Workspace",
        kind: SettingKind::Choice {
            default: "none",
            options: &[
                option("none", "None"),
                option("red", "Red"),
                option("orange", "Orange"),
                option("yellow", "Yellow"),
                option("green", "Green"),
                option("teal", "Teal"),
                option("blue", "Blue"),
                option("purple", "Purple"),
                option("pink", "Pink"),
            ],
        },
        scope: SettingScope::OneWorkspace,
    },
    Setting {
        key: "launcher.cards",
        title: "Cards of the launcher",
        help: "The cards of a new tab, in order; an ending such as `.rmd` is a card that creates such a file.",
        group: "Launcher",
        kind: SettingKind::List {
            default: "notebook, file, daily, open, note, terminal, app",
            options: &[
                option("notebook", "Notebook"),
                option("file", "File"),
                option("daily", "Daily note"),
                option("open", "Open file"),
                option("note", "Note"),
                option("terminal", "Terminal"),
                option("app", "App"),
                option("jupyterlab", "JupyterLab"),
            ],
        },
        scope: SettingScope::Person,
    },
    Setting {
        key: "window.theme",
        title: "Theme",
        help: "The colours of Aside.",
        group: "Window",
        kind: SettingKind::Choice {
            default: "system",
            options: &[option("system", "Same as the system"), option("light", "Light"), option("dark", "Dark")],
        },
        scope: SettingScope::Person,
    },
    Setting {
        key: "window.zoom",
        title: "Zoom",
        help: "The size of text and controls in all windows, in percent.",
        group: "Window",
        kind: SettingKind::Number { default: 100, least: 50, most: 200 },
        scope: SettingScope::Person,
    },
    Setting {
        key: "window.reduce_motion",
        title: "Reduce motion",
        help: "Turns animations off, even if your system does not ask for that.",
        group: "Window",
        kind: SettingKind::Switch { default: false },
        scope: SettingScope::Person,
    },
    Setting {
        key: "assistant.send_with",
        title: "Send messages with",
        help: "The key that sends a message to the assistant or in a chat.",
        group: "Assistant and chat",
        kind: SettingKind::Choice {
            default: "enter",
            options: &[option("enter", "Enter"), option("ctrl_enter", "Ctrl+Enter (⌘+Enter on a Mac)")],
        },
        scope: SettingScope::Person,
    },
];
