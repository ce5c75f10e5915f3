import { useEffect, useRef } from 'react';
import { announce } from '../ui/Announcer';
import type { ThreadId, TurnId } from '../wire/gen/types';
import type { ThreadView } from './events';
import { endWords, readyWords } from './words';

const STILL = 15_000;

/** Tells people who listen how an answer goes: never word by word, at most every 15 seconds. */
export function useAnnouncements(thread: ThreadId | null, view: ThreadView, caughtUp: boolean): void {
  const turn = view.turns.at(-1);
  const running = caughtUp && turn !== undefined && turn.end === null;
  const steps = useRef(0);
  steps.current = turn?.steps.length ?? 0;
  /** The turn whose end is known, of the thread that is shown. */
  const known = useRef<{ thread: ThreadId | null; turn: TurnId | null } | null>(null);

  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => announce(`Still working, step ${steps.current}`), STILL);
    return () => clearInterval(timer);
  }, [running]);

  useEffect(() => {
    if (!caughtUp) {
      known.current = null;
      return;
    }
    const ended = turn?.end ? turn.id : null;
    const before = known.current;
    known.current = { thread, turn: ended ?? (before?.thread === thread ? before.turn : null) };
    // What had ended when the thread was opened is no news.
    if (before?.thread !== thread || before.turn === known.current.turn || !turn?.end) return;
    const words = endWords(turn.end);
    const answer = turn.steps.map((step) => step.text.text).join('\n');
    announce(words ? words.text : readyWords(answer), words?.tone === 'err' ? 'assertive' : 'polite');
  }, [thread, turn, caughtUp]);
}
