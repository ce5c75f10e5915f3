import { useEffect, useState } from 'react';
import { Find, type FindOptions } from '../ui/Find';
import type { Screen } from './screen';
import { colourIn } from './theme';

/** Matches that are marked; more are counted as that many. */
const MOST = 1000;

/** Looks for words in a terminal, from its end backwards: the newest output comes first. */
export function FindInTerminal({ screen, asked, onClose }: { screen: Screen; asked: number; onClose(): void }) {
  const { search, terminal } = screen;
  const [text, setText] = useState(() => terminal.getSelection().split('\n')[0] ?? '');
  const [options, setOptions] = useState<FindOptions>({ matchCase: false, wholeWord: false, regexp: false });
  const [results, setResults] = useState({ resultIndex: -1, resultCount: 0 });
  useEffect(() => {
    const stop = search.onDidChangeResults(setResults);
    return () => stop.dispose();
  }, [search]);
  const wrong = options.regexp && text !== '' && !isExpression(text);
  const go = (step: 1 | -1, words = text, how = options, incremental = false) => {
    if (words === '' || (how.regexp && !isExpression(words))) return search.clearDecorations();
    const { matchCase: caseSensitive, wholeWord, regexp: regex } = how;
    const query = { caseSensitive, wholeWord, regex, decorations: marks(screen.element), incremental };
    if (step < 0) search.findPrevious(words, query);
    else search.findNext(words, query);
  };
  // The words that were selected are looked for at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is asked for
  useEffect(() => go(-1), [asked]);
  const close = () => {
    search.clearDecorations();
    onClose();
    terminal.focus();
  };
  return (
    <Find
      label="Find in terminal"
      value={text}
      asked={asked}
      wrong={wrong}
      said={said(text, wrong, results)}
      none={results.resultCount === 0}
      onText={(words) => {
        setText(words);
        go(-1, words, options, true);
      }}
      onGo={(step) => go(step)}
      onClose={close}
      options={options}
      onOptions={(how) => {
        setOptions(how);
        go(-1, text, how);
      }}
    />
  );
}

function said(text: string, wrong: boolean, results: { resultIndex: number; resultCount: number }): string {
  if (text === '') return '';
  if (wrong) return 'Invalid expression';
  const { resultIndex, resultCount } = results;
  if (resultCount === 0) return 'No results';
  const count = resultCount >= MOST ? `${MOST}+` : String(resultCount);
  return resultIndex < 0 ? count : `${resultIndex + 1} of ${count}`;
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** The colours of matches. */
function marks(element: HTMLElement) {
  const [match, current] = [colourIn(element, '--match'), colourIn(element, '--match-current')];
  return {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: current,
    activeMatchColorOverviewRuler: current,
  };
}
