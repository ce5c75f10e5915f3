/** The list of templates, for a new note. */
import { createRoot } from 'react-dom/client';
import { showNav } from '../app/shell';
import { fetchText } from '../files/bytes';
import { startNewNote } from '../files/editing';
import { List } from '../ui/Menu';
import { toast, toastFailure } from '../ui/Toast';
import type { FileNames } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { known } from '../wire/resource';
import { templatesIn } from './templates';

/** Lets the person choose a template, and begins to name the note. */
export async function chooseTemplate(): Promise<void> {
  const templates = templatesIn((await known<FileNames>('files/names'))?.paths ?? []);
  if (templates.length === 0) return toast('Put Markdown files into the folder “templates” to use them for new notes.');
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () =>
    queueMicrotask(() => {
      root.unmount();
      place.remove();
    });
  const items = templates.map(({ name, path }) => ({ label: name, run: () => void begin(path) }));
  const left = innerWidth / 2 - 80;
  const opener = { getBoundingClientRect: () => ({ left, top: 60, bottom: 60 }) };
  root.render(<List label="Templates" items={items} opener={opener} onClose={close} />);
}

async function begin(path: string): Promise<void> {
  try {
    const text = await fetchText(path);
    showNav('files');
    startNewNote(text);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}
