import { useEffect, useState } from 'react';
import { openChat } from '../chat/openChat';
import { unreadChats, useStandings } from '../chat/standings';
import { openView } from '../frames/store';
import { useServersWaiting } from '../mcp/waiting';
import { useSetting } from '../settings/values';
import { useIsGuest } from '../side/modes';
import { useTasksWaiting } from '../tasks/waiting';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { connection } from '../wire/connection';
import type { Session } from '../wire/gen/types';
import { ariaKey, keyLabel } from './keymap';
import { NEEDS_YOU_KEY } from './pageCommands';
import { openPalette, showNav, toggleRegion, useShell } from './shell';
import styles from './TopBar.module.css';

const ASK_KEY = 'Mod-k';

/** The bar at the top: the workspace's name, the way to everything, what needs the person. */
export function TopBar({ session }: { session: Session | null }) {
  const { width, side } = useShell();
  const guest = useIsGuest();
  const colour = useSetting('workspace.colour');
  return (
    <header className={styles.top} data-region="top" data-colour={colour}>
      {width === 'narrow' && <IconButton icon="menu" label="Explorer" onClick={() => showNav('files')} />}
      <h1 className={styles.name}>{session?.workspace ?? 'Aside'}</h1>
      <button
        type="button"
        className={styles.ask}
        aria-keyshortcuts={ariaKey(ASK_KEY)}
        title={`Ask Aside… (${keyLabel(ASK_KEY)})`}
        onClick={() => openPalette()}
        data-first-focus
      >
        <Icon name="search" />
        <span>Ask Aside…</span>
        <kbd>{keyLabel(ASK_KEY)}</kbd>
      </button>
      <div className={styles.end}>
        <Unread />
        {!guest && <NeedsYou />}
        <IconButton
          icon="sidebar"
          label={`${side ? 'Hide' : 'Show'} the ${guest ? 'chat' : 'assistant'}`}
          aria-expanded={side}
          onClick={() => toggleRegion('side')}
        />
      </div>
    </header>
  );
}

/** How many messages beside any document were not read; takes the person to those that name them first. */
function Unread() {
  const chats = unreadChats(useStandings((state) => state.standings));
  const first = chats[0];
  if (!first) return null;
  const unread = chats.reduce((sum, chat) => sum + chat.unread, 0);
  const named = chats.reduce((sum, chat) => sum + chat.mentions, 0);
  const mentions = named > 0 ? `, ${named} ${named === 1 ? 'mentions' : 'mention'} you` : '';
  const words = `${unread} unread ${unread === 1 ? 'message' : 'messages'}${mentions}`;
  return (
    <Button
      icon="chat"
      className={styles.unread}
      data-named={named > 0}
      title={`${words}: ${chats.map(({ chat }) => chat.document).join(', ')}`}
      onClick={() => openChat(first.chat.document)}
    >
      {unread > 99 ? '99+' : unread}
      <span className="visually-hidden"> {words}</span>
    </Button>
  );
}

/** How many actions, plans and changed servers of tools wait for a decision; takes the person there. */
function NeedsYou() {
  const [actions, setActions] = useState(0);
  useEffect(() => connection.on('needs_you', (frame) => setActions(frame.count)), []);
  const tasks = useTasksWaiting().length;
  const servers = useServersWaiting().length;
  const count = actions + tasks + servers;
  if (count === 0) return null;
  return (
    <Button
      icon="bell"
      className={styles.needs}
      title={`Waiting for you (${keyLabel(NEEDS_YOU_KEY)})`}
      onClick={() => openView({ kind: 'needs_you' })}
    >
      {count}
      <span className="visually-hidden">{waitingWords(actions, tasks, servers)}</span>
    </Button>
  );
}

function waitingWords(actions: number, tasks: number, servers: number): string {
  const kinds = [
    { count: actions, one: 'action', many: 'actions' },
    { count: tasks, one: 'task', many: 'tasks' },
    { count: servers, one: 'MCP server', many: 'MCP servers' },
  ].filter(({ count }) => count > 0);
  const [first] = kinds;
  if (first && actions + tasks + servers === 1) return ` ${first.one} waiting for you`;
  return ` ${kinds.map(({ many }) => many).join(' and ')} waiting for you`;
}
