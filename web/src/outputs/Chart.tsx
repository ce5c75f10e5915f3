import { useEffect, useState } from 'react';
import plotly from '../../node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js?url';
import vega from '../../node_modules/vega/build/vega.min.js?url';
import vegaLite from '../../node_modules/vega-lite/build/vega-lite.min.js?url';
import { Active } from './Active';
import { chartHtml, type Library } from './charts';
import styles from './Outputs.module.css';

const FILES: Record<Library, readonly string[]> = { plotly: [plotly], vega: [vega], vegalite: [vega, vegaLite] };

/** A chart that a library draws, in the frame of outputs with scripts. */
export default function Chart({ library, value }: { library: Library; value: unknown }) {
  const [html, setHtml] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let wanted = true;
    Promise.all(FILES[library].map(textOf)).then(
      (libraries) => wanted && setHtml(chartHtml(library, value, libraries)),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [library, value]);
  if (failed) return <p className={styles.note}>Couldn’t load the chart library: the server did not respond.</p>;
  return html === null ? <div className={styles.chart} /> : <Active html={html} title="Chart" />;
}

const texts = new Map<string, Promise<string>>();

/** The text of a file of ours, read once; what failed is asked for again. */
function textOf(file: string): Promise<string> {
  const known = texts.get(file);
  if (known) return known;
  const reading = fetch(file).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.text();
  });
  texts.set(file, reading);
  reading.catch(() => texts.delete(file));
  return reading;
}
