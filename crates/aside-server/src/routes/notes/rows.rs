//! Facts of notes as the page gets them.

use aside_notes::{Heading, LinkFacts, Note, NoteProblem, Todo, TodoFacts, Vault, tags_of};
use aside_protocol::{NoteHeading, NoteLapse, NoteLink, TodoItem};

pub(super) fn heading(heading: &Heading) -> NoteHeading {
    let Heading { text, slug, level, line, .. } = heading.clone();
    NoteHeading { text, slug, level, line }
}

pub(super) fn problem(problem: &NoteProblem) -> NoteLapse {
    NoteLapse { line: problem.line, what: problem.kind.words().to_owned() }
}

pub(super) fn link(vault: &Vault, link: LinkFacts) -> NoteLink {
    let title = link.to.as_ref().and_then(|to| vault.note(to)).map(|note| note.title.clone());
    let LinkFacts { line, kind, raw, to, alias, ambiguous, anchor, anchor_found, anchor_line } = link;
    NoteLink { line, kind: kind.to_owned(), raw, to, title, alias, ambiguous, anchor, anchor_found, anchor_line }
}

pub(super) fn todo(note: &Note, todo: &Todo) -> TodoItem {
    let facts = TodoFacts::of(todo);
    TodoItem {
        path: note.path.clone(),
        note: note.title.clone(),
        line: facts.line,
        state: facts.state.to_owned(),
        mark: facts.mark,
        text: facts.text,
        due: facts.due,
        scheduled: facts.scheduled,
        start: facts.start,
        done: facts.done,
        cancelled: facts.cancelled,
        created: facts.created,
        repeat: facts.repeat,
        priority: facts.priority.map(str::to_owned),
        id: facts.id,
        block: facts.block,
        parent: facts.parent,
        tags: tags_of(note, todo).into_iter().map(str::to_owned).collect(),
    }
}
