/** Threads by what was said in them, found by the server. */
import { useEffect, useState } from 'react';
import type { ThreadFound } from '../wire/gen/types';
import { useResource } from '../wire/resource';

/** Milliseconds of quiet after which what was typed is looked for. */
const PAUSE = 200;
/** Letters from which on it is looked for. */
const FEWEST = 3;

const NONE: readonly ThreadFound[] = [];

/** What was found for the words so far; nothing for a few letters. */
export function useSaid(words: string): readonly ThreadFound[] {
  const typed = words.trim();
  const [query, setQuery] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.length < FEWEST ? '' : typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useResource<ThreadFound[]>(query === '' ? null : `threads/search?q=${encodeURIComponent(query)}`);
  return query === typed ? (found.data ?? NONE) : NONE;
}
