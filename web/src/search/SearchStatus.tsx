import { setPageQuery } from '../app/history';
import { isGuest } from '../app/session';
import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import type { SearchIndex } from '../wire/gen/types';
import { askedIn, expressionIn, wordsOnly } from './filters';
import { findExpression, openFind } from './open';
import styles from './Search.module.css';
import { SearchFailure } from './SearchFailure';
import { searchNow, type, useSearch } from './searchStore';

const SYNTAX: readonly { sign: string; means: string }[] = [
  { sign: '"sea level"', means: 'exact words' },
  { sign: '-draft', means: 'without this word' },
  { sign: 'tag:sea', means: 'with this tag' },
  { sign: 'path:notes/', means: 'in this folder' },
  { sign: 'has:todo', means: 'with an open todo' },
  { sign: 'after:2026-01-31', means: 'changed since' },
];

/** How much was found, and why it may not be all. */
export function SearchStatus({ cards, places }: { cards: number; places: number }) {
  const { text, answer, answered, failure, busy } = useSearch();
  const asked = askedIn(text);
  const expression = expressionIn(asked);
  const isNothing = answer !== null && places === 0 && answered === asked;
  return (
    <div className={styles.status}>
      <SearchFailure
        shown={places > 0}
        loading={busy && answer === null}
        failure={failure}
        onAgain={() => void searchNow()}
      />
      {/* It has its place before there is an answer, so that nothing moves when there is. */}
      {asked !== '' && !failure && (
        <p className={styles.quiet} role="status">
          {answer === null ? '' : isNothing ? `No results for “${text.trim()}”` : countWords(cards, places)}
        </p>
      )}
      {isNothing && !failure && <Nothing text={text} />}
      {failure && expression !== null && (
        <div className={styles.ways}>
          <Button icon="search" onClick={() => findExpression(expression)}>
            Find in files
          </Button>
        </div>
      )}
      {asked === '' && <Syntax />}
      {answer?.index.problem !== undefined && (
        <p className={styles.quiet} data-tone="warn">
          {answer.index.problem}
        </p>
      )}
      {answer?.index.state === 'reading' && <Reading index={answer.index} />}
    </div>
  );
}

function countWords(cards: number, places: number): string {
  return `${places} ${places === 1 ? 'place' : 'places'} in ${cards} ${cards === 1 ? 'document' : 'documents'}`;
}

function Nothing({ text }: { text: string }) {
  const words = wordsOnly(text);
  return (
    <div className={styles.ways}>
      {words !== text.trim() && words !== '' && <Button onClick={() => type(words)}>Remove filters</Button>}
      {words !== '' && (
        <Button icon="search" onClick={() => openFind(false, words.replace(/^"(.*)"$/, '$1'))}>
          Find in files
        </Button>
      )}
    </div>
  );
}

function Syntax() {
  return (
    <dl className={styles.syntax}>
      {SYNTAX.map(({ sign, means }) => (
        <div key={sign}>
          <dt>
            <code>{sign}</code>
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  );
}

function Reading({ index: { done, of } }: { index: SearchIndex }) {
  return (
    <p className={styles.quiet}>
      Reading files: {done.toLocaleString('en')} of {of.toLocaleString('en')}. Some results may be missing.
    </p>
  );
}

/** Below the results: how far their meaning is known, and which files are searched by their name alone. */
export function IndexState({ index: { meaning, left_out, left_out_files } }: { index: SearchIndex }) {
  const knowsAll = meaning.model !== null && meaning.done >= meaning.of && meaning.problem === undefined;
  if (knowsAll && left_out === 0) return null;
  return (
    <div className={styles.foot}>
      {!knowsAll && <Meaning meaning={meaning} />}
      {left_out > 0 && (
        <details>
          <summary>
            {left_out.toLocaleString('en')} {left_out === 1 ? 'file is' : 'files are'} searched by name only
          </summary>
          <ul>
            {left_out_files.map(({ path, reason }) => (
              <li key={path}>
                {path}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Meaning({ meaning: { model, done, of, problem } }: Pick<SearchIndex, 'meaning'>) {
  if (problem !== undefined) return <p data-tone="warn">{problem}</p>;
  if (model !== null) {
    return (
      <p>
        Search by meaning is ready for {done.toLocaleString('en')} of {of.toLocaleString('en')} passages.
      </p>
    );
  }
  return (
    <p>
      Finds words only. Search by meaning needs a model
      {isGuest() ? (
        '.'
      ) : (
        <>
          : <HowTo />
        </>
      )}
    </p>
  );
}

function HowTo() {
  const show = () => {
    setPageQuery('settings', 'q=search.model');
    openView({ kind: 'settings' });
  };
  return (
    <button type="button" className={styles.link} onClick={show}>
      How to get one
    </button>
  );
}
