/** A change that is so small that its card needs one line. Pure. */
import type { ActionRecord, WorkspacePath } from '../wire/gen/types';

/** A line that is changed: as it was, and as it would be; null where there is none. */
export interface OneLineChange {
  readonly path: WorkspacePath;
  readonly old: string | null;
  readonly now: string | null;
  /** The words in which they differ. */
  readonly oldWords: string;
  readonly nowWords: string;
}

/** The longest text, old and new, that a closed card shows. */
const SHORT = 120;

/** The change of an action if it is one short line of one file, and nothing else is to be known before a decision. */
export function oneLineOf({ preview, envelope, provenance }: ActionRecord): OneLineChange | null {
  if (preview?.body.kind !== 'diff' || preview.completeness !== 'full' || preview.warnings.length > 0) return null;
  if (provenance.label === 'external' || envelope.risk_level.some((risk) => risk !== 'read' && risk !== 'write'))
    return null;
  const [file, ...others] = preview.body.files;
  const [hunk, ...more] = file?.hunks ?? [];
  if (!file || !hunk || others.length > 0 || more.length > 0) return null;
  if (file.change.kind !== 'edited' || hunk.confidence === 'loose' || hunk.old.length > 1 || hunk.new.length > 1)
    return null;
  const [old = null] = hunk.old;
  const [now = null] = hunk.new;
  if ((old ?? '').length + (now ?? '').length > SHORT) return null;
  const words = changedWords(old, now);
  // A change of blanks alone has to be looked at.
  return words.oldWords.trim() + words.nowWords.trim() === '' ? null : { path: file.path, old, now, ...words };
}

/** Returns the words of two lines without their common beginning and end. */
function changedWords(old: string | null, now: string | null): Pick<OneLineChange, 'oldWords' | 'nowWords'> {
  const [before, after] = [old ?? '', now ?? ''].map((line) => line.trim().split(/(?<=\s)|(?=\s)|\b/));
  if (!before || !after) return { oldWords: '', nowWords: '' };
  while (before.length > 0 && before[0] === after[0]) [before, after].forEach((words) => void words.shift());
  while (before.length > 0 && before.at(-1) === after.at(-1)) [before, after].forEach((words) => void words.pop());
  return { oldWords: before.join(''), nowWords: after.join('') };
}
