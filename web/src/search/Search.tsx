import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { Input } from '../ui/Field';
import { connection } from '../wire/connection';
import { cardsOf } from './cards';
import { FilterChips } from './FilterChips';
import { goToHit } from './goToHit';
import { HitCards } from './HitCards';
import styles from './Search.module.css';
import { IndexState, SearchStatus } from './SearchStatus';
import { goTo, searchAgain, searchNow, type, useSearch } from './searchStore';

/** Milliseconds in which changes of files are one, and between two looks at an index that is being made. */
const PAUSE = 600;
const POLL = 2000;

/** One box for everything that is written in the workspace. */
export function Search() {
  const { text, answer, asked, at, busy } = useSearch();
  const cards = useMemo(() => cardsOf(answer?.hits ?? []), [answer]);
  const hits = useMemo(() => cards.flatMap((card) => card.hits), [cards]);
  const current = Math.min(at, hits.length - 1);
  const list = useId();
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (asked === 0) return;
    box.current?.focus();
    box.current?.select();
  }, [asked]);
  useFresh(answer?.index.state === 'reading');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const hit = hits[current];
    if (step && hits.length > 0) goTo((current + step + hits.length) % hits.length);
    else if (event.key === 'Enter') {
      // What is shown may answer an earlier text.
      if (hit && !busy) goToHit(hit);
      else void searchNow();
    } else if (event.key === 'Escape' && text !== '') type('');
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.search}>
      <Input
        ref={box}
        type="search"
        role="combobox"
        aria-label="Search"
        aria-expanded={hits.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={hits[current] ? `${list}-${current}` : undefined}
        placeholder="Search notes, code and chats"
        className={styles.box}
        autoComplete="off"
        spellCheck={false}
        data-first-focus
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <FilterChips text={text} onText={type} onWrite={() => box.current?.focus()} />
      <SearchStatus cards={cards.length} places={hits.length} />
      <HitCards id={list} cards={cards} current={current} />
      {answer && <IndexState index={answer.index} />}
    </div>
  );
}

/** Asks again when files change, and while the index is being made. A text that was kept is asked for at first. */
function useFresh(isReading: boolean): void {
  useEffect(() => {
    const { text, answered, busy } = useSearch.getState();
    if (text !== '' && answered === '' && !busy) void searchNow();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = connection.on('files_changed', () => {
      clearTimeout(timer);
      timer = setTimeout(() => void searchAgain(), PAUSE);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  useEffect(() => {
    if (!isReading) return;
    const timer = setInterval(() => void searchAgain(), POLL);
    return () => clearInterval(timer);
  }, [isReading]);
}
