import { Dialog } from '../ui/Dialog';
import { availableCommands, type Command } from './commands';
import styles from './KeysHelp.module.css';
import { keyLabel } from './keymap';

/** All keys there are now, by group. */
export function KeysHelp({ onClose }: { onClose(): void }) {
  const groups = Map.groupBy(
    availableCommands().filter((command) => command.keys?.length),
    (command) => command.group,
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {[...groups].map(([group, commands]) => (
        <Group key={group} name={group} commands={commands} />
      ))}
      <p className={styles.note}>
        In an editor, press Escape, then Tab to move to the next control. The browser reserves Ctrl-W, so press Alt-W to
        close a tab.
      </p>
    </Dialog>
  );
}

function Group({ name, commands }: { name: string; commands: Command[] }) {
  return (
    <section className={styles.group}>
      <h3>{name}</h3>
      <dl>
        {commands.map((command) => (
          <div key={command.id}>
            <dt>{command.title}</dt>
            <dd>
              {command.keys?.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
