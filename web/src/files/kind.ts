// What kind of file something is. The server has the last word: it looks into a file when it is opened. Until then the
// name has to do. The table itself comes a moment after the start.
//
//   useKind(path)      the kind, for components; `plain` if the name says nothing
//   useFacts(path)     its editor, agent, icon …; null until the table is there
import { create } from 'zustand';
import type { IconName } from '../ui/Icon';
import { needed } from '../ui/needed';
import type { FileKind } from '../wire/gen/types';
import type { FileFacts } from './kinds';

interface Known {
  readonly told: ReadonlyMap<string, FileKind>;
  readonly table: typeof import('./kinds') | null;
}

const useKnown = create<Known>(() => ({ told: new Map(), table: null }));
void needed(() => import('./kinds')).then((table) => useKnown.setState({ table }));

/** Remembers what the server said of a file that was opened. */
export function learnKind(path: string, kind: FileKind): void {
  const { told } = useKnown.getState();
  if (told.get(path) !== kind) useKnown.setState({ told: new Map(told).set(path, kind) });
}

/** The kind of a file, as far as is known now. */
export function kindOf(path: string): FileKind {
  return kindIn(useKnown.getState(), path);
}

/** The same, for components. */
export function useKind(path: string): FileKind {
  return useKnown((known) => kindIn(known, path));
}

/** What the table says of the file's kind. */
export function useFacts(path: string): FileFacts | null {
  const kind = useKind(path);
  return useKnown(({ table }) => table)?.factsOf(kind) ?? null;
}

/** The icon of a file. */
export function useIcon(path: string): IconName {
  return useKnown(({ table, told }) => {
    const kind = table && (told.get(path) ?? table.kindOfName(path));
    return kind ? table.iconOf(kind, path) : 'file';
  });
}

function kindIn({ told, table }: Known, path: string): FileKind {
  return told.get(path) ?? table?.kindOfName(path) ?? 'plain';
}
