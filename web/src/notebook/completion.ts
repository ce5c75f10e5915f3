// What could stand at the caret, as the kernel says: asked for with Tab. Where it is one thing only, it is taken at once.
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  startCompletion,
} from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { completionsAt } from './kernel';
import type { NotebookView } from './view';

/** Completion by the kernel. Tab asks for it after a word, and takes what is chosen; elsewhere it indents. */
export function completions(view: NotebookView): Extension {
  const source = (context: CompletionContext) => ask(view, context);
  return [
    // It opens when it is asked for, so nobody takes something from it by mistake, however fast.
    autocompletion({ override: [source], activateOnTyping: false, interactionDelay: 0, icons: false }),
    Prec.high(keymap.of([{ key: 'Tab', run: (editor) => acceptCompletion(editor) || completeAfterWord(editor) }])),
  ];
}

function completeAfterWord(editor: EditorView): boolean {
  const { main } = editor.state.selection;
  const before = editor.state.sliceDoc(editor.state.doc.lineAt(main.head).from, main.head);
  return main.empty && /[\w.\])'"/]$/.test(before) && startCompletion(editor);
}

async function ask(view: NotebookView, context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit) return null;
  const found = await completionsAt(view, context.state.doc.toString(), context.pos);
  if (!found || found.matches.length === 0 || context.aborted) return null;
  const [only = '', ...others] = found.matches;
  const now = context.view?.state;
  // Who has typed on meanwhile sees the list.
  if (others.length === 0 && now?.doc.eq(context.state.doc) && now.selection.main.head === context.pos) {
    context.view?.dispatch(insertCompletionText(now, only, found.start, found.end));
    return null;
  }
  const options = found.matches.map((label, at): Completion => ({ label, boost: -at / 100 }));
  return { from: found.start, to: found.end, options, validFor: /^[\w.]*$/, update: closed };
}

/** What is typed that is no part of a name ends the list: nobody asked what could stand after it. */
const closed: CompletionResult['update'] = (current) => ({ ...current, options: [] });
