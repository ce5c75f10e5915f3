// Find and replace in the editor of a file: our own bar on CodeMirror's search. The text is taken literally unless it is a
// regular expression.
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, keymap, type Panel, runScopeHandlers } from '@codemirror/view';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Find } from '../ui/Find';

/** Matches that are counted; more are "10,000+". */
const MOST = 10_000;
/** Milliseconds after a change of the text before its matches are counted anew. */
const COUNT_AFTER = 100;

/** Which editors show the row for the replacement. */
const replacing = new WeakSet<EditorView>();

/** The search of an editor, and its keys. */
export function find(): Extension {
  const openReplace = (view: EditorView) => {
    replacing.add(view);
    return openSearchPanel(view);
  };
  return [
    search({ top: true, literal: true, createPanel }),
    keymap.of([
      { key: 'Ctrl-h', mac: 'Mod-Alt-f', run: openReplace, preventDefault: true, scope: 'editor search-panel' },
    ]),
    EditorView.theme({
      // It lies over the text and moves nothing.
      '.cm-panels.cm-panels-top': { border: '0', background: 'none', zIndex: '6' },
    }),
  ];
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement('div');
  const root = createRoot(dom);
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let matches = matchesIn(view.state);
  const draw = () => root.render(<FindBar view={view} asked={asked} {...matches} replace={replacing.has(view)} />);
  const count = (state: EditorState) => {
    matches = matchesIn(state);
    draw();
  };
  // The editor's keys for a search work in the bar, too.
  dom.addEventListener('keydown', (event) => {
    if (!event.defaultPrevented && runScopeHandlers(view, event, 'search-panel')) event.preventDefault();
  });
  flushSync(draw);
  return {
    dom,
    top: true,
    mount: () => {
      asked++;
      flushSync(draw);
    },
    update: ({ transactions, docChanged, selectionSet, state }) => {
      clearTimeout(timer);
      const isNew = transactions.some(({ effects }) => effects.some((effect) => effect.is(setSearchQuery)));
      if (isNew) count(state);
      else if (docChanged) timer = setTimeout(() => count(view.state), COUNT_AFTER);
      else if (selectionSet) draw();
    },
    destroy: () => {
      clearTimeout(timer);
      replacing.delete(view);
      // Not while React draws something else.
      queueMicrotask(() => root.unmount());
    },
  };
}

interface Matches {
  /** Where each begins, in order. */
  starts: readonly number[];
  more: boolean;
}

interface FindBarProps extends Matches {
  view: EditorView;
  asked: number;
  replace: boolean;
}

function FindBar({ view, asked, replace, starts, more }: FindBarProps) {
  const query = getSearchQuery(view.state);
  const set = (changed: Partial<SearchQuery>) => setQuery(view, { ...configOf(query), ...changed });
  const wrong = query.search !== '' && !query.valid;
  return (
    <Find
      label="Find"
      value={query.search}
      asked={asked}
      wrong={wrong}
      said={wrong ? 'Invalid regular expression' : countWords(view, query, starts, more)}
      none={starts.length === 0}
      onText={(text) => set({ search: text })}
      onGo={(step) => (step > 0 ? findNext : findPrevious)(view)}
      onClose={() => closeSearchPanel(view)}
      options={{ matchCase: query.caseSensitive, wholeWord: query.wholeWord, regexp: query.regexp }}
      onOptions={({ matchCase, wholeWord, regexp }) => set({ caseSensitive: matchCase, wholeWord, regexp })}
      wantsReplace={replace}
      replacing={{
        by: query.replace,
        onBy: (by) => set({ replace: by }),
        onOne: () => replaceNext(view),
        onAll: () => replaceAll(view),
      }}
    />
  );
}

type Config = Pick<SearchQuery, 'search' | 'replace' | 'caseSensitive' | 'wholeWord' | 'regexp'>;

const configOf = ({ search, replace, caseSensitive, wholeWord, regexp }: Config): Config => ({
  search,
  replace,
  caseSensitive,
  wholeWord,
  regexp,
});

/** Looks for something else: the first match from the cursor on is selected, as letters are typed. */
function setQuery(view: EditorView, config: Config): void {
  const before = getSearchQuery(view.state);
  // Only a regular expression has `\n` and `\t` for a line end and a tab, in its replacement too.
  const query = new SearchQuery({ ...config, literal: !config.regexp });
  view.dispatch({ effects: setSearchQuery.of(query) });
  if (before.search === query.search && before.regexp === query.regexp) return;
  const { from } = view.state.selection.main;
  const first = query.valid && firstFrom(view.state, query, from);
  if (!first) return;
  view.dispatch({
    selection: { anchor: first.from, head: first.to },
    effects: EditorView.scrollIntoView(first.from, { y: 'center' }),
    userEvent: 'select.search',
  });
}

function firstFrom(state: EditorState, query: SearchQuery, from: number): { from: number; to: number } | null {
  const after = query.getCursor(state, from).next();
  const found = after.done ? query.getCursor(state).next() : after;
  return found.done ? null : found.value;
}

function matchesIn(state: EditorState): Matches {
  const query = getSearchQuery(state);
  const starts: number[] = [];
  if (query.valid) {
    const cursor = query.getCursor(state);
    for (let next = cursor.next(); !next.done; next = cursor.next()) {
      if (starts.length === MOST) return { starts, more: true };
      starts.push(next.value.from);
    }
  }
  return { starts, more: false };
}

function countWords(view: EditorView, query: SearchQuery, starts: readonly number[], more: boolean): string {
  if (query.search === '') return '';
  if (starts.length === 0) return 'No matches';
  const { from } = view.state.selection.main;
  const at = starts.indexOf(from);
  const all = more ? `${MOST.toLocaleString('en')}+` : starts.length.toLocaleString('en');
  return at >= 0 ? `${at + 1} of ${all}` : `${all} ${starts.length === 1 ? 'match' : 'matches'}`;
}
