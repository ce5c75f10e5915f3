import { useCallback, useState } from 'react';
import { bytesUrl } from '../files/bytes';
import { Button } from '../ui/Button';
import { Unshown } from '../viewers/Unshown';
import styles from '../viewers/Viewer.module.css';
import { ViewerBar } from '../viewers/ViewerBar';
import { chooseWay } from '../viewers/ways';

interface MediaFacts {
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
}

/** Plays sound or video; parts of the file are read as they are wanted. */
export default function MediaView({ path, way }: { path: string; way: 'audio' | 'video' }) {
  const [facts, setFacts] = useState<MediaFacts | null>(null);
  const [broken, setBroken] = useState(false);
  const name = path.slice(path.lastIndexOf('/') + 1);
  // By hand: a small file can be read before React listens.
  const watch = useCallback((media: HTMLMediaElement | null) => {
    if (!media) return;
    const read = () => {
      const [width, height] = media instanceof HTMLVideoElement ? [media.videoWidth, media.videoHeight] : [0, 0];
      setFacts({ seconds: media.duration, width, height });
    };
    const fail = () => setBroken(true);
    if (media.readyState > 0) read();
    media.addEventListener('loadedmetadata', read);
    media.addEventListener('error', fail);
    return () => {
      media.removeEventListener('loadedmetadata', read);
      media.removeEventListener('error', fail);
    };
  }, []);
  if (broken) {
    const hint = 'Its bytes can still be looked at, and it can be downloaded.';
    return (
      <Unshown path={path} message="The file is damaged, or in a format that this browser doesn’t play" hint={hint}>
        <Button onClick={() => chooseWay(path, 'bytes')}>Show the bytes</Button>
      </Unshown>
    );
  }
  const props = { ref: watch, src: bytesUrl(path), controls: true, preload: 'metadata', 'aria-label': name };
  return (
    <div className={styles.view}>
      <ViewerBar path={path} facts={facts && factWords(facts)} />
      <div className={styles.player}>{way === 'video' ? <video {...props} /> : <audio {...props} />}</div>
    </div>
  );
}

function factWords({ seconds, width, height }: MediaFacts): string {
  const size = width > 0 ? `${width} × ${height} · ` : '';
  if (!Number.isFinite(seconds)) return size.replace(/ · $/, '');
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return `${size}${minutes}:${String(rest).padStart(2, '0')}`;
}
