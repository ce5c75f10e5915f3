// What languages take from CodeMirror's completion, which is loaded when somebody asks for what could stand there: see
// `build/lean.ts`.
import type { Completion, CompletionSource } from '@codemirror/autocomplete';

type Library = typeof import('@codemirror/autocomplete');

/** A source that is made when it is first asked. */
function later(make: (library: Library) => CompletionSource): CompletionSource {
  let source: Promise<CompletionSource> | null = null;
  return async (context) => {
    source ??= import('@codemirror/autocomplete').then(make);
    return (await source)(context);
  };
}

export const completeFromList = (list: readonly Completion[]): CompletionSource =>
  later((library) => library.completeFromList(list));

export const ifNotIn = (nodes: readonly string[], source: CompletionSource): CompletionSource =>
  later((library) => library.ifNotIn(nodes, source));

/** A completion whose fields are gone through once it is taken. */
export function snippetCompletion(template: string, completion: Completion): Completion {
  const apply: Completion['apply'] = (editor, chosen, from, to) =>
    void import('@codemirror/autocomplete').then(({ snippet }) => snippet(template)(editor, chosen, from, to));
  return { ...completion, apply };
}
