import { useState } from 'react';
import { useStore } from 'zustand';
import { Plain } from '../actions/Plain';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { select } from './edits';
import styles from './Kernel.module.css';
import { useOrder } from './observed';
import { only } from './selection';
import { useNotebook } from './view';

/** Between the tools and the cells: what is odd about cells of the notebook's file, each a way to its cell. */
export function OddCells() {
  const view = useNotebook();
  const odd = useStore(view.runs, (state) => state.odd);
  const order = useOrder(view.observed);
  const [left, setLeft] = useState<typeof odd | null>(null);
  const there = odd.filter(({ cell }) => order.includes(cell));
  if (there.length === 0 || left === odd) return null;
  return (
    <section className={styles.trouble} aria-label="Invalid cells">
      <Icon name="warning" />
      <div className={styles.odd}>
        <p>Some cells in this file are invalid. They are kept unchanged.</p>
        <ul>
          {there.map(({ cell, message }) => (
            <li key={cell}>
              <Button look="quiet" onClick={() => select(view, only(cell))}>
                Cell {order.indexOf(cell) + 1}
              </Button>
              <Plain text={message} />
            </li>
          ))}
        </ul>
      </div>
      <IconButton icon="close" label="Dismiss" onClick={() => setLeft(odd)} />
    </section>
  );
}
