import { type ReactNode, useEffect, useState } from 'react';
import { colouredNodes } from '../editor/coloured';
import { languageOf } from '../notebook/language';
import { kindOfFence } from './codeKinds';

/** Longer code stays without colours. */
const LONGEST = 20_000;

/** Code in the colours of its language, once that is loaded. */
export default function ColouredCode({ language, text }: { language: string; text: string }) {
  const [coloured, setColoured] = useState<{ text: string; nodes: ReactNode } | null>(null);
  useEffect(() => {
    const kind = kindOfFence(language);
    if (kind === null || text.length > LONGEST) return;
    let wanted = true;
    void languageOf(kind).then((support) => {
      if (support && wanted) setColoured({ text, nodes: colouredNodes(text, support.language.parser.parse(text)) });
    });
    return () => {
      wanted = false;
    };
  }, [language, text]);
  return coloured?.text === text ? coloured.nodes : text;
}
