// Which action does the same as each command of the UI, or why there is none. For the test beside it, which writes the page
// `docs/coverage.md` and fails for a command that is not here. Nothing of it is in the page that people load.

/** An action by its name, or the reason for none. */
export type Coverage = { readonly action: string } | { readonly reason: string };

const by = (action: string): Coverage => ({ action });

/** Excluded once, for all commands that say so. */
export const LOOKS =
  'It moves the cursor, the keyboard or the view, or shows something: typing, cursor moves and reading are no actions.';
const OPENS = 'It opens a field or a list in which you go on; the action is done from there.';
const looks: Coverage = { reason: LOOKS };
const opens: Coverage = { reason: OPENS };
const decides: Coverage = {
  reason: 'It is your answer to an action: if an action could give it, models could approve themselves.',
};
const messages: Coverage = { reason: 'It sends a message of yours to a model, as `aside ask` does.' };
const notYet: Coverage = { reason: 'Not yet.' };

/** Each command by its id; an id that ends in `*` stands for all that begin so. */
export const COVERAGE: Readonly<Record<string, Coverage>> = {
  'palette.open': opens,
  'file.open': by('ui.open'),
  'file.recent': by('ui.open'),
  'file.compare': looks,
  'search.open': opens,
  'find.open': by('file.search'),
  'find.replace': opens,
  'find.next': looks,
  'find.previous': looks,
  'notebook.new': by('doc.create'),
  'file.new': by('doc.create'),
  'folder.new': by('file.create'),
  'file.save': by('doc.checkpoint'),
  'keys.help': looks,
  'window.zen': looks,
  'settings.open': by('ui.go'),
  'needs_you.open': by('ui.go'),
  'tasks.open': by('ui.go'),
  'todos.open': by('ui.go'),
  'note.today': by('file.create'),
  'note.from_template': by('file.create'),
  'markdown.*': looks,
  'audit.open': by('ui.go'),
  'history.open': by('ui.go'),
  'statistics.open': by('ui.go'),
  'coverage.open': by('ui.go'),
  'models.open': by('ui.go'),
  'policy.open': by('ui.go'),
  'grants.open': by('ui.go'),
  'programs.open': by('ui.go'),
  'terminal.toggle': looks,
  'terminal.open': by('terminal.open'),
  'problems.open': by('ui.go'),
  'problems.next': looks,
  'problems.previous': looks,
  'model.choose': by('thread.set_model'),
  'card.accept': decides,
  'card.reject': decides,
  'assistant.focus': by('ui.panel'),
  'chat.focus': by('ui.panel'),
  'files.focus': looks,
  'files.toggle': by('ui.layout'),
  'assistant.toggle': by('ui.layout'),
  'region.*': looks,
  'pane.split_right': by('ui.split'),
  'pane.split_down': by('ui.split'),
  'pane.next': looks,
  'pane.previous': looks,
  'tab.close': by('ui.tabs.close'),
  'tab.close_*': by('ui.tabs.close'),
  'tab.new': looks,
  'tab.reopen': by('ui.tabs.reopen'),
  'tab.move_*': by('ui.tabs.reorder'),
  'tab.*': by('ui.tabs.focus'),
  'theme.next': by('settings.set'),

  'thread.new': by('thread.create'),
  'thread.done': by('thread.archive'),
  'problem.fix': messages,
  'problem.hint': messages,
  'thread.full': notYet,
  'assistant.stop': by('thread.stop'),
  'assistant.*': { reason: 'How closely you review edits: if an action could change it, models could loosen it.' },

  'doc.format': by('doc.format'),
  'doc.versions': by('doc.restore'),
  'lines.threads': looks,

  'review.next': looks,
  'review.previous': looks,
  'review.accept': decides,
  'review.reject': decides,
  'review.accept_all': decides,

  'script.check': looks,
  'script.dry_run': by('script.run'),
  'script.run': by('script.run'),

  'latex.build': by('latex.build'),
  'latex.show_in_pdf': looks,

  'notebook.run': by('cell.run'),
  'notebook.run_on': by('cell.run'),
  'notebook.run_insert': by('cell.run'),
  'notebook.run_all': by('cell.run'),
  'notebook.run_above': by('cell.run'),
  'notebook.run_from': by('cell.run'),
  'notebook.interrupt': by('kernel.interrupt'),
  'notebook.restart': by('kernel.restart'),
  'notebook.restart_run': by('kernel.restart'),
  'notebook.restart_kernel_twice': by('kernel.restart'),
  'notebook.interrupt_kernel_i_twice': by('kernel.interrupt'),
  'notebook.outline': looks,
  'notebook.hide_from_ai': { reason: 'It takes content away from models, which must not put it back themselves.' },
  'notebook.find': opens,
  'notebook.find_and_replace': opens,
  'notebook.edit_cell': looks,
  'notebook.select_*': looks,
  'notebook.extend_selection_*': looks,
  'notebook.go_to_*': looks,
  'notebook.insert_cell_*': by('cell.insert'),
  'notebook.cut_cells': by('cell.delete'),
  'notebook.copy_cells': { reason: 'It fills the clipboard of this window.' },
  'notebook.paste_cells_*': by('cell.insert'),
  'notebook.delete_cells_*': by('cell.delete'),
  'notebook.undo': { reason: 'It takes typing back; an action is undone by its own undo.' },
  'notebook.redo': { reason: 'It takes typing back; an action is undone by its own undo.' },
  'notebook.change_to_*': by('cell.kind'),
  'notebook.heading_*': by('cell.edit'),
  'notebook.merge_cells': notYet,
  'notebook.move_cells_*': by('cell.move'),
  'notebook.show_or_hide_*': looks,
  'notebook.collapse_heading': looks,
  'notebook.expand_heading': looks,
};

/** Finds the coverage of a command: by its whole id, else by the longest beginning. */
export function coverageOf(id: string): Coverage | undefined {
  const begins = Object.keys(COVERAGE).filter((key) => key.endsWith('*') && id.startsWith(key.slice(0, -1)));
  const longest = begins.toSorted((one, two) => two.length - one.length)[0];
  return COVERAGE[id] ?? (longest === undefined ? undefined : COVERAGE[longest]);
}
