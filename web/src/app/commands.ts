// Everything a person can do with a key, from the palette or from a menu: one entry each.
import { matchesKey } from './keymap';
import { isGuest } from './session';

/** One thing to do. */
export interface Command {
  /** `noun.verb`, like actions. */
  id: string;
  title: string;
  /** Heading in the palette and in the list of keys. */
  group: string;
  run(): void;
  /** Shown and run only while this holds. */
  when?(): boolean;
  /** `Mod-k`, `Alt-Shift-ArrowLeft`: Mod is Ctrl, or Cmd on a Mac. */
  keys?: string[];
  /** A key that is held does it once. */
  once?: boolean;
  /** Not offered in the palette: it makes sense only as a key. */
  hidden?: boolean;
  /** Nothing for guests of the workspace. */
  owners?: boolean;
}

const known = new Map<string, Command>();

/** Adds commands; returns what takes them out again. */
export function registerCommands(commands: Command[]): () => void {
  for (const command of commands) known.set(command.id, command);
  return () => {
    for (const command of commands) if (known.get(command.id) === command) known.delete(command.id);
  };
}

/** The commands that make sense now, in the order they were added. */
export function availableCommands(): Command[] {
  return [...known.values()].filter(makesSense);
}

/** All commands, whether they make sense now or not. */
export function allCommands(): Command[] {
  return [...known.values()];
}

/** Runs a command if it makes sense now; tells whether it did. */
export function runCommand(id: string): boolean {
  const command = known.get(id);
  if (!command || !makesSense(command)) return false;
  command.run();
  return true;
}

/** Runs the command of a key press. The last one that was added wins, so that a view can take a key over. While writing, a character is text. */
export function runKey(event: KeyboardEvent): boolean {
  if (isCharacter(event) && isWriting()) return false;
  const command = availableCommands()
    .toReversed()
    .find((command) => command.keys?.some((key) => matchesKey(key, event)));
  if (!(event.repeat && command?.once)) command?.run();
  return command !== undefined;
}

const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

function isWriting(): boolean {
  const element = document.activeElement;
  return (
    element instanceof HTMLElement && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName))
  );
}

function makesSense({ when, owners }: Command): boolean {
  return !(owners && isGuest()) && (when?.() ?? true);
}
