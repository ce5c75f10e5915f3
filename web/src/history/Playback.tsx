import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { Plain } from '../actions/Plain';
import { ReadState } from '../ui/ReadState';
import type { HistoryFile, HistoryPiece, HistoryPlayback } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Scroll } from './Charts';
import styles from './History.module.css';
import { type DiffLine, diffLines } from './lines';
import { whenExactly } from './numbers';

interface PlaybackProps {
  id: string;
  /** The file that is shown; null is the one that the moment is about. */
  chosen: string | null;
  onChoose(path: string): void;
}

/** The files of a session at the moment that a slider says. */
export function Playback({ id, chosen, onChoose }: PlaybackProps) {
  const [step, setStep] = useState<number | null>(null);
  const [known, setKnown] = useState<Known | null>(null);
  // A slider that is drawn asks for its last place, not for each.
  const wanted = useDeferredValue(step);
  const steps = known?.played.steps ?? [];
  const path = chosen ?? steps[(wanted ?? steps.length) - 1]?.path ?? null;
  const query = new URLSearchParams({
    ...(wanted !== null && { step: `${wanted}` }),
    ...(path !== null && { path }),
  });
  const { data, loading, failure, reload } = useResource<HistoryPlayback>(
    `history/sessions/${encodeURIComponent(id)}/playback?${query}`,
  );
  // What was shown stays until the next moment is read.
  if (data && data !== known?.played) setKnown({ played: data, path });
  return (
    <>
      <ReadState shown={known !== null} loading={loading} failure={failure} onAgain={reload} />
      {known && steps.length === 0 && <p className={styles.quiet}>This session did not read or write files.</p>}
      {known && steps.length > 0 && (
        <>
          <Slider steps={steps} at={step ?? steps.length} onChange={setStep} />
          <AtMoment known={known} onChoose={onChoose} />
          <Warnings warnings={[...new Set(known.played.warnings)]} />
        </>
      )}
    </>
  );
}

/** A moment that was read, and the file whose text came with it. */
interface Known {
  readonly played: HistoryPlayback;
  readonly path: string | null;
}

function AtMoment({ known: { played, path }, onChoose }: { known: Known; onChoose(path: string): void }) {
  const { files } = played;
  if (files.length === 0) return <p className={styles.quiet}>No files read or written up to this step.</p>;
  return (
    <div className={styles.played}>
      <Files files={files} chosen={path} onChoose={onChoose} />
      {path !== null && <Shown file={files.find((file) => file.path === path)} change={played.change} />}
    </div>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <details className={styles.quiet}>
      <summary>Missing information ({warnings.length})</summary>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <Plain text={warning} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface SliderProps {
  steps: HistoryPlayback['steps'];
  at: number;
  onChange(step: number): void;
}

function Slider({ steps, at, onChange }: SliderProps) {
  const id = useId();
  const step = steps[at - 1];
  const words = step ? `${at} of ${steps.length}: ${step.name} ${step.path}` : 'Start of session';
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>Step</label>
      <input
        id={id}
        type="range"
        min={0}
        max={steps.length}
        value={at}
        aria-valuetext={words}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output htmlFor={id}>
        <Plain text={words} /> {step && `· ${whenExactly(step.at)}`}
      </output>
    </div>
  );
}

interface FilesProps {
  files: readonly HistoryFile[];
  chosen: string | null;
  onChoose(path: string): void;
}

function Files({ files, chosen, onChoose }: FilesProps) {
  const list = useRef<HTMLUListElement>(null);
  // The one that the moment is about is seen, without moving the page.
  useEffect(() => {
    const row = chosen === null ? null : list.current?.querySelector('[aria-pressed="true"]');
    if (!list.current || !row) return;
    const [all, one] = [list.current.getBoundingClientRect(), row.getBoundingClientRect()];
    if (one.top < all.top || one.bottom > all.bottom) list.current.scrollTop += one.top - all.top;
  }, [chosen]);
  return (
    <ul ref={list} className={styles.files} aria-label="Files at this step">
      {files.map((file) => (
        <li key={file.path}>
          <button type="button" aria-pressed={file.path === chosen} onClick={() => onChoose(file.path)}>
            <Plain text={file.path} />
            <span className={styles.facts}>
              {file.deleted ? 'deleted' : file.changed ? 'changed' : 'read'}
              {!file.complete && ', incomplete'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const MARKS = { same: '  ', gone: '− ', new: '+ ', gap: '⋯ ' };

interface ShownProps {
  file: HistoryFile | undefined;
  /** What its last change did, where not all of its text is known. */
  change: readonly HistoryPiece[];
}

function Shown({ file, change }: ShownProps) {
  if (!file) return <p className={styles.quiet}>This file was not read or written up to this step.</p>;
  if (file.deleted && file.text === undefined) return <p className={styles.quiet}>The file was deleted.</p>;
  if (change.length > 0 && file.before === undefined) return <Pieces file={file} change={change} />;
  if (file.text === undefined) return <p className={styles.quiet}>The log does not have its text at this step.</p>;
  return <Text file={file} text={file.text} />;
}

function Text({ file: { path, changed, before }, text }: { file: HistoryFile; text: string }) {
  const [diff, setDiff] = useState(true);
  const lines = diff && changed && before !== undefined ? diffLines(before, text) : null;
  return (
    <section aria-label={path} className={styles.text}>
      {changed && before === undefined && (
        <p className={styles.quiet}>The log does not have its text before the session changed it.</p>
      )}
      {changed && before !== undefined && <Only checked={diff} words="Only changes of this session" onOnly={setDiff} />}
      <Scroll label={`Text of ${path}`}>
        <pre>
          {lines?.length === 0 && <span className={styles.quiet}>No changes in this session.</span>}
          {lines ? <Lines lines={lines} /> : <Plain text={text} />}
        </pre>
      </Scroll>
    </section>
  );
}

/** What is known of a file of which not all is: the pieces that were replaced last, or whatever text there is. */
function Pieces({ file: { path, text }, change }: { file: HistoryFile; change: readonly HistoryPiece[] }) {
  const [last, setLast] = useState(true);
  return (
    <section aria-label={path} className={styles.text}>
      <p className={styles.quiet}>The log does not have all of its text at this step.</p>
      {text !== undefined && <Only checked={last} words="Only the last change" onOnly={setLast} />}
      <Scroll label={`Text of ${path}`}>
        {last || text === undefined ? (
          change.map(({ before, after }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
            <pre key={at}>
              <Lines lines={diffLines(before, after)} />
            </pre>
          ))
        ) : (
          <pre>
            <Plain text={text} />
          </pre>
        )}
      </Scroll>
    </section>
  );
}

function Only({ checked, words, onOnly }: { checked: boolean; words: string; onOnly(only: boolean): void }) {
  return (
    <label className={styles.by}>
      <input type="checkbox" checked={checked} onChange={(event) => onOnly(event.target.checked)} /> {words}
    </label>
  );
}

function Lines({ lines }: { lines: readonly DiffLine[] }) {
  return lines.map(({ kind, text }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
    <span key={at} data-kind={kind}>
      {MARKS[kind]}
      <Plain text={text} />
      {'\n'}
    </span>
  ));
}
