import Markdown from '../markdown/Markdown';
import { markdownOf } from './formulas';
import styles from './Outputs.module.css';

/** Formulas as LaTeX puts them out, with the text around them. */
export default function Latex({ text }: { text: string }) {
  return (
    <div className={styles.prose}>
      <Markdown text={markdownOf(text)} />
    </div>
  );
}
