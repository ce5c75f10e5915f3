// Completion in notes: `[[note`, `[[note#heading`, `](file` and `#tag`, as the server ranks them.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { completeNote } from './api';
import { type NoteQuery, queryBefore } from './query';

/** Completion in the note at a path. */
export function noteCompletion(path: string): Extension {
  const autocomplete = (context: CompletionContext) => complete(path, context);
  return EditorState.languageData.of(() => [{ autocomplete }]);
}

async function complete(path: string, context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos } = context;
  const line = state.doc.lineAt(pos);
  const query = queryBefore(line.text.slice(0, pos - line.from));
  if (!query || isCode(state, pos)) return null;
  try {
    const { kind, text, target } = query;
    const { items } = await completeNote({
      kind,
      text,
      from: path,
      ...(kind === 'heading' && { target: target ?? '' }),
    });
    if (context.aborted || items.length === 0) return null;
    const options = items.map(
      (item): Completion => ({ label: item.label, detail: item.detail, apply: put(item.insert, query) }),
    );
    return { from: pos - text.length, options, filter: false };
  } catch {
    // Typing goes on without it.
    return null;
  }
}

/** Puts a completion in, with its end where that is not there yet, and goes behind that. */
const put =
  (text: string, { end }: NoteQuery) =>
  (view: EditorView, _completion: Completion, from: number, to: number): void => {
    const has = end !== '' && view.state.sliceDoc(to, to + end.length) === end;
    const insert = text + end;
    view.dispatch({
      changes: { from, to: has ? to + end.length : to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
  };

const CODE: ReadonlySet<string> = new Set([
  'FencedCode',
  'CodeText',
  'InlineCode',
  'CodeBlock',
  'BlockMath',
  'InlineMath',
]);

function isCode(state: EditorState, pos: number): boolean {
  for (let node = syntaxTree(state).resolveInner(pos, -1); ; ) {
    if (CODE.has(node.name)) return true;
    if (!node.parent) return false;
    node = node.parent;
  }
}
