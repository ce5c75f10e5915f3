import Markdown from '../markdown/Markdown';
import styles from './Outputs.module.css';

/** Formulas as LaTeX puts them out: in dollars, or bare. */
export default function Latex({ text }: { text: string }) {
  const trimmed = text.trim();
  const body = /^\$\$?[\s\S]*\$\$?$/.test(trimmed) ? trimmed.replace(/^\$+/, '').replace(/\$+$/, '') : trimmed;
  return (
    <div className={styles.prose}>
      <Markdown text={`$$\n${body.trim()}\n$$`} />
    </div>
  );
}
