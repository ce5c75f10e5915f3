//! The window that asks, as a situation.

use aside_core::{TabKind, Timestamp, WorkspacePath};
use aside_protocol::{SentenceLayout, SentenceTab, WindowSituation};
use aside_route::{Layout, OpenTab, Situation};
use serde_json::json;

use crate::problem::Problem;

/// Returns what the window knows; `now` is the server's clock, for a window that does not say the time.
pub(super) fn seen(window: WindowSituation, now: &str) -> Result<Situation, Problem> {
    let WindowSituation { tabs, thread, layout, time, .. } = window;
    if let Some(text) = &time {
        // Only a time with a clock has the hour of the person.
        let is_time = text.get(10..11) == Some("T") && text.parse::<Timestamp>().is_ok();
        if !is_time {
            return Err(Problem::bad_request(format!("`time` is not a time with its offset: {text:.40}")));
        }
    }
    Ok(Situation {
        time: time.unwrap_or_else(|| now.to_owned()),
        tabs: tabs.into_iter().map(open_tab).collect(),
        thread: thread.map(|thread| thread.to_string()),
        layout: layout.map(shown_parts).unwrap_or_default(),
        ..Situation::default()
    })
}

fn open_tab(SentenceTab { path, is_file, active }: SentenceTab) -> OpenTab {
    let kind = match path.parse::<WorkspacePath>() {
        Ok(file) if is_file => TabKind::of_file(&file),
        _ if path.starts_with("task/") => TabKind::Task,
        _ => TabKind::Page,
    };
    let kind = json!(kind).as_str().unwrap_or_default().to_owned();
    OpenTab { path, kind, title: None, active }
}

fn shown_parts(SentenceLayout { sidebar, side, dark }: SentenceLayout) -> Layout {
    let word = |shows: bool| Some(if shows { "show" } else { "hide" }.to_owned());
    let theme = Some(if dark { "dark" } else { "light" }.to_owned());
    Layout { sidebar: word(sidebar), side: word(side), theme }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_tells_clock_and_parts() {
        let layout = SentenceLayout { sidebar: true, side: false, dark: true };
        let window = WindowSituation {
            time: Some("2026-03-01T23:30:00+09:00".to_owned()),
            layout: Some(layout),
            ..WindowSituation::default()
        };
        let seen = seen(window, "2026-03-01T14:30:00Z").unwrap();
        assert_eq!(seen.time, "2026-03-01T23:30:00+09:00");
        let parts = (seen.layout.sidebar.as_deref(), seen.layout.side.as_deref(), seen.layout.theme.as_deref());
        assert_eq!(parts, (Some("show"), Some("hide"), Some("dark")));
    }

    #[test]
    fn time_without_clock_is_refused() {
        for wrong in ["tomorrow", "2026-03-01", "1767225600000000000"] {
            let window = WindowSituation { time: Some(wrong.to_owned()), ..WindowSituation::default() };
            assert!(seen(window, "2026-03-01T14:30:00Z").is_err(), "{wrong}");
        }
    }
}
