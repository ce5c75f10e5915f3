import { showNav } from './shell';

/** Begins to name something new in the list of files, which is brought out for that. */
export function naming(start: (editing: typeof import('../files/editing')) => void): void {
  showNav('files');
  void import('../files/editing').then(start);
}
