import { useState } from 'react';
import { type Display, textOf } from './mime';
import styles from './Outputs.module.css';

interface PictureProps {
  source: string;
  mime: string;
  output: Display;
}

/** A picture, as large as its output says and no wider than the cell. */
export function Picture({ source, mime, output }: PictureProps) {
  const [broken, setBroken] = useState(false);
  const { width, height } = sizeIn(output.metadata, mime);
  if (broken) return <p className={styles.note}>Couldn’t load this image ({mime}).</p>;
  return (
    <img
      className={styles.picture}
      src={source}
      alt={altOf(output)}
      width={width}
      height={height}
      onError={() => setBroken(true)}
    />
  );
}

/** Its own words, if it brings some that are words. */
function altOf({ data }: Display): string {
  const text = textOf(data['text/plain']).trim();
  return text === '' || /^<.*>$/s.test(text) ? 'Image output of the cell' : text.slice(0, 200);
}

function sizeIn(metadata: unknown, mime: string): { width?: number; height?: number } {
  const of = (value: unknown) =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { width, height } = of(of(metadata)[mime]);
  const pixels = (size: unknown) => (typeof size === 'number' && size > 0 && size < 10_000 ? size : undefined);
  return { width: pixels(width), height: pixels(height) };
}
