// The keys of a script.
import { registerCommands } from '../app/commands';
import { useFocus } from '../editor/focus';
import { checkAloud, run, textOf } from './store';

/** The keys, for the buttons that do the same. */
export const SCRIPT_KEYS = { check: 'Mod-Alt-k', dryRun: 'Mod-Alt-p', run: 'Mod-Alt-r' } as const;

/** The path of the script that is looked at; null if none is. */
function focused(): string | null {
  const path = useFocus.getState().focus?.path ?? '';
  return textOf(path) === null ? null : path;
}

const inScript = () => focused() !== null;

let registered = false;

/** Adds them once per window. */
export function registerScriptCommands(): void {
  if (registered) return;
  registered = true;
  registerCommands([
    {
      id: 'script.check',
      title: 'Check script',
      group: 'Script',
      keys: [SCRIPT_KEYS.check],
      once: true,
      owners: true,
      when: inScript,
      run: () => void checkAloud(focused() ?? ''),
    },
    {
      id: 'script.dry_run',
      title: 'Dry run of the script',
      group: 'Script',
      keys: [SCRIPT_KEYS.dryRun],
      once: true,
      owners: true,
      when: inScript,
      run: () => void run(focused() ?? '', true),
    },
    {
      id: 'script.run',
      title: 'Run script',
      group: 'Script',
      keys: [SCRIPT_KEYS.run],
      once: true,
      owners: true,
      when: inScript,
      run: () => void run(focused() ?? '', false),
    },
  ]);
}
