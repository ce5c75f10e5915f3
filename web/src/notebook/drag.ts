// Cells that are dragged by their handle: the selected ones if it is one of them, else that one.
import { type DragEvent, useMemo, useState } from 'react';
import { moveTo, selectedKeys, whole } from './edits';
import { type NotebookView, useNotebook } from './view';

/** What is dragged now, and in which pane. */
let dragged: { tab: string; keys: readonly string[] } | null = null;

/** What a cell needs to be dragged and to be dropped on, and where a drop would put cells beside it. */
export function useDragged(key: string) {
  const view = useNotebook();
  const [place, setPlace] = useState<'before' | 'after' | undefined>();
  const handle = useMemo(
    () => ({
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => begin(view, key, event),
      onDragEnd: () => {
        dragged = null;
      },
    }),
    [view, key],
  );
  const target = {
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (dragged?.tab !== view.tab) return;
      event.preventDefault();
      setPlace(placeOf(event));
    },
    onDragLeave: () => setPlace(undefined),
    onDrop: (event: DragEvent<HTMLElement>) => {
      setPlace(undefined);
      if (dragged?.tab !== view.tab) return;
      event.preventDefault();
      drop(view, key, placeOf(event), dragged.keys);
    },
  };
  return { handle, target, place };
}

function begin(view: NotebookView, key: string, { dataTransfer, currentTarget }: DragEvent<HTMLElement>): void {
  const selected = selectedKeys(view);
  dragged = { tab: view.tab, keys: whole(view, selected.includes(key) ? selected : [key]) };
  dataTransfer.setData('text/plain', '');
  dataTransfer.effectAllowed = 'move';
  const cell = currentTarget.closest('[data-cell]');
  if (cell) dataTransfer.setDragImage(cell, 0, 0);
}

function drop(view: NotebookView, key: string, place: 'before' | 'after', keys: readonly string[]): void {
  const order = view.observed.keys().filter((each) => each === key || !keys.includes(each));
  if (!keys.includes(key)) moveTo(view, keys, place === 'after' ? key : (order[order.indexOf(key) - 1] ?? null));
}

function placeOf({ clientY, currentTarget }: DragEvent<HTMLElement>): 'before' | 'after' {
  const { top, height } = currentTarget.getBoundingClientRect();
  return clientY < top + height / 2 ? 'before' : 'after';
}
