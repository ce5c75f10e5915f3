import { segmentsOf } from './hidden';
import styles from './Plain.module.css';

/** Text as it is, never as markup; characters that hide or reverse others are shown by their code. */
export function Plain({ text }: { text: string }) {
  let at = 0;
  return segmentsOf(text).map((segment) => {
    const key = at;
    at += segment.text.length;
    return segment.code === null ? segment.text : <HiddenCharacter key={key} code={segment.code} />;
  });
}

/** What stands for a character that can't be seen. */
export function HiddenCharacter({ code }: { code: string }) {
  return (
    <span className={styles.hidden} title="Invisible character">
      {code}
    </span>
  );
}
