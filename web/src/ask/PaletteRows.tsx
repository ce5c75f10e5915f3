import { useEffect, useRef } from 'react';
import { Plain } from '../actions/Plain';
import { keyLabel } from '../app/keymap';
import { Icon, type IconName } from '../ui/Icon';
import type { PaletteEntry } from './entries';
import styles from './Palette.module.css';
import { isHarmless, type RiskWord } from './understood';

interface PaletteRowsProps {
  id: string;
  entries: readonly PaletteEntry[];
  selected: number;
  /** The row with this number is clicked. */
  onPick(index: number): void;
}

/** The rows under their headings. The field keeps the keyboard. */
export function PaletteRows({ id, entries, selected, onPick }: PaletteRowsProps) {
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is chosen, so that it has to be seen.
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [selected, entries]);
  return (
    <div id={id} role="listbox" aria-label="Results" className={styles.list}>
      {groupsOf(entries).map(({ group, from, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element outside a select.
        <div key={`${group} ${from}`} role="group" aria-label={group}>
          <div className={styles.group} aria-hidden="true">
            {group}
          </div>
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's.
            <div
              key={entry.id}
              ref={from + index === selected ? chosen : null}
              id={`${id}-${from + index}`}
              role="option"
              tabIndex={-1}
              aria-selected={from + index === selected}
              className={styles.entry}
              onClick={() => onPick(from + index)}
            >
              <Line entry={entry} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const ICONS: Record<PaletteEntry['choice']['kind'], IconName> = {
  understood: 'play',
  command: 'keyboard',
  action: 'tool',
  file: 'file',
  compare: 'compare',
  thread: 'chat',
  ask: 'model',
};

/** Commands by the heading that they have in the list of keys. */
const GROUP_ICONS: Readonly<Record<string, IconName>> = {
  Assistant: 'model',
  Document: 'fileText',
  Files: 'files',
  Find: 'search',
  LaTeX: 'filePdf',
  Notebook: 'fileNotebook',
  Pages: 'fileText',
  Panes: 'splitRight',
  Problems: 'warning',
  Review: 'check',
  Window: 'sidebar',
};

function iconOf({ choice, detail }: PaletteEntry): IconName {
  return (choice.kind === 'command' && GROUP_ICONS[detail ?? '']) || ICONS[choice.kind];
}

function Line({ entry }: { entry: PaletteEntry }) {
  const { title, at, detail, keys, risk, choice } = entry;
  return (
    <>
      <span className={styles.icon}>
        <Icon name={iconOf(entry)} />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          {choice.kind === 'file' ? <Path path={title} at={at} /> : <Marked text={title} at={at} />}
        </span>
        {detail && !title.toLowerCase().includes(detail.toLowerCase()) && (
          <span className={styles.detail}>
            <Plain text={detail} />
          </span>
        )}
      </span>
      {risk && <Risk risk={risk} />}
      {keys && <kbd className={styles.keys}>{keyLabel(keys)}</kbd>}
    </>
  );
}

/** The risk in a word; whether it asks first is said with it. */
function Risk({ risk }: { risk: RiskWord }) {
  const harmless = isHarmless(risk);
  return (
    <span className={styles.risk} data-tone={harmless ? 'quiet' : risk === 'deletes' ? 'err' : 'warn'}>
      {risk}
      {!harmless && <span className="visually-hidden">, asks first</span>}
    </span>
  );
}

/** A path with its name first and its folder after it. */
function Path({ path, at }: { path: string; at: readonly number[] }) {
  const base = path.lastIndexOf('/') + 1;
  if (base === 0) return <Marked text={path} at={at} />;
  return (
    <>
      <Marked text={path.slice(base)} at={at.flatMap((index) => (index >= base ? [index - base] : []))} />{' '}
      <span className={styles.folder}>
        <Marked text={path.slice(0, base - 1)} at={at.filter((index) => index < base - 1)} />
      </span>
    </>
  );
}

/** Entries with the same heading, in their order, with the place of the first. */
function groupsOf(entries: readonly PaletteEntry[]) {
  const groups: { group: string; from: number; entries: PaletteEntry[] }[] = [];
  entries.forEach((entry, index) => {
    const last = groups.at(-1);
    if (last?.group === entry.group) last.entries.push(entry);
    else groups.push({ group: entry.group, from: index, entries: [entry] });
  });
  return groups;
}

/** The title with the letters that were meant. */
function Marked({ text, at }: { text: string; at: readonly number[] }) {
  if (at.length === 0) return <Plain text={text} />;
  const meant = new Set(at);
  const runs: { text: string; meant: boolean; from: number }[] = [];
  for (let index = 0; index < text.length; index++) {
    const last = runs.at(-1);
    if (last && last.meant === meant.has(index)) last.text += text[index];
    else runs.push({ text: text[index] as string, meant: meant.has(index), from: index });
  }
  return runs.map((run) => (run.meant ? <b key={run.from}>{run.text}</b> : run.text));
}
