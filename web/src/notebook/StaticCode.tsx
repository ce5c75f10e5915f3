import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { colouredNodes } from '../editor/coloured';
import type { FileKind } from '../wire/gen/types';
import { sourceText } from './cells';
import { whenIdle } from './idle';
import { languageOf } from './language';
import styles from './Notebook.module.css';
import type { Observed } from './observed';

interface StaticCodeProps {
  observed: Observed;
  cellKey: string;
  language: FileKind;
  /** It came near: only then its colours are worth the work. */
  seen: boolean;
}

/** The text of a cell that is out of sight: it can be found and read, and is coloured when there is time. */
export function StaticCode({ observed, cellKey, language, seen }: StaticCodeProps) {
  const text = useSyncExternalStore(
    (listener) => observed.onCell(cellKey, listener),
    () => sourceText(observed.doc, cellKey),
  );
  const coloured = useColoured(text, language, seen);
  return <pre className={styles.static}>{coloured?.text === text ? coloured.nodes : `${text}\n`}</pre>;
}

/** Longer texts are left without colours until they are in sight. */
const LONGEST = 10_000;

function useColoured(text: string, language: FileKind, seen: boolean): { text: string; nodes: ReactNode } | null {
  const [coloured, setColoured] = useState<{ text: string; nodes: ReactNode } | null>(null);
  useEffect(() => {
    if (!seen || text.length > LONGEST) return;
    let wanted = true;
    void languageOf(language).then((support) => {
      if (!support || !wanted) return;
      whenIdle(() => wanted && setColoured({ text, nodes: colouredNodes(text, support.language.parser.parse(text)) }));
    });
    return () => {
      wanted = false;
    };
  }, [text, language, seen]);
  return coloured;
}
