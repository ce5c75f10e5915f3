// The text of an open note, as it is typed.
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type LiveDocument, openDocument } from '../documents/provider';

/** Milliseconds in which several changes are one. */
const PAUSE = 150;

/** Follows the text of a live document. */
export function useTextOf(live: LiveDocument): string {
  const generation = useStore(live.status, (status) => status.generation);
  const [text, setText] = useState(() => live.text.toString());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is a new text
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observed = live.text;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setText(observed.toString());
      }, PAUSE);
    };
    setText(observed.toString());
    observed.observe(soon);
    return () => {
      clearTimeout(timer);
      observed.unobserve(soon);
    };
  }, [live, generation]);
  return text;
}

/** Holds a note open as long as it is shown; null until it is. */
export function useLiveNote(path: string): LiveDocument | null {
  const [live, setLive] = useState<LiveDocument | null>(null);
  useEffect(() => {
    const held = openDocument({ kind: 'file', path });
    setLive(held.live);
    return () => {
      setLive(null);
      held.close();
    };
  }, [path]);
  return live;
}
