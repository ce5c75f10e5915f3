// The keys of the results of *Find in files*, wherever the keyboard is.
import { registerCommands } from '../app/commands';
import { openFile } from '../frames/store';
import { findRows, nextLine } from './findRows';
import { useFind } from './findStore';

/** Adds them; returns what takes them out again. */
export function registerFindCommands(): () => void {
  const when = () => useFind.getState().files.length > 0;
  return registerCommands([
    { id: 'find.next', title: 'Next search result', group: 'Find', keys: ['F4'], when, run: () => step(1) },
    {
      id: 'find.previous',
      title: 'Previous search result',
      group: 'Find',
      keys: ['Shift-F4'],
      when,
      run: () => step(-1),
    },
  ]);
}

/** Opens the next line that was found, or the one before. */
function step(by: 1 | -1): void {
  const { files, dismissed, current, folded } = useFind.getState();
  const row = nextLine(findRows(files, new Set(), dismissed), current, by);
  if (row?.kind !== 'line') return;
  useFind.setState({ current: row.id, folded: new Set([...folded].filter((path) => path !== row.path)) });
  openFile(row.path, { line: row.found.line });
}
