import { useMemo } from 'react';
import Markdown from '../markdown/Markdown';
import { isDrawable } from '../markdown/tex';
import { formulasIn, markdownOf } from './formulas';
import { type Display, textOf } from './mime';
import styles from './Outputs.module.css';
import { Terminal } from './Terminal';

/** Formulas as LaTeX puts them out, with the text around them. What can't be drawn is shown in plain text. */
export default function Latex({ text, output }: { text: string; output: Display }) {
  const isDrawn = useMemo(() => formulasIn(text).every(({ tex, block }) => isDrawable(tex, block)), [text]);
  if (isDrawn) {
    return (
      <div className={styles.prose}>
        <Markdown text={markdownOf(text)} />
      </div>
    );
  }
  const plain = textOf(output.data['text/plain']);
  if (plain !== '' && !NAME_OF_OBJECT.test(plain.trim())) return <Terminal text={plain} label="Result" />;
  return (
    <>
      <Terminal text={text} label="LaTeX" />
      <p className={styles.note}>This LaTeX can’t be rendered.</p>
    </>
  );
}

/** Such as `<IPython.core.display.Latex object>`: says less than the LaTeX. */
const NAME_OF_OBJECT = /^<[^<>]*>$/;
