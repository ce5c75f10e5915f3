import { useDeferredValue, useId, useState } from 'react';
import { Plain } from '../actions/Plain';
import { ReadState } from '../ui/ReadState';
import type { HistoryFile, HistoryPlayback } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Scroll } from './Charts';
import styles from './History.module.css';
import { diffLines } from './lines';
import { when } from './numbers';

/** The files of a session at the moment that a slider says. */
export function Playback({ id }: { id: string }) {
  const [step, setStep] = useState<number | null>(null);
  const [path, setPath] = useState<string | null>(null);
  // A slider that is drawn asks for its last place, not for each.
  const wanted = useDeferredValue(step);
  const query = new URLSearchParams({
    ...(wanted !== null && { step: `${wanted}` }),
    ...(path !== null && { path }),
  });
  const { data, loading, failure, reload } = useResource<HistoryPlayback>(
    `history/sessions/${encodeURIComponent(id)}/playback?${query}`,
  );
  const [known, setKnown] = useState<HistoryPlayback | null>(null);
  // What was shown stays until the next moment is read.
  if (data && data !== known) setKnown(data);
  const shown = data ?? known;
  return (
    <>
      <ReadState shown={shown !== null} loading={loading} failure={failure} onAgain={reload} />
      {shown?.steps.length === 0 && <p className={styles.quiet}>This session read and wrote no files.</p>}
      {shown && shown.steps.length > 0 && (
        <>
          <Slider steps={shown.steps} at={step ?? shown.steps.length} onChange={setStep} />
          <div className={styles.played}>
            <Files files={shown.files} chosen={path} onChoose={setPath} />
            <Shown file={shown.files.find((file) => file.path === path)} />
          </div>
          {shown.warnings.length > 0 && (
            <details className={styles.quiet}>
              <summary>What can’t be known ({shown.warnings.length})</summary>
              <ul>
                {[...new Set(shown.warnings)].map((warning) => (
                  <li key={warning}>
                    <Plain text={warning} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </>
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
  const words = step ? `${at} of ${steps.length}: ${step.name} ${step.path}` : 'Before everything';
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>Moment</label>
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
        <Plain text={words} /> {step && `· ${when(step.at)}`}
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
  return (
    <ul className={styles.files} aria-label="Files at this moment">
      {files.map((file) => (
        <li key={file.path}>
          <button type="button" aria-pressed={file.path === chosen} onClick={() => onChoose(file.path)}>
            <Plain text={file.path} />
            <span className={styles.facts}>
              {file.deleted ? 'deleted' : file.changed ? 'changed' : 'read'}
              {!file.complete && ', not all of it is known'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const MARKS = { same: '  ', gone: '− ', new: '+ ' };

function Shown({ file }: { file: HistoryFile | undefined }) {
  const [diff, setDiff] = useState(true);
  if (!file) return <p className={styles.quiet}>Choose a file to see its text.</p>;
  if (file.text === undefined) {
    return <p className={styles.quiet}>{file.deleted ? 'It was deleted.' : 'Its text is not known at this moment.'}</p>;
  }
  const { before } = file;
  const lines = diff && file.changed && before !== undefined ? diffLines(before, file.text) : null;
  return (
    <section aria-label={file.path} className={styles.text}>
      {file.changed && before === undefined && (
        <p className={styles.quiet}>What it was before the session changed it is not known.</p>
      )}
      {file.changed && before !== undefined && (
        <label className={styles.by}>
          <input type="checkbox" checked={diff} onChange={(event) => setDiff(event.target.checked)} /> Only what the
          session changed
        </label>
      )}
      <Scroll label={`Text of ${file.path}`}>
        <pre>
          {lines
            ? lines.map(({ kind, text }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
                <span key={at} data-kind={kind}>
                  {MARKS[kind]}
                  <Plain text={text} />
                  {'\n'}
                </span>
              ))
            : file.text}
        </pre>
      </Scroll>
    </section>
  );
}
