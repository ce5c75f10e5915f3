//! Messages of people and models are found by their words: in scripts without spaces, across the messages of a session, and
//! after their log is gone.
#![expect(clippy::disallowed_methods, reason = "makes logs")]

use std::{fs, path::Path};

use aside_history::{Asking, Effort, History, Source, answer, zone};
use aside_store::DataFolder;
use serde_json::json;

fn line(role: &str, id: u32, text: &str) -> String {
    let at = format!("2026-06-30T10:{:02}:{:02}.000Z", id / 60, id % 60);
    json!({ "type": role, "uuid": format!("{text}{id}"), "timestamp": at, "cwd": "/w", "message": { "role": role, "content": text } }).to_string() + "\n"
}

fn log(home: &Path, session: &str, said: &[(&str, &str)]) {
    let path = home.join(format!(".claude/projects/-w/{session}.jsonl"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: String = (0..).zip(said).map(|(id, (role, text))| line(role, id, text)).collect();
    fs::write(path, lines).unwrap();
}

fn history(home: &Path) -> History {
    let name = home.display().to_string();
    let mut history = History::open_in(&DataFolder::at(home.join("data"))).unwrap();
    history
        .update_of(&[Source::Claude], |variable| (variable == "HOME").then(|| name.clone()), Effort::All, &mut |_| ())
        .unwrap();
    history
}

fn found(history: &History, query: &str) -> Vec<String> {
    let asking =
        Asking { now: "2026-07-01".parse().unwrap(), zone: zone(Some("UTC")).unwrap(), workspace: None, plan: None };
    let found = answer(history.index(), &asking, "search_past_decisions", &json!({ "query": query, "limit": 20 }));
    let sessions = found["sessions"].as_array().unwrap_or_else(|| panic!("{found}"));
    let mut ids: Vec<String> = sessions.iter().map(|one| one["session_id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn words_are_found_in_every_script() {
    let home = tempfile::tempdir().unwrap();
    log(home.path(), "chinese", &[("user", "请修复登录页面的bug,数据库连接失败")]);
    log(home.path(), "japanese", &[("user", "カートのテストが動かないので直してください")]);
    log(home.path(), "korean", &[("user", "서버를 다시 시작해 주세요")]);
    log(home.path(), "english", &[("user", "Fix the cart")]);
    let mut history = history(home.path());
    history.read_texts().unwrap();
    for (query, session) in [
        ("数据库", "chinese"),
        ("登录", "chinese"),
        ("页", "chinese"),
        ("败", "chinese"),
        ("bug 数据库", "chinese"),
        ("テスト", "japanese"),
        ("直して", "japanese"),
        ("カート 動かない", "japanese"),
        ("서버", "korean"),
        ("시작", "korean"),
        ("cart", "english"),
    ] {
        assert_eq!(found(&history, query), [session], "{query}");
    }
    assert_eq!(found(&history, "数库"), [""; 0]);
    assert_eq!(found(&history, "数据 テスト"), [""; 0]);
}

#[test]
fn words_of_two_speakers_find_their_session() {
    let home = tempfile::tempdir().unwrap();
    log(home.path(), "both", &[("user", "Use the zebra"), ("assistant", "The quartz is better"), ("user", "so")]);
    log(home.path(), "one", &[("user", "zebra alone"), ("assistant", "well")]);
    log(home.path(), "same", &[("user", "zebra and quartz")]);
    let mut history = history(home.path());
    history.read_texts().unwrap();
    assert_eq!(found(&history, "zebra quartz"), ["both", "same"]);
    assert_eq!(found(&history, "zebra quartz well"), [""; 0]);
    assert_eq!(found(&history, "zebra"), ["both", "one", "same"]);
}

#[test]
fn words_stay_found_when_their_log_is_deleted() {
    let home = tempfile::tempdir().unwrap();
    log(home.path(), "gone", &[("user", "Use the zebra")]);
    // As a report does.
    history(home.path()).read_texts().unwrap();
    fs::remove_file(home.path().join(".claude/projects/-w/gone.jsonl")).unwrap();
    let mut again = history(home.path());
    again.read_texts().unwrap();
    assert_eq!(found(&again, "zebra"), ["gone"]);
}
