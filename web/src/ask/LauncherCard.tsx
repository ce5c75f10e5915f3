import { doAction } from '../app/actionFlow';
import { runCommand } from '../app/commands';
import { naming } from '../app/naming';
import { useIsGuest } from '../side/modes';
import { Icon } from '../ui/Icon';
import { useConnection } from '../wire/connection';
import type { Descriptor } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { type Card, cardNamed } from './cards';
import { choose } from './choose';
import styles from './Launcher.module.css';

/** One way to begin. Nothing if a guest may not, or if the catalog lacks the action. */
export function LauncherCard({ card }: { card: string }) {
  const guest = useIsGuest();
  const found = cardNamed(card);
  if (!found || (guest && !found.guests)) return null;
  return found.action ? (
    <OfAction card={found} action={found.action} />
  ) : (
    <Face card={found} begin={beginning(found)} />
  );
}

function OfAction({ card, action }: { card: Card; action: string }) {
  const online = useConnection((state) => state.status === 'online');
  const { data } = useResource<Descriptor[]>(online ? 'catalog' : null);
  const descriptor = data?.find(({ name }) => name === action);
  if (!descriptor) return null;
  const { command, args } = card;
  const begin = () => {
    if (command) runCommand(command);
    else if (args) void doAction({ action_type: action, args });
    else choose({ kind: 'action', descriptor });
  };
  return <Face card={card} begin={begin} />;
}

function beginning({ command, ending }: Card): () => void {
  return () => {
    if (ending) naming(({ startNewOf }) => startNewOf(ending));
    else if (command) runCommand(command);
  };
}

function Face({ card: { icon, title, means }, begin }: { card: Card; begin(): void }) {
  return (
    <li>
      <button type="button" className={styles.card} onClick={begin}>
        <Icon name={icon} size={20} />
        <span>{title}</span>
        <small>{means}</small>
      </button>
    </li>
  );
}
