import { useEffect, useRef } from 'react';
import { announce } from '../ui/Announcer';
import type { ThreadView } from './events';
import { endWords, readyWords } from './words';

const STILL = 15_000;

/** Tells people who listen how an answer goes: never word by word, at most every 15 seconds. */
export function useAnnouncements(view: ThreadView, caughtUp: boolean): void {
  const turn = view.turns.at(-1);
  const running = caughtUp && turn !== undefined && turn.end === null;
  const steps = useRef(0);
  steps.current = turn?.steps.length ?? 0;
  const heard = useRef<string | null>(null);

  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => announce(`Still working, step ${steps.current}`), STILL);
    return () => clearInterval(timer);
  }, [running]);

  useEffect(() => {
    if (!turn || !caughtUp) return;
    if (turn.end === null) {
      heard.current = turn.id;
      return;
    }
    if (heard.current !== turn.id) return;
    heard.current = null;
    const words = endWords(turn.end);
    const answer = turn.steps.map((step) => step.text.text).join('\n');
    announce(words ? words.text : readyWords(answer), words?.tone === 'err' ? 'assertive' : 'polite');
  }, [turn, caughtUp]);
}
