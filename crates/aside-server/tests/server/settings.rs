//! Settings by action, by route and by file, and the page in `docs/` that lists them.

use std::{fs, path::Path};

use aside_core::{SETTINGS, SettingScope};
use serde_json::{Value, json};

use crate::harness::{Server, data};

async fn act(server: &Server, name: &str, args: Value) -> Value {
    server.post("actions", json!({ "action_type": name, "args": args })).await
}

/// The value of a setting, and whether the person has set it.
async fn value(server: &Server, key: &str) -> (Value, Value) {
    let (_, view) = server.ask("GET", "settings", None).await;
    let views = view["settings"].as_array().unwrap();
    let found = views.iter().find(|view| view["setting"]["key"] == key).unwrap();
    (found["value"].clone(), found["changed"].clone())
}

#[tokio::test]
async fn undo_puts_the_old_value_back() {
    let server = Server::new().await;
    for (size, before) in [(16, (json!(13), json!(false))), (20, (json!(16), json!(true)))] {
        let set = act(&server, "settings.set", json!({ "key": "editor.font_size", "value": size })).await;
        assert_eq!(set["state"], "done", "{set}");
        assert_eq!(value(&server, "editor.font_size").await, (json!(size), json!(true)));
        let undo = server.post(&format!("actions/{}/undo", set["id"].as_str().unwrap()), json!({})).await;
        assert_eq!(undo["state"], "done", "{undo}");
        assert_eq!(value(&server, "editor.font_size").await, before);
        act(&server, "settings.set", json!({ "key": "editor.font_size", "value": 16 })).await;
    }
    let reset = act(&server, "settings.reset", json!({ "key": "editor.font_size" })).await;
    assert_eq!(value(&server, "editor.font_size").await, (json!(13), json!(false)));
    server.post(&format!("actions/{}/undo", reset["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(value(&server, "editor.font_size").await, (json!(16), json!(true)));
}

#[tokio::test]
async fn zoom_and_theme_keep_settings_with_undo() {
    let server = Server::new().await;
    act(&server, "ui.zoom", json!({ "by": 10 })).await;
    let zoomed = act(&server, "ui.zoom", json!({ "by": 30 })).await;
    assert_eq!(zoomed["outcome"]["observation"]["text"], "the text size is 140 %", "{zoomed}");
    assert_eq!(value(&server, "window.zoom").await, (json!(140), json!(true)));
    server.post(&format!("actions/{}/undo", zoomed["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(value(&server, "window.zoom").await.0, 110);
    act(&server, "ui.zoom", json!({ "by": 150 })).await;
    assert_eq!(value(&server, "window.zoom").await.0, 200, "it stays within what the setting takes");
    let neither = server.ask("POST", "actions", Some(json!({ "action_type": "ui.zoom", "args": {} }))).await.1;
    assert!(neither.to_string().contains("give `by` or `to`"), "{neither}");
    let dark = act(&server, "ui.theme", json!({ "mode": "dark" })).await;
    assert_eq!(value(&server, "window.theme").await.0, "dark");
    server.post(&format!("actions/{}/undo", dark["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(value(&server, "window.theme").await.0, "system");
    let (_, audit) = server.ask("GET", "audit", None).await;
    assert!(!audit.to_string().contains("settings.set"), "the change of the theme is logged as what it is");
}

#[tokio::test]
async fn colour_and_cards_are_set_with_undo() {
    let server = Server::new().await;
    let set = act(&server, "settings.set", json!({ "key": "workspace.colour", "value": "orange" })).await;
    assert_eq!(value(&server, "workspace.colour").await, (json!("orange"), json!(true)), "{set}");
    let kept = fs::read_to_string(server.folder.path().join(".aside/settings.toml")).unwrap();
    assert!(kept.contains("colour = \"orange\""), "{kept}");
    server.post(&format!("actions/{}/undo", set["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(value(&server, "workspace.colour").await, (json!("none"), json!(false)));
    let before = value(&server, "launcher.cards").await.0;
    let added = act(&server, "settings.set", json!({ "key": "launcher.cards", "add": "rmd" })).await;
    let now = value(&server, "launcher.cards").await.0;
    assert_eq!(now, json!(format!("{}, .rmd", before.as_str().unwrap())), "{added}");
    server.post(&format!("actions/{}/undo", added["id"].as_str().unwrap()), json!({})).await;
    assert_eq!(value(&server, "launcher.cards").await.0, before);
    let gone = json!({ "action_type": "settings.set", "args": { "key": "launcher.cards", "remove": "rmd" } });
    let (_, refused) = server.ask("POST", "actions", Some(gone)).await;
    assert!(refused["state"] != "done" && refused.to_string().contains("has no `.rmd`"), "{refused}");
}

#[tokio::test]
async fn value_that_does_not_fit_is_refused() {
    let server = Server::new().await;
    for (args, words) in [
        (json!({ "key": "editor.font_size", "value": 99 }), "from 8 to 40, not 99"),
        (json!({ "key": "editor.line_numbers", "value": "yes" }), "true or false"),
        (json!({ "key": "editor.colour", "value": 1 }), "editor.colour"),
        (json!({ "key": "window.theme", "value": [1] }), "value"),
    ] {
        let (_, refused) =
            server.ask("POST", "actions", Some(json!({ "action_type": "settings.set", "args": args }))).await;
        assert!(refused["state"] != "done" && refused.to_string().contains(words), "{refused}");
    }
    let same = act(&server, "settings.set", json!({ "key": "window.theme", "value": "dark" })).await;
    assert_eq!(same["record"]["can_undo"], true);
    let same = act(&server, "settings.set", json!({ "key": "window.theme", "value": "dark" })).await;
    assert_eq!(same["record"]["can_undo"], false, "nothing is other than before");
}

#[tokio::test]
async fn file_with_a_mistake_is_named_and_kept() {
    let server = Server::new().await;
    let file = data(server.folder.path()).path().join("settings.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "[editor]\nfont_size = 18\ntab_size = \"wide\"\n").unwrap();
    let got = act(&server, "settings.get", json!({ "key": "editor.font_size" })).await;
    let text = got["outcome"]["observation"]["text"].as_str().unwrap();
    assert!(text.contains("editor.font_size = 18 (set by the user)"), "{text}");
    assert!(text.contains("line 3: `editor.tab_size` takes a whole number"), "{text}");
    fs::write(&file, "[editor\nfont_size = 18\n").unwrap();
    let (_, failed) = server
        .ask("POST", "actions", Some(json!({ "action_type": "settings.reset", "args": { "key": "window.theme" } })))
        .await;
    assert!(failed.to_string().contains("line 1 is not valid TOML"), "{failed}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "[editor\nfont_size = 18\n");
}

#[test]
fn settings_page_lists_every_setting() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    let kept = fs::read_to_string(&path).unwrap();
    let (before, _) = kept.split_once("|---|---|---|---|---|\n").expect("the page has the table");
    let row = |setting: &aside_core::Setting| {
        let scope = match setting.scope {
            SettingScope::Person => "you",
            SettingScope::Workspace => "you, workspace",
            SettingScope::OneWorkspace => "this workspace",
        };
        let (kind, default) = (setting.kind.to_string().replace('|', "\\|"), setting.default_value());
        format!("| `{}` | {scope} | {} | {kind} | `{default}` |\n", setting.key, setting.help)
    };
    let page = format!("{before}|---|---|---|---|---|\n{}", SETTINGS.iter().map(row).collect::<String>());
    if std::env::var_os("ASIDE_CODEGEN").is_some() {
        return fs::write(&path, page).unwrap();
    }
    assert!(kept == page, "docs/settings.md is out of date: run `cargo xtask codegen`");
}
