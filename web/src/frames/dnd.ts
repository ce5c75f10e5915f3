// The gesture of a dragged tab: along the tabs, into another pane, or to its edge, which splits it.
import { type Target, useDrag } from './drag';
import { change, newId, useFrames } from './store';
import { paneById } from './tree';

/** Pixels before a press is a drag. */
const SLACK = 6;
/** The share of a pane at its edge that splits it. */
const EDGE = 0.28;

/** Follows a press on a tab from the place where it began. */
export function startDrag(start: { x: number; y: number }, tab: string): void {
  let dragging = false;
  const onMove = (moved: PointerEvent) => {
    dragging ||= Math.hypot(moved.clientX - start.x, moved.clientY - start.y) > SLACK;
    if (dragging) useDrag.setState({ target: targetAt(moved.clientX, moved.clientY) });
  };
  const end = (drop: boolean) => {
    const { target } = useDrag.getState();
    useDrag.setState({ target: null });
    document.removeEventListener('pointermove', onMove);
    document.removeEventListener('pointerup', onUp);
    document.removeEventListener('pointercancel', onCancel);
    document.removeEventListener('keydown', onKey, true);
    if (drop && dragging && target) dropTab(tab, target);
  };
  const onUp = () => end(true);
  const onCancel = () => end(false);
  const onKey = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape') return;
    pressed.stopPropagation();
    end(false);
  };
  document.addEventListener('pointermove', onMove);
  document.addEventListener('pointerup', onUp);
  document.addEventListener('pointercancel', onCancel);
  document.addEventListener('keydown', onKey, true);
}

function targetAt(x: number, y: number): Target | null {
  const under = document.elementFromPoint(x, y);
  const element = under?.closest<HTMLElement>('[data-pane]');
  const pane = element?.dataset.pane;
  if (!element || !pane) return null;
  const tabs = under?.closest('[role="tablist"]');
  if (tabs) return { pane, ...amongTabs(tabs, x) };
  const box = element.getBoundingClientRect();
  if (x > box.right - box.width * EDGE) {
    return { pane, place: { kind: 'right' }, box: part(box, { left: box.left + box.width / 2, width: box.width / 2 }) };
  }
  if (y > box.bottom - box.height * EDGE) {
    return {
      pane,
      place: { kind: 'below' },
      box: part(box, { top: box.top + box.height / 2, height: box.height / 2 }),
    };
  }
  return { pane, place: { kind: 'pane' }, box: part(box, {}) };
}

function amongTabs(tabs: Element, x: number): Pick<Target, 'place' | 'box'> {
  const boxes = [...tabs.querySelectorAll('[data-tab]')].map((tab) => tab.getBoundingClientRect());
  const before = boxes.findIndex((box) => x < box.left + box.width / 2);
  const index = before < 0 ? boxes.length : before;
  const list = tabs.getBoundingClientRect();
  const left = boxes[index]?.left ?? boxes.at(-1)?.right ?? list.left;
  return { place: { kind: 'tabs', index }, box: part(list, { left: left - 1, width: 2 }) };
}

function part({ left, top, width, height }: DOMRect, changed: Partial<Target['box']>): Target['box'] {
  return { left, top, width, height, ...changed };
}

function dropTab(tab: string, { pane, place }: Target): void {
  const { frames } = useFrames.getState();
  const tabs = paneById(frames, pane)?.tabs ?? [];
  if (place.kind === 'right' || place.kind === 'below') {
    if (tabs.length === 1 && tabs[0]?.id === tab) return;
    change({ type: 'split', pane, side: place.kind, newPane: newId('pane'), newSplit: newId('split'), moved: tab });
    return;
  }
  const index = place.kind === 'tabs' ? place.index : tabs.length;
  // Taken out of the same list, what comes after it moves up.
  const own = tabs.findIndex((other) => other.id === tab);
  change({ type: 'move', tab, pane, index: own >= 0 && own < index ? index - 1 : index });
}
