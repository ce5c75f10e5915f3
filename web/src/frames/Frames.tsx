import { EmptyPane } from './EmptyPane';
import styles from './Frames.module.css';
import { useFrames } from './store';

/** The frames; nothing until the kept arrangement is known, so that nothing jumps. */
export function Frames() {
  const { ready } = useFrames();
  return <div className={styles.frames}>{ready && <EmptyPane />}</div>;
}
