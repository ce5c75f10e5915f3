import { Menu } from '../ui/Menu';
import type { ActionGroup, ThreadId } from '../wire/gen/types';
import { changeThread } from './send';
import { useThreads } from './state';

/** The groups in the order of the menu, with the words of each. */
const GROUPS: readonly { readonly group: ActionGroup; readonly label: string }[] = [
  { group: 'notes', label: 'Notes' },
  { group: 'todos', label: 'Todos' },
  { group: 'files', label: 'Files' },
  { group: 'notebooks', label: 'Notebooks' },
  { group: 'commands', label: 'Commands' },
  { group: 'history', label: 'AI history' },
  { group: 'tools', label: 'MCP tools' },
];

const NONE: readonly ActionGroup[] = [];

/** Turns groups of actions off and on in a thread. */
export default function GroupsMenu({ thread }: { thread: ThreadId }) {
  const off = useThreads((state) => state.threads.get(thread)?.off ?? NONE);
  const items = GROUPS.map(({ group, label }) => ({
    label: off.includes(group) ? `Turn on ${label}` : `Turn off ${label}`,
    run: () => void changeThread(thread, { off: toggled(off, group) }),
  }));
  const words = off.length > 0 ? `${off.length} off` : undefined;
  return <Menu icon="settings" label="Action groups" words={words} items={items} />;
}

function toggled(off: readonly ActionGroup[], group: ActionGroup): ActionGroup[] {
  return off.includes(group) ? off.filter((other) => other !== group) : [...off, group];
}
