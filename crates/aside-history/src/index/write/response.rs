//! Writes what models were asked for. Of several records of one response one counts.

use aside_core::Timestamp;
use aside_store::sql::{Error, OptionalExtension as _, Row, params};

use super::{Cell, Rows, Writer, signed};
use crate::{
    cost::CostKind,
    index::{
        copies::{Kind, Numbers},
        merge::{Candidate, which_count},
    },
    record::Response,
    source::Source,
};

static RESPONSES: Rows<23> = Rows::of(
    "INSERT OR FAIL INTO response (file, session, at, model, workspace, input, output, cache_read, cache_write, cache_write_hour,
     recorded, priced, estimated, side, fast, counts, position, provider, assumed, uid, request_uid, longest, searches) VALUES",
);

impl Writer<'_, '_, '_> {
    /// Writes those of a file that are new, or that say more than what it said of them before.
    pub(super) fn responses(
        &mut self,
        source: Source,
        (file, modified, goes_on): (i64, i64, bool),
        sessions: &[i64],
        (responses, numbers): (&[Response], &Numbers),
    ) -> Result<(), Error> {
        let mut new: Vec<usize> = (0..responses.len()).collect();
        if goes_on {
            new = Vec::new();
            for (index, response) in responses.iter().enumerate() {
                let uids = (numbers.responses[index], numbers.requests[index]);
                if !self.is_told(source, file, uids, response)? {
                    new.push(index);
                }
            }
        }
        let first = RESPONSES.put(self.transaction, new.len(), |row| {
            let response = &responses[new[row]];
            let model = response.model.as_ref().map(|name| self.model(name)).transpose()?;
            let workspace = response.workspace.as_ref().map(|path| self.workspace(path)).transpose()?;
            let priced = self.pricer.price(source, response, Some(Timestamp(modified / 1_000_000)));
            let tokens = &response.tokens;
            Ok([
                file.into(),
                sessions[response.session].into(),
                response.at.map(|at| at.0).into(),
                model.into(),
                workspace.into(),
                signed(tokens.input).into(),
                signed(tokens.output).into(),
                signed(tokens.cache_read).into(),
                signed(tokens.cache_write).into(),
                signed(tokens.cache_write_hour).into(),
                response.recorded.map(signed).into(),
                priced.picodollars.map(signed).into(),
                i64::from(priced.kind == CostKind::Estimated).into(),
                i64::from(response.side).into(),
                i64::from(response.fast).into(),
                Cell::from(1),
                signed(response.place.offset).into(),
                response.provider.as_deref().into(),
                i64::from(response.assumed).into(),
                numbers.responses[new[row]].into(),
                numbers.requests[new[row]].into(),
                response.longest.map(signed).into(),
                signed(response.searches).into(),
            ])
        })?;
        let uids: Vec<Option<i64>> = new.iter().map(|index| numbers.responses[*index]).collect();
        self.number(Kind::Response, first, &uids);
        for (id, index) in (first..).zip(&new) {
            if let Some(at) = responses[*index].at {
                self.ids.waiting.add_time(at.0, id);
            }
        }
        Ok(())
    }

    /// Tells whether a log that goes on told of a response before, and as much; what says less makes way.
    fn is_told(
        &mut self,
        source: Source,
        file: i64,
        (uid, request): (Option<i64>, Option<i64>),
        response: &Response,
    ) -> Result<bool, Error> {
        let Some(uid) = uid else { return Ok(false) };
        let mut find = self.transaction.prepare_cached(
            "SELECT response.id, input + output + cache_read + cache_write + cache_write_hour, fast, session
             FROM numbered JOIN response ON response.id = numbered.id
             WHERE numbered.uid = ? AND kind = 2 AND file = ? AND request_uid IS ? AND side = ?",
        )?;
        let row = find.query_row(params![uid, file, request, response.side], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, bool>(2)?, row.get::<_, i64>(3)?))
        });
        let Some((id, total, fast, session)) = row.optional()? else { return Ok(false) };
        let is_poorer = (signed(response.tokens.total()), response.fast) <= (total, fast);
        if is_poorer && !source.rewrites() {
            return Ok(true);
        }
        self.transaction
            .prepare_cached("DELETE FROM timed WHERE (at, id) = (SELECT at, id FROM response WHERE id = ?)")?
            .execute([id])?;
        self.transaction.prepare_cached("DELETE FROM response WHERE id = ?")?.execute([id])?;
        let mut forget =
            self.transaction.prepare_cached("DELETE FROM numbered WHERE uid = ? AND kind = 2 AND id = ?")?;
        forget.execute([uid, id])?;
        self.ids.spent.insert(session);
        Ok(false)
    }

    /// Says anew which records of some responses count.
    pub(super) fn settle(&mut self, uids: &[i64]) -> Result<(), Error> {
        let mut find = self.transaction.prepare_cached(
            "SELECT response.id, request_uid, side, input + output + cache_read + cache_write + cache_write_hour, fast, session.last, path, counts,
             response.session FROM numbered JOIN response ON response.id = numbered.id JOIN file ON file.id = response.file
             JOIN session ON session.id = response.session WHERE numbered.uid = ? AND kind = 2",
        )?;
        let mut mark = self.transaction.prepare_cached("UPDATE response SET counts = ? WHERE id = ?")?;
        for uid in uids {
            let candidates = find.query_map([uid], candidate)?.collect::<Result<Vec<_>, _>>()?;
            let counting = which_count(&candidates);
            for candidate in candidates {
                let counts = counting.contains(&candidate.id);
                if counts != candidate.counts {
                    mark.execute(params![counts, candidate.id])?;
                    self.ids.spent.insert(candidate.session);
                }
            }
        }
        Ok(())
    }
}

fn candidate(row: &Row<'_>) -> Result<Candidate, Error> {
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
}
