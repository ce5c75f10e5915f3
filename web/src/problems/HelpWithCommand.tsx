import { commandResultOf } from '../actions/command';
import type { ActionRecord } from '../wire/gen/types';
import { HelpMeFix } from './HelpMeFix';

/** A command that ended badly can be asked about, with what it put out. */
export function HelpWithCommand({ record }: { record: ActionRecord }) {
  const result = commandResultOf(record);
  if (!result || result.good || result.word === 'stopped') return null;
  const { command } = (record.envelope.args ?? {}) as { command?: unknown };
  const name = typeof command === 'string' ? command : 'a command';
  return (
    <div>
      <HelpMeFix logs={[{ name, text: `${result.summary}\n${result.output}` }]} />
    </div>
  );
}
