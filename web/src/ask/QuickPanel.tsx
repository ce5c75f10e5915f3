import { type ReactNode, useEffect, useRef } from 'react';
import { Plain } from '../actions/Plain';
import { useAction } from '../actions/store';
import { startActions } from '../actions/sync';
import { CARD_KEYS } from '../app/cardKeys';
import { keyLabel } from '../app/keymap';
import { taskPath } from '../tasks/following';
import { IconButton } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Icon } from '../ui/Icon';
import { useKeepFocus } from '../ui/useKeepFocus';
import type { TaskDetail } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { QuickAction } from './QuickAction';
import { NoModelNote, QuickFailure } from './QuickNotes';
import styles from './QuickPanel.module.css';
import { QuickTask } from './QuickTask';
import { QuickTurn } from './QuickTurn';
import { type Quick, showQuick, useQuick } from './quick';

/** The panel for a sentence from the palette: the understood action, its preview, the answers to it, and the result. */
export default function QuickPanel() {
  const quick = useQuick((state) => state.quick);
  return quick && <Panel key={quick.text} quick={quick} />;
}

function Panel({ quick }: { quick: Quick }) {
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useKeepFocus(panel);
  useEffect(startActions, []);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    showQuick(null);
  };
  return (
    <section
      ref={panel}
      className={styles.panel}
      aria-label="Quick task"
      data-region="quick"
      data-card
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={styles.header}>
        <h2 ref={heading} tabIndex={-1}>
          <Plain text={quick.text} />
        </h2>
        <Keys />
        <IconButton icon="close" label="Close quick task" title="Close (Esc)" onClick={() => showQuick(null)} />
      </header>
      <div className={styles.body}>
        <ErrorBoundary name="Quick task">{bodyOf(quick)}</ErrorBoundary>
      </div>
    </section>
  );
}

/** The keys of the answers, while an answer is wanted. */
function Keys() {
  const waits = useWaits();
  if (!waits) return null;
  return (
    <span className={styles.keys} aria-hidden="true">
      <kbd>{keyLabel(CARD_KEYS.accept)}</kbd> confirm <kbd>{keyLabel(CARD_KEYS.reject)}</kbd> reject
    </span>
  );
}

/** Tells whether the quick task waits for the person. */
function useWaits(): boolean {
  const quick = useQuick((state) => state.quick);
  const action = useAction(quick?.kind === 'action' ? quick.action : '');
  const { data } = useResource<TaskDetail>(quick?.kind === 'task' ? taskPath(quick.task) : null);
  return action?.state === 'awaiting_confirmation' || data?.task.state === 'awaiting_confirmation';
}

function bodyOf(quick: Quick): ReactNode {
  switch (quick.kind) {
    case 'starting':
      return (
        <p className={styles.working} role="status">
          <Icon name="spinner" /> Preparing…
        </p>
      );
    case 'task':
      return <QuickTask id={quick.task} />;
    case 'action':
      return <QuickAction id={quick.action} />;
    case 'turn':
      return <QuickTurn thread={quick.thread} />;
    case 'no_model':
      return <NoModelNote text={quick.text} />;
    case 'failed':
      return <QuickFailure failure={quick.failure} text={quick.text} />;
  }
}
