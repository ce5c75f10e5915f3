//! The replay at the start of a session: a fork begins with a copy of its parent, a started session with that of the one that started it. The
//! copied lines have new times; a few signs tell where the session's own lines begin.
//!
//! ```text
//! repeats --a line with the first own number, or a turn that began after the session-> over
//!         --a turn that does not say when it began-> turned --another one at once-> turned
//!         --a pause-> paused --such a turn, soon after the session began-> turned
//! ```

use serde::{Deserialize, Serialize};

/// Milliseconds between two lines that no program needs while it copies a session.
const PAUSE: i64 = 1000;
/// So many milliseconds after a fork began, its first turn may still say that all before it was a copy, pauses and all.
const LATEST: i64 = 60_000;

/// How far the replay of a session is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// When the session began.
    since: Option<i64>,
    /// Its id, which tells the time, too.
    session: String,
    /// Another session started it: it begins with a turn of its own, which comes when the copy is done.
    #[serde(default)]
    started: bool,
    /// The number of its first own line.
    first: Option<u64>,
    /// When the last line was written that is not about the session itself.
    last: Option<i64>,
    /// It has lines of another session, and not only its totals.
    #[serde(default)]
    copies: bool,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Repeats,
    Paused,
    Turned,
    Over,
}

/// What a line tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sign<'l> {
    /// When it was written.
    pub at: Option<i64>,
    /// Its number.
    pub ordinal: Option<u64>,
    pub kind: Kind<'l>,
}

/// The kind of a line, as far as it tells whose it is.
#[derive(Clone, Copy, Debug, Default)]
pub enum Kind<'l> {
    /// It is about a session.
    Session,
    /// A turn begins: when and with which id, where it says so.
    Turn { started: Option<i64>, id: Option<&'l str> },
    /// The settings of a turn.
    Context { id: Option<&'l str> },
    #[default]
    Other,
}

/// Whose a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// That of another session.
    Copied,
    /// The session's own.
    Own,
    /// The session's own, as opposed to all before it.
    OwnFromHere,
}

impl Replay {
    /// For a session that began then, a fork or one that was started; `first` is the number of its first own line, where it says so.
    pub fn new(session: &str, started: bool, since: Option<i64>, first: Option<u64>) -> Self {
        Self { since, session: session.to_owned(), started, first, last: None, copies: false, stage: Stage::Repeats }
    }

    /// Tells whether lines were taken for the session's own that may turn out to be copies.
    pub fn is_guess(&self) -> bool {
        matches!(self.stage, Stage::Paused | Stage::Turned)
    }

    /// Tells whose the next line is.
    pub fn look(&mut self, sign: Sign<'_>) -> Whose {
        if self.stage == Stage::Over {
            return Whose::Own;
        }
        if let Some((first, ordinal)) = self.first.zip(sign.ordinal) {
            return if ordinal < first { Whose::Copied } else { self.turn(Stage::Over) };
        }
        let paused = self.last.zip(sign.at).is_some_and(|(last, at)| at >= last.saturating_add(PAUSE));
        self.last = sign.at.filter(|_| !matches!(sign.kind, Kind::Session)).or(self.last);
        match sign.kind {
            Kind::Session => {
                self.copies = true;
                return self.whose();
            }
            Kind::Turn { started, id } => {
                let early = self.started || self.is_early(sign.at);
                match self.began_here(started, id) {
                    Some(true) if early || self.stage != Stage::Turned => return self.turn(Stage::Over),
                    Some(false) => {
                        self.stage = Stage::Repeats;
                        return Whose::Copied;
                    }
                    None if early && (self.stage != Stage::Turned || self.copies && !paused) => {
                        return self.turn(Stage::Turned);
                    }
                    None if !early && self.stage == Stage::Repeats => self.stage = Stage::Paused,
                    _ => self.stage = Stage::Over,
                }
            }
            Kind::Context { id } if self.stage == Stage::Repeats && self.began_here(None, id) == Some(true) => {
                return self.turn(Stage::Over);
            }
            _ if paused => match self.stage {
                Stage::Repeats => self.stage = Stage::Paused,
                Stage::Turned => self.stage = Stage::Over,
                Stage::Paused | Stage::Over => {}
            },
            _ => {}
        }
        self.whose()
    }

    fn whose(&self) -> Whose {
        if self.stage == Stage::Repeats { Whose::Copied } else { Whose::Own }
    }

    fn turn(&mut self, stage: Stage) -> Whose {
        self.stage = stage;
        Whose::OwnFromHere
    }

    fn is_early(&self, at: Option<i64>) -> bool {
        self.since.zip(at).is_none_or(|(since, at)| at < since.saturating_add(LATEST))
    }

    /// Tells whether a turn began after the session did: by what it says, in whole seconds, or by its id. None if nothing tells.
    fn began_here(&self, started: Option<i64>, id: Option<&str>) -> Option<bool> {
        let told = started.zip(self.since).map(|(started, since)| (started.div_euclid(1000), since.div_euclid(1000)));
        let ids = || id.and_then(time_of).zip(time_of(&self.session));
        let (turn, session) = told.filter(|(turn, session)| turn != session).or_else(ids)?;
        (turn != session).then_some(turn > session)
    }
}

/// The milliseconds since 1970 in an id that begins with them (UUID version 7).
fn time_of(id: &str) -> Option<i64> {
    let is_timed = id.len() == 36 && id.as_bytes()[14] == b'7' && id.is_ascii();
    let (high, low) = (id.get(..8)?, id.get(9..13)?);
    is_timed.then(|| i64::from_str_radix(&format!("{high}{low}"), 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "019c0000-0000-7000-8000-0000000000c1";

    fn check(first: Option<u64>, signs: &[(i64, Kind<'_>)], expected: &str) {
        let mut replay = Replay::new(SESSION, false, Some(1_000_000), first);
        let mut told = String::new();
        for (ordinal, (at, kind)) in (1..).zip(signs) {
            let sign = Sign { at: Some(1_000_000 + at), ordinal: Some(ordinal), kind: *kind };
            match replay.look(sign) {
                Whose::Copied => told.push('c'),
                Whose::Own => told.push('o'),
                Whose::OwnFromHere => {
                    told = "c".repeat(told.len());
                    told.push('o');
                }
            }
        }
        assert_eq!(told, expected);
    }

    #[test]
    fn replay_ends_where_its_own_lines_begin() {
        let turn = |started: Option<i64>| Kind::Turn { started, id: None };
        let other = Kind::Other;
        check(Some(3), &[(0, turn(None)), (5000, other), (9000, other)], "cco");
        check(None, &[(50, turn(None)), (60, other), (900, other)], "ooo");
        // However long it takes.
        check(None, &[(10, other), (1500, other), (4000, other), (4100, turn(None)), (4200, other)], "cccoo");
        check(None, &[(10, other), (20, other), (120_000, other), (120_100, turn(None))], "ccoo");
        let early = turn(Some(900_000));
        check(
            None,
            &[(10, early), (2000, other), (4000, early), (6000, other), (6100, turn(Some(1_006_000)))],
            "cccco",
        );
        // Turns of the parent that don't say when they began are copied in one go.
        check(None, &[(1, Kind::Session), (10, turn(None)), (20, other), (30, turn(None)), (5000, other)], "cccoo");
        check(None, &[(1, Kind::Session), (10, turn(None)), (20, other), (9000, other), (9010, turn(None))], "coooo");
    }

    #[test]
    fn started_session_has_a_turn_however_late() {
        let mut replay = Replay::new(SESSION, true, Some(0), None);
        let turn = Kind::Turn { started: None, id: None };
        let whose = [(10, Kind::Other), (5000, Kind::Other), (200_000, turn), (300_000, turn)]
            .map(|(at, kind)| replay.look(Sign { at: Some(at), ordinal: None, kind }));
        assert_eq!(whose, [Whose::Copied, Whose::Own, Whose::OwnFromHere, Whose::Own]);
    }

    #[test]
    fn ids_tell_when_a_turn_began() {
        let turn = |id: &'static str| Kind::Turn { started: None, id: Some(id) };
        let before = turn("019b0000-0000-7000-8000-000000000001");
        let after = turn("019d0000-0000-7000-8000-000000000001");
        check(None, &[(10, before), (20, Kind::Other), (30, after), (40, Kind::Other)], "ccoo");
        let context = Kind::Context { id: Some("019d0000-0000-7000-8000-000000000001") };
        check(None, &[(10, before), (20, Kind::Other), (30, context), (40, Kind::Other)], "ccoo");
        assert_eq!([time_of("turn-1"), time_of(&"é".repeat(18))], [None, None]);
    }
}
