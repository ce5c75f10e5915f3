//! The history's own types as the wire has them.

use aside_history::{Course, Dashboard, Entry, Group, Hour, Plan, PlayedFile, Role, Said, SessionMatch, Skipped, Sums};
use aside_protocol::{
    HistoryCourse, HistoryDashboard, HistoryEntry, HistoryFile, HistoryGroup, HistoryHour, HistoryPiece, HistoryPlan,
    HistorySession, HistorySkip, HistorySums, HistoryWhat,
};

/// A number as pages have it.
pub fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn small_sum(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn dollars(picodollars: u64) -> f64 {
    picodollars as f64 / 1e12
}

/// A plan.
pub fn told_plan(plan: &Plan) -> HistoryPlan {
    HistoryPlan { name: plan.name.clone(), monthly_usd: plan.dollars(), reset_day: plan.reset_day }
}

/// A kind of file or of record that is not read.
pub fn told_skip(one: Skipped) -> HistorySkip {
    let Skipped { program, kind, count, example, hint } = one;
    HistorySkip { program, kind, count: u32::try_from(count).unwrap_or(u32::MAX), example, hint }
}

/// Sums for charts, with the models of them that are served no more, and the amount and the course of the plan.
pub fn told_dashboard(told: Dashboard, retired: Vec<String>, course: Option<(f64, Course)>) -> HistoryDashboard {
    let groups = |groups: Vec<Group>| groups.into_iter().map(told_group).collect();
    HistoryDashboard {
        totals: told_sums(&told.totals),
        sessions: small(told.sessions),
        days: groups(told.days),
        models: groups(told.models),
        workspaces: groups(told.workspaces),
        programs: groups(told.sources),
        hours: told.hours.into_iter().map(told_hour).collect(),
        retired,
        course: course.map(|(budget, course)| HistoryCourse {
            start: course.period_start,
            end: course.period_end,
            budget,
            used: course.used_usd,
            projected: course.projected_month_end_usd,
            status: course.status.to_owned(),
            alert: course.alert,
        }),
    }
}

fn told_hour(hour: Hour) -> HistoryHour {
    let Hour { weekday, hour, responses, picodollars } = hour;
    HistoryHour { weekday, hour, responses: small_sum(responses), dollars: dollars(picodollars) }
}

fn told_group(Group { name, sessions, sums }: Group) -> HistoryGroup {
    HistoryGroup { name, sessions: small(sessions), sums: told_sums(&sums) }
}

fn told_sums(sums: &Sums) -> HistorySums {
    HistorySums {
        responses: small_sum(sums.responses),
        input: sums.input_tokens,
        output: sums.output_tokens,
        cache_read: sums.cache_read_tokens,
        cache_write: sums.cache_creation_tokens,
        dollars: dollars(sums.picodollars),
        estimated: small_sum(sums.estimated),
        unpriced: small_sum(sums.unpriced),
    }
}

/// A session.
pub fn told_session(session: SessionMatch) -> HistorySession {
    HistorySession {
        id: session.session_id,
        program: session.provider,
        workspace: session.path,
        title: session.title,
        first: session.first_ts,
        last: session.last_ts,
        messages: u32::try_from(session.message_count).unwrap_or(0),
        dollars: session.cost_usd,
        estimated: session.estimated_cost_usd.is_some(),
        unpriced: small_sum(session.unpriced_messages),
        snippet: session.snippet,
    }
}

/// Something that was said or done.
pub fn told_entry(entry: Entry) -> HistoryEntry {
    let Entry { at, file, offset, side, what } = entry;
    let what = match what {
        Said::Message { role, text, cut } => HistoryWhat::Message { user: role == Role::User, text, cut },
        Said::Call { name, command, paths, ok } => HistoryWhat::Call { name, command, paths, ok },
    };
    HistoryEntry { at, file, offset, side, what }
}

/// A piece that was replaced.
pub fn told_piece((before, after): (String, String)) -> HistoryPiece {
    HistoryPiece { before, after }
}

/// A file; its text only if it is the wanted one.
pub fn told_file(file: PlayedFile, wanted: Option<&str>) -> HistoryFile {
    let is_wanted = wanted == Some(file.path.as_str());
    let PlayedFile { path, text, before, complete, deleted, changed, .. } = file;
    HistoryFile {
        path,
        changed,
        deleted,
        complete,
        text: text.filter(|_| is_wanted),
        before: before.filter(|_| is_wanted),
    }
}
