import { useEffect } from 'react';
import { useTasksOf } from '../tasks/known';
import { Button } from '../ui/Button';
import { ReadState } from '../ui/ReadState';
import { Unread } from '../ui/Unread';
import { useEnd } from '../ui/useEnd';
import type { ThreadId } from '../wire/gen/types';
import { Empty } from './Empty';
import type { ThreadView } from './events';
import { useThreads } from './state';
import { readAgain, showThread, useThreadView } from './store';
import styles from './ThreadLog.module.css';
import { Turn } from './Turn';
import { useAnnouncements } from './useAnnouncements';
import { useNewestFirst } from './useNewestFirst';

/** The turns of a thread; it stays at the end unless the person has scrolled away. */
export function ThreadLog({ thread }: { thread: ThreadId | null }) {
  const view = useThreadView(thread);
  const caughtUp = useThreads((state) => thread !== null && state.caughtUp.has(thread));
  const { scroller, content, away, toEnd } = useEnd(thread, view.turns.length > 0);
  useAnnouncements(thread, view, caughtUp);
  useTasksOf(thread);
  const turns = useNewestFirst(thread, view.turns);
  useSought(content, view, turns.length);
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <div ref={scroller} className={styles.log} role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        <div ref={content} className={styles.content}>
          {turns.map((turn, index) => (
            <Turn key={turn.id} turn={turn} last={index === turns.length - 1} />
          ))}
          {view.turns.length === 0 && (thread === null || caughtUp) && <Empty thread={thread} />}
          {thread !== null && !caughtUp && <Reading thread={thread} />}
        </div>
      </div>
      {away && (
        <Button className={styles.end} icon="chevronDown" onClick={toEnd}>
          Jump to the end
        </Button>
      )}
    </div>
  );
}

/** Stands where a thread will be: it is being read, or is not given, with the ways out. */
function Reading({ thread }: { thread: ThreadId }) {
  const failure = useThreads((state) => state.refused.get(thread));
  if (!failure) return <ReadState shown={false} loading failure={null} onAgain={() => {}} />;
  return (
    <Unread title="Couldn’t load this thread" failure={failure} onAgain={() => readAgain(thread)}>
      <Button onClick={() => showThread(null)}>New thread</Button>
    </Unread>
  );
}

/** Brings the turn that is sought into sight, with the keyboard, as soon as it is there. */
function useSought(content: { readonly current: HTMLElement | null }, view: ThreadView, shown: number): void {
  const sought = useThreads((state) => state.sought);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may come with the next entries of the log, or be shown later.
  useEffect(() => {
    const turn = sought && content.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(sought)}"]`);
    if (!turn) return;
    useThreads.setState({ sought: null });
    turn.scrollIntoView({ block: 'start' });
    turn.focus({ preventScroll: true });
  }, [sought, view, shown, content]);
}
