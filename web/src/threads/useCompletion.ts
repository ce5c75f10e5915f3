/** The list under the cursor of the composer: what it offers, and what the keys do with it. */
import { useEffect, useState } from 'react';
import { useFocus } from '../editor/focus';
import { useProblems } from '../problems/store';
import { announce } from '../ui/Announcer';
import type { FileNames, SlashWord, SlashWords, ThreadId } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { attach } from './attached';
import { type Candidate, candidates, completed, type Token, tokenAt } from './completion';
import { NEW, setDraft } from './drafts';
import { useThreads } from './state';

const NO_WORDS: readonly SlashWord[] = [];

export interface Completion {
  readonly offered: readonly Candidate[];
  readonly at: number;
  /** Looks again at what is written, and where the cursor is. */
  look(field: HTMLTextAreaElement): void;
  /** Takes a key, and tells whether it was for the list. */
  press(event: React.KeyboardEvent<HTMLTextAreaElement>): boolean;
  choose(candidate: Candidate): void;
  close(): void;
}

/** Completes the draft of a thread, which is in `field`. */
export function useCompletion(thread: ThreadId | null, field: React.RefObject<HTMLTextAreaElement | null>): Completion {
  const [token, setToken] = useState<Token | null>(null);
  const [at, setAt] = useState(0);
  const offered = useOffered(token, thread);
  const count = offered.length;
  useEffect(() => {
    if (count > 0) announce(count === 1 ? '1 suggestion' : `${count} suggestions`);
  }, [count]);
  const close = () => setToken(null);
  const choose = (candidate: Candidate) => {
    const element = field.current;
    if (!element || !token) return;
    const { text, caret } = completed(element.value, token, candidate);
    setDraft(thread ?? NEW, text);
    if (candidate.attach) attach(thread, candidate.attach);
    close();
    element.focus();
    requestAnimationFrame(() => element.setSelectionRange(caret, caret));
  };
  const press = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    const current = offered[Math.min(at, count - 1)];
    if (!current || event.altKey || event.ctrlKey || event.metaKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((Math.min(at, count - 1) + step + count) % count);
    else if ((event.key === 'Enter' && !event.shiftKey && !isWhole(token, current)) || event.key === 'Tab')
      choose(current);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  const look = (element: HTMLTextAreaElement) => {
    setAt(0);
    setToken(element.selectionStart === element.selectionEnd ? tokenAt(element.value, element.selectionStart) : null);
  };
  return { offered, at: Math.min(at, count - 1), look, press, choose, close };
}

/** A command that is written out is sent by Enter, like any message. */
function isWhole(token: Token | null, { insert }: Candidate): boolean {
  return token?.kind === 'slash' && `/${token.query}` === insert;
}

function useOffered(token: Token | null, thread: ThreadId | null): Candidate[] {
  const isMention = token?.kind === 'mention';
  const query = thread ? `?thread=${encodeURIComponent(thread)}` : '';
  const words = useResource<SlashWords>(token?.kind === 'slash' ? `slash${query}` : null).data?.words ?? NO_WORDS;
  const files = useResource<FileNames>(isMention ? 'files/names' : null).data?.paths ?? [];
  const problems = useProblems().data?.problems ?? [];
  const known = useThreads((state) => state.threads);
  const focus = useFocus((state) => state.focus);
  if (!token) return [];
  const others = [...known.values()].filter(
    // The thread of a cell goes along with its cell.
    (each) => each.id !== thread && !each.archived && each.cell === undefined,
  );
  const threads = others.sort((one, two) => two.updated - one.updated);
  return candidates(token, { words, focus, problems, threads, files });
}
