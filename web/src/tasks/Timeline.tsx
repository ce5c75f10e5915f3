import { useState } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { Plain } from '../actions/Plain';
import type { Tone } from '../ui/Fold';
import { Icon, type IconName } from '../ui/Icon';
import { Note } from '../ui/Note';
import { sentence } from '../ui/sentence';
import type { Phase, TimelineEntry } from '../wire/gen/types';
import styles from './Tasks.module.css';
import { useRecords } from './useRecords';

const PHASES: Record<Phase, { word: string; icon: IconName; tone: Tone }> = {
  plan: { word: 'Plan', icon: 'tasks', tone: 'quiet' },
  execute: { word: 'Execute', icon: 'play', tone: 'accent' },
  observe: { word: 'Observe', icon: 'search', tone: 'ok' },
};

/** Something went wrong, or a command ended with an error. */
const FAILED = { word: 'Failed', icon: 'warning', tone: 'warn' } as const;

/** What happened in a task, in order: planned, executed, observed. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  if (entries.length === 0) return <Note>No activity yet.</Note>;
  return (
    <ol className={styles.timeline} aria-label="Timeline">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end.
        <Entry key={index} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const [opened, setOpen] = useState<boolean | null>(null);
  const [record] = useRecords(entry.action ? [entry.action] : [], opened === true);
  // What waits for a person is shown without being asked for.
  const open = opened ?? (entry.state === 'awaiting_confirmation' && record?.state === 'awaiting_confirmation');
  const { word, icon, tone } = entry.state === 'failed' ? FAILED : PHASES[entry.phase];
  const at = new Date(entry.at);
  const line = (
    <>
      <time className={styles.at} dateTime={at.toISOString()} title={at.toLocaleString()}>
        {at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
      </time>
      <span className={styles.phase} data-tone={tone}>
        <Icon name={icon} size={14} /> {word}
      </span>
      <span className={styles.what}>
        {entry.step !== undefined && <span className={styles.number}>{entry.step}. </span>}
        <Plain text={sentence(entry.text)} />
      </span>
    </>
  );
  const action = entry.action;
  return (
    <li className={styles.entry}>
      {action ? (
        <button type="button" className={styles.line} aria-expanded={open} onClick={() => setOpen(!open)}>
          {line}
          <Icon name={open ? 'chevronDown' : 'chevronRight'} />
        </button>
      ) : (
        <div className={styles.line}>{line}</div>
      )}
      {open && action && (
        <div className={styles.entryCard}>
          <ActionCard id={action} />
        </div>
      )}
    </li>
  );
}
