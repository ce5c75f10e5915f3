import { segmentsOf } from './hidden';
import styles from './Plain.module.css';

/** Text as it is, never as markup; characters that hide or reverse others are shown by their code. */
export function Plain({ text }: { text: string }) {
  let at = 0;
  return segmentsOf(text).map((segment) => {
    const key = at;
    at += segment.text.length;
    if (segment.code === null) return segment.text;
    return (
      <span key={key} className={styles.hidden} title="A character that can’t be seen">
        {segment.code}
      </span>
    );
  });
}
