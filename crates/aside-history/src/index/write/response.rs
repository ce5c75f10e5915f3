//! Writes what models were asked for. Of several records of one response one counts.

use aside_core::Timestamp;
use aside_store::sql::{Error, params};

use super::{Writer, signed};
use crate::{
    cost::CostKind,
    hash::hash,
    index::merge::{Candidate, which_count},
    record::{Found, Response},
    source::Source,
};

impl Writer<'_, '_, '_> {
    pub(super) fn responses(
        &mut self,
        source: Source,
        (file, modified): (i64, i64),
        sessions: &[i64],
        found: &Found,
    ) -> Result<(), Error> {
        let mut put = self.transaction.prepare_cached(
            "INSERT INTO response (file, session, at, model, workspace, input, output, cache_read, cache_write, cache_write_hour,
             recorded, priced, estimated, message, request, side, fast, counts, position, provider, assumed)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)",
        )?;
        for response in &found.responses {
            let model = response.model.as_ref().map(|name| self.model(name)).transpose()?;
            let workspace = response.workspace.as_ref().map(|path| self.workspace(path)).transpose()?;
            let priced = self.pricer.price(source, response, Some(Timestamp(modified / 1_000_000)));
            let (message, request) = match &response.key {
                Some(key) => (Some(key.message.as_str()), key.request.as_deref()),
                None => (None, None),
            };
            let others = match message {
                Some(message) if self.ids.fresh.may_know(hash(&[message])) => {
                    self.has_more(source, message, request, file, response)?
                }
                _ => Others::None,
            };
            if others == Others::Fuller {
                continue;
            }
            let tokens = &response.tokens;
            put.execute(params![
                file,
                sessions[response.session],
                response.at.map(|at| at.0),
                model,
                workspace,
                signed(tokens.input),
                signed(tokens.output),
                signed(tokens.cache_read),
                signed(tokens.cache_write),
                signed(tokens.cache_write_hour),
                response.recorded.map(signed),
                priced.picodollars.map(signed),
                priced.kind == CostKind::Estimated,
                message,
                request,
                response.side,
                response.fast,
                signed(response.place.offset),
                response.provider.as_deref(),
                response.assumed,
            ])?;
            if let Some(message) = message.filter(|_| others == Others::Some) {
                self.settle(message)?;
            }
        }
        Ok(())
    }

    /// Looks for records of the same response; one of this file that is poorer, or that this one takes the place of, makes way.
    fn has_more(
        &mut self,
        source: Source,
        message: &str,
        request: Option<&str>,
        file: i64,
        response: &Response,
    ) -> Result<Others, Error> {
        let mut find = self.transaction.prepare_cached(
            "SELECT id, file = ?2 AND request IS ?3 AND side = ?4,
             input + output + cache_read + cache_write + cache_write_hour, fast, session FROM response WHERE message = ?1",
        )?;
        let rows = find.query_map(params![message, file, request, response.side], |row| {
            let (id, same): (i64, bool) = (row.get(0)?, row.get(1)?);
            Ok((id, same, row.get::<_, i64>(2)?, row.get::<_, bool>(3)?, row.get::<_, i64>(4)?))
        })?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if let Some((id, _, total, fast, session)) = rows.iter().find(|(_, same, ..)| *same) {
            let is_poorer = (signed(response.tokens.total()), response.fast) <= (*total, *fast);
            if is_poorer && !source.rewrites() {
                return Ok(Others::Fuller);
            }
            self.transaction.execute("DELETE FROM response WHERE id = ?", [id])?;
            self.ids.spent.insert(*session);
        }
        let others = rows.iter().any(|(_, same, ..)| !same);
        Ok(if others { Others::Some } else { Others::None })
    }

    /// Says anew which records of a response count.
    pub(super) fn settle(&mut self, message: &str) -> Result<(), Error> {
        let mut find = self.transaction.prepare_cached(
            "SELECT response.id, request, side, input + output + cache_read + cache_write + cache_write_hour, fast, session.last, path, counts,
             response.session FROM response JOIN file ON file.id = response.file JOIN session ON session.id = response.session WHERE message = ?",
        )?;
        let rows = find.query_map([message], |row| {
            Ok(Candidate {
                id: row.get(0)?,
                request: row.get(1)?,
                side: row.get(2)?,
                total: row.get(3)?,
                fast: row.get(4)?,
                last: row.get(5)?,
                path: row.get(6)?,
                counts: row.get(7)?,
                session: row.get(8)?,
            })
        })?;
        let candidates = rows.collect::<Result<Vec<_>, _>>()?;
        let counting = which_count(&candidates);
        for candidate in candidates {
            let counts = counting.contains(&candidate.id);
            if counts != candidate.counts {
                let mut mark = self.transaction.prepare_cached("UPDATE response SET counts = ? WHERE id = ?")?;
                mark.execute(params![counts, candidate.id])?;
                self.ids.spent.insert(candidate.session);
            }
        }
        Ok(())
    }
}

/// What else tells of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// Nothing.
    None,
    /// Records of other files or requests.
    Some,
    /// A record of this file that says at least as much.
    Fuller,
}
