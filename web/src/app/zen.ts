// Zen mode: the documents alone. It ends when the window is loaded again, as in other editors.
import { announce } from '../ui/Announcer';
import styles from './zen.module.css';

/** The longest time between two presses of Escape that end it, in milliseconds. */
const TWICE = 600;

let leave: (() => void) | null = null;

/** Hides everything but the documents, or shows it again. */
export function toggleZen(): void {
  if (leave) return leave();
  const page = document.documentElement;
  let pressed = Number.NEGATIVE_INFINITY;
  const onKey = ({ key, timeStamp }: KeyboardEvent) => {
    if (key !== 'Escape') {
      pressed = Number.NEGATIVE_INFINITY;
    } else if (timeStamp - pressed < TWICE) {
      leave?.();
    } else {
      pressed = timeStamp;
    }
  };
  page.classList.add(styles.zen as string);
  // Before an editor takes the key.
  window.addEventListener('keydown', onKey, true);
  announce('Zen mode. Press Escape twice to leave it.');
  leave = () => {
    leave = null;
    page.classList.remove(styles.zen as string);
    window.removeEventListener('keydown', onKey, true);
  };
}
