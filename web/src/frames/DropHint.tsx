import { useDrag } from './drag';
import styles from './Frames.module.css';

/** Marks where the dragged tab would go. */
export function DropHint() {
  const target = useDrag((state) => state.target);
  return target && <div className={styles.hint} style={target.box} />;
}
