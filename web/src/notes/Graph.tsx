import { useId, useState } from 'react';
import { openFile } from '../frames/store';
import { ReadState } from '../ui/ReadState';
import type { GraphNode, NoteGraph } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { graphPathOf } from './api';
import { placed, SIZE } from './graphPlaces';
import styles from './Links.module.css';

/** The most notes that are drawn; the list has all. */
const MOST = 24;

/** The notes around a note: as a drawing whose dots are buttons, or as a list. */
export function Graph({ path }: { path: string }) {
  const { data, failure, loading, reload } = useResource<NoteGraph>(graphPathOf(path));
  const [asList, setAsList] = useState(false);
  const id = useId();
  const others = (data?.nodes.length ?? 1) - 1;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>Graph</h3>
        {others > 0 && (
          <button type="button" className={styles.choice} aria-pressed={asList} onClick={() => setAsList(!asList)}>
            As list
          </button>
        )}
      </div>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && others === 0 && <p className={styles.quiet}>Notes that are linked with this one appear here.</p>}
      {data && others > 0 && (asList ? <List nodes={data.nodes.slice(1)} /> : <Drawing graph={data} />)}
      {data && !asList && (data.more || data.nodes.length > MOST) && (
        <p className={styles.quiet}>Only the nearest {Math.min(MOST, data.nodes.length) - 1} are drawn.</p>
      )}
    </section>
  );
}

function List({ nodes }: { nodes: readonly GraphNode[] }) {
  return (
    <ul className={styles.rows}>
      {nodes.map(({ path, title }) => (
        <li key={path}>
          <button type="button" className={styles.row} title={path} onClick={() => openFile(path)}>
            <span className={styles.words}>{title}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Drawing({ graph: { nodes, edges } }: { graph: NoteGraph }) {
  const places = placed(Math.min(nodes.length, MOST));
  return (
    <fieldset className={styles.graph} aria-label="Notes around this one">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
        {edges.map(({ from, to }) => {
          const [one, other] = [places[from], places[to]];
          return one && other && <line key={`${from} ${to}`} x1={one.x} y1={one.y} x2={other.x} y2={other.y} />;
        })}
      </svg>
      {places.map(({ x, y }, at) => {
        const node = nodes[at];
        return (
          node && (
            <button
              key={node.path}
              type="button"
              className={styles.dot}
              data-center={at === 0 || undefined}
              data-file={!node.is_note || undefined}
              title={node.path}
              style={{ left: `${(x / SIZE.width) * 100}%`, top: `${(y / SIZE.height) * 100}%` }}
              onClick={() => openFile(node.path)}
            >
              {node.title}
            </button>
          )
        );
      })}
    </fieldset>
  );
}
