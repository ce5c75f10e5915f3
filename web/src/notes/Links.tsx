import { type ReactNode, useEffect, useState } from 'react';
import { openFile } from '../frames/store';
import { relatedPathOf } from '../search/api';
import { Icon } from '../ui/Icon';
import { ReadState } from '../ui/ReadState';
import { connection } from '../wire/connection';
import type { LinkPlace, NoteLink, NoteView } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';
import { graphPathOf, notePathOf } from './api';
import { Graph } from './Graph';
import styles from './Links.module.css';
import { Related } from './Related';

/** Milliseconds in which changes of files are one. */
const PAUSE = 500;

/** Beside a note: the notes that link to it or name it, its own links, notes that are like it, its tags, and the notes around it. */
export default function Links({ path }: { path: string }) {
  const [mentions, setMentions] = useState(false);
  const route = notePathOf(path, mentions);
  const { data, failure, loading, reload } = useResource<NoteView>(route);
  useFresh([route, graphPathOf(path), relatedPathOf(path)]);
  return (
    <div className={styles.panel}>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && !data.complete && (
        <p className={styles.quiet}>Reading the notes of this folder. Links may be missing.</p>
      )}
      {data && <Sections view={data} mentions={mentions} onMentions={setMentions} />}
    </div>
  );
}

/** Reads again when files change. */
function useFresh(routes: readonly string[]): void {
  const all = routes.join('\n');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = connection.on('files_changed', () => {
      clearTimeout(timer);
      timer = setTimeout(() => all.split('\n').forEach(invalidate), PAUSE);
    });
    // It may have changed while it was not shown.
    all.split('\n').forEach(invalidate);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [all]);
}

interface SectionsProps {
  view: NoteView;
  mentions: boolean;
  onMentions(open: boolean): void;
}

function Sections({ view, mentions, onMentions }: SectionsProps) {
  const { backlinks, links, tags, problems, path } = view;
  return (
    <>
      {problems.map(({ line, what }) => (
        <p key={`${line} ${what}`} className={styles.problem}>
          <Icon name="warning" /> Line {line}: {what}.
        </p>
      ))}
      <Section title="Backlinks" count={backlinks.length} open>
        {backlinks.length === 0 ? (
          <p className={styles.quiet}>No note links here yet.</p>
        ) : (
          <Places places={backlinks} />
        )}
      </Section>
      <Section
        title="Unlinked mentions"
        count={mentions ? view.mentions.length : null}
        open={mentions}
        onToggle={onMentions}
      >
        {view.mentions.length === 0 ? (
          <p className={styles.quiet}>No other note names this one without a link.</p>
        ) : (
          <Places places={view.mentions} />
        )}
      </Section>
      <Section title="Outgoing links" count={links.length} open>
        {links.length === 0 ? (
          <p className={styles.quiet}>This note has no links.</p>
        ) : (
          <Outgoing links={links} from={path} />
        )}
      </Section>
      <Section title="Related" count={null} open>
        <Related path={path} />
      </Section>
      <Section title="Tags" count={tags.length} open>
        {tags.length === 0 ? (
          <p className={styles.quiet}>This note has no tags.</p>
        ) : (
          <ul className={styles.tags}>
            {tags.map((tag) => (
              <li key={tag}>#{tag}</li>
            ))}
          </ul>
        )}
      </Section>
      <Graph path={path} />
    </>
  );
}

interface SectionProps {
  title: string;
  count: number | null;
  open: boolean;
  onToggle?(open: boolean): void;
  children: ReactNode;
}

function Section({ title, count, open, onToggle, children }: SectionProps) {
  return (
    <details className={styles.section} open={open} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>
        <h3>{title}</h3>
        {count !== null && <span className={styles.count}>{count}</span>}
      </summary>
      {children}
    </details>
  );
}

/** Lines of other notes, note by note, with the place marked. */
function Places({ places }: { places: readonly LinkPlace[] }) {
  const notes = new Map<string, LinkPlace[]>();
  for (const place of places) notes.set(place.path, [...(notes.get(place.path) ?? []), place]);
  return [...notes].map(([path, lines]) => (
    <div key={path}>
      <h4 className={styles.note} title={path}>
        {lines[0]?.title ?? path}
      </h4>
      <ul className={styles.rows}>
        {lines.map(({ line, text, place: [from, to] }) => (
          <li key={line}>
            <button type="button" className={styles.row} onClick={() => openFile(path, { line })}>
              <span className={styles.line}>{line}</span>
              <span className={styles.words}>
                {text.slice(0, from)}
                <mark>{text.slice(from, to)}</mark>
                {text.slice(to)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  ));
}

function Outgoing({ links, from }: { links: readonly NoteLink[]; from: string }) {
  return (
    <ul className={styles.rows}>
      {links.map(({ line, raw, to, title, anchor, anchor_line, ambiguous }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line can have the same link twice
        <li key={at}>
          <button
            type="button"
            className={styles.row}
            data-unresolved={to === null || undefined}
            title={to === null ? `Line ${line}: no file has this name` : to}
            onClick={() =>
              to === null ? openFile(from, { line }) : openFile(to, { ...(anchor_line && { line: anchor_line }) })
            }
          >
            <span className={styles.line}>{line}</span>
            <span className={styles.words}>
              {to === null ? raw : (title ?? to)}
              {to !== null && anchor !== undefined && ` › ${anchor}`}
              {to === null && <small> not found</small>}
              {ambiguous && <small> several notes have this name</small>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
