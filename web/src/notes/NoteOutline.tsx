import { useMemo } from 'react';
import type { LiveDocument } from '../documents/provider';
import { useFocus } from '../editor/focus';
import { openFile } from '../frames/store';
import { outlineOf } from '../markdown/outline';
import { OutlineList } from '../ui/OutlineList';
import styles from './Links.module.css';
import { useLiveNote, useTextOf } from './useNoteText';

/** The headings of a note; the one above the cursor is marked. */
export default function NoteOutline({ path }: { path: string }) {
  const live = useLiveNote(path);
  return live && <Headings path={path} live={live} />;
}

function Headings({ path, live }: { path: string; live: LiveDocument }) {
  const text = useTextOf(live);
  const headings = useMemo(() => outlineOf(text), [text]);
  const cursor = useFocus(({ focus }) => (focus?.path === path ? (focus.cursor ?? null) : null));
  const current = cursor === null ? undefined : headings.findLast(({ line }) => line <= cursor);
  const entries = headings.map(({ line, level, text }) => ({
    key: String(line),
    level,
    text,
    isCurrent: line === current?.line,
    go: () => openFile(path, { line }),
  }));
  return (
    <div className={styles.panel}>
      <OutlineList label="Outline" entries={entries} empty="Headings of this note appear here." />
    </div>
  );
}
