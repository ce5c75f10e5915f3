import styles from '../livePreview/ModeSwitch.module.css';
import { useWay } from './useWay';
import { chooseWay, type Way } from './ways';

const NAMES: Record<Way, string> = {
  source: 'Source',
  table: 'Table',
  tree: 'Tree',
  page: 'Preview',
  audio: 'Player',
  video: 'Player',
  bytes: 'Bytes',
};

/** Chooses how a file is shown, where there is more than one way. */
export function WaySwitch({ path }: { path: string }) {
  const { ways, way } = useWay(path);
  if (ways.length < 2) return null;
  return (
    <fieldset className={styles.modes} aria-label="View of this file">
      {ways.map((each) => (
        <button key={each} type="button" aria-pressed={each === way} onClick={() => chooseWay(path, each)}>
          {NAMES[each]}
        </button>
      ))}
    </fieldset>
  );
}
