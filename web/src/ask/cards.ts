/** The cards of the launcher, as the setting lists them. Pure. */
import type { IconName } from '../ui/Icon';

/** A way to begin. */
export interface Card {
  readonly icon: IconName;
  readonly title: string;
  readonly means: string;
  /** The command that it runs. */
  readonly command?: string;
  /** The action that it needs in the catalog; without a command it begins the sentence of this one. */
  readonly action?: string;
  /** The arguments with which the action is done at once. */
  readonly args?: Readonly<Record<string, string>>;
  /** The ending of the file that it creates. */
  readonly ending?: string;
  /** For guests of the workspace too. */
  readonly guests?: boolean;
}

const CARDS: Readonly<Record<string, Card>> = {
  notebook: { command: 'notebook.new', icon: 'fileNotebook', title: 'Notebook', means: 'Code, text and results' },
  file: { command: 'file.new', icon: 'filePlus', title: 'File', means: 'Text, code or LaTeX' },
  daily: { command: 'note.today', icon: 'calendar', title: 'Daily note', means: 'The page of today' },
  open: { command: 'file.open', icon: 'search', title: 'Open file', means: 'Find a file by its name', guests: true },
  note: { action: 'note.create', icon: 'fileText', title: 'Note', means: 'Links, tags and todos' },
  terminal: {
    action: 'terminal.open',
    command: 'terminal.open',
    icon: 'fileShell',
    title: 'Terminal',
    means: 'A shell in this folder',
  },
  app: { action: 'app.create', icon: 'full', title: 'App', means: 'A page of your own over your files' },
  jupyterlab: {
    action: 'ui.go',
    args: { beside: 'jupyterlab' },
    icon: 'fileNotebook',
    title: 'JupyterLab',
    means: 'These files in another tab',
  },
};

/** The names of the setting, in order and once each; a name that is not known any more is left out. */
export function cardsOf(setting: string): string[] {
  const names = setting.split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => cardNamed(name) !== null);
}

/** The card of a name. An ending such as `.rmd` creates a file. */
export function cardNamed(name: string): Card | null {
  if (/^\.[a-z0-9]+$/i.test(name)) {
    return { icon: 'filePlus', title: `${name.slice(1)} file`, means: `A new ${name} file`, ending: name };
  }
  return Object.hasOwn(CARDS, name) ? (CARDS[name] ?? null) : null;
}
