import { useEffect, useMemo, useState } from 'react';
import { useFileBytes } from '../viewers/useFileBytes';
import { sizeWords } from '../viewers/words';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import type { Compared } from './compared';
import { notebookLines } from './notebookText';
import { textIn } from './texts';
import { versionText } from './versionText';

/** One side of a comparison as it is known now. */
export interface ComparedText {
  readonly text?: string;
  readonly failure?: Failure;
  /** The line ends of the file. */
  readonly ends?: 'LF' | 'CRLF';
  /** It is a notebook, and only the sources of its cells are compared. */
  readonly isNotebook?: boolean;
}

/** The most bytes of a file that is compared. */
const MOST = 20 << 20;

/** The text of one side; it follows the file. */
export function useCompared({ path, version }: Compared): ComparedText {
  const { bytes, failure } = useFileBytes(path);
  const now = useMemo(() => (bytes ? readText(path, bytes) : {}), [path, bytes]);
  const [then, setThen] = useState<ComparedText>({});
  useEffect(() => {
    if (version === undefined || now.text === undefined) return;
    let gone = false;
    const show = (found: ComparedText) => gone || setThen(found);
    void versionText({ path, version }, now.text)
      // Where the file is behind the editor, it is read again in a moment.
      .then((text) => text !== null && show({ text, ends: 'LF' }))
      .catch((error) => show({ failure: failureOf(error) }));
    return () => {
      gone = true;
    };
  }, [path, version, now.text]);
  if (failure) return { failure };
  if (now.failure || version === undefined) return now;
  return then;
}

function readText(path: string, bytes: Uint8Array): ComparedText {
  if (bytes.length > MOST) return tooMuch(`${path} is too large to compare: ${sizeWords(bytes.length)}.`);
  const text = textIn(bytes);
  if (text === null) return tooMuch(`${path} is not text: ${sizeWords(bytes.length)} of binary data.`);
  const cells = /\.ipynb$/i.test(path) ? notebookLines(text) : null;
  if (cells !== null) return { text: cells, isNotebook: true };
  return { text: text.replaceAll('\r\n', '\n'), ends: text.includes('\r\n') ? 'CRLF' : 'LF' };
}

function tooMuch(message: string): ComparedText {
  return { failure: { code: 'not_shown', message, hint: `Choose texts of at most ${sizeWords(MOST)}.`, data: null } };
}
