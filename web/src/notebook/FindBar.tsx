import { useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { Find } from '../ui/Find';
import { sourceText } from './cells';
import { isHidden } from './collapsed';
import { activeKey, bringOut, leave } from './edits';
import { expressionOf, type Found, findAll, firstFrom, type Query, replace } from './find';
import { only } from './selection';
import { type NotebookView, useNotebook, useShown } from './view';

/** Looks through all cells, and replaces. */
export function FindBar() {
  const finding = useShown((shown) => shown.finding);
  return finding > 0 ? <Bar asked={finding} /> : null;
}

/** Asks for words to look for. */
export function askForWords({ shown }: NotebookView): void {
  shown.setState(({ finding }) => ({ finding: finding + 1 }));
}

function Bar({ asked }: { asked: number }) {
  const view = useNotebook();
  const [query, setQuery] = useState<Query>({ text: '', matchCase: false, wholeWord: false, regexp: false });
  const [by, setBy] = useState('');
  const [at, setAt] = useState(0);
  const [began] = useState(() => ({ key: activeKey(view) ?? '', from: 0 }));
  useVersion(view);
  const found = findAll(view.observed.doc, view.observed.keys(), query);
  /** Looks for it, and shows the first from a place on: that alone is what *Replace* means. */
  const look = (next: Query, start: Pick<Found, 'key' | 'from'> = began) => {
    const keys = view.observed.keys();
    const places = findAll(view.observed.doc, keys, next);
    const first = firstFrom(places, keys, start);
    setQuery(next);
    setAt(first);
    view.shown.setState({ query: next });
    if (places[first] && isInSight(view, places[first].key)) show(view, places[first]);
    else view.shown.setState({ found: null });
  };
  const wrong = query.text !== '' && expressionOf(query) === null;
  const go = (step: number) => {
    // What was found in what is folded comes out first.
    const isShown = view.shown.getState().found?.key === found[at]?.key;
    const next = found.length === 0 ? 0 : (at + (isShown ? step : 0) + found.length) % found.length;
    setAt(next);
    show(view, found[next]);
  };
  const put = (places: readonly Found[]) => view.live.undo.step(() => replace(view.observed.doc, places, query, by));
  const putOne = (place: Found) => {
    const length = () => sourceText(view.observed.doc, place.key).length;
    const before = length();
    put([place]);
    look(query, { key: place.key, from: place.to + length() - before });
  };
  const close = () => {
    view.shown.setState({ finding: 0, query: null, found: null });
    leave(view);
  };
  const current = found[Math.min(at, found.length - 1)];
  return (
    <Find
      label="Find in all cells"
      asked={asked}
      value={query.text}
      wrong={wrong}
      said={wrong ? 'Invalid regular expression' : countWords(query, found, at)}
      none={!current}
      onText={(text) => look({ ...query, text })}
      onGo={go}
      onClose={close}
      options={query}
      onOptions={(options) => look({ ...query, ...options })}
      wantsReplace
      replacing={{ by, onBy: setBy, onOne: () => current && putOne(current), onAll: () => put(found) }}
    />
  );
}

function countWords({ text }: Query, found: readonly Found[], at: number): string {
  if (text === '') return '';
  return found.length === 0 ? 'No matches' : `${Math.min(at + 1, found.length)} of ${found.length}`;
}

/** Nothing has to be opened to see the text of a cell. */
function isInSight({ observed }: NotebookView, key: string): boolean {
  return !observed.folds().hidden.has(key) && !isHidden(observed.doc, key, 'source');
}

/** Brings the cell into sight, also out of what is folded, without taking the keyboard out of the field. */
function show(view: NotebookView, found: Found | undefined): void {
  if (!found) return;
  const { key } = found;
  // What was folded is drawn before it is gone to.
  flushSync(() => {
    bringOut(view, key);
    view.shown.setState({ selection: only(key), found });
  });
  document.querySelector(`[data-notebook] [data-cell="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'center' });
}

let version = 0;

/** Draws anew when any cell changes. */
function useVersion(view: NotebookView): void {
  useSyncExternalStore(
    (listener) => {
      const changed = () => {
        version++;
        listener();
      };
      const cells = view.observed.doc.getMap('cells');
      cells.observeDeep(changed);
      return () => cells.unobserveDeep(changed);
    },
    () => version,
  );
}
