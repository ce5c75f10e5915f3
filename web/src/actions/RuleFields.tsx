import { useId } from 'react';
import { Field, Input, Select } from '../ui/Field';
import { type ArgumentDraft, type CommandDraft, type Comparison, patternsAround, type RuleDraft } from './draft';
import styles from './Remember.module.css';

interface RuleFieldsProps {
  draft: RuleDraft;
  /** As it was offered: its files are what patterns are built around. */
  offered: RuleDraft;
  onChange(draft: RuleDraft): void;
}

/** The fields in which an offered rule is made narrower or wider. */
export function RuleFields({ draft, offered, onChange }: RuleFieldsProps) {
  return (
    <div className={styles.fields}>
      {draft.paths.map((path, index) => (
        <Path
          // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places.
          key={index}
          path={path}
          offered={offered.paths[index] ?? path}
          onChange={(next) => onChange({ ...draft, paths: draft.paths.with(index, next) })}
        />
      ))}
      {draft.commands.map((command, index) => (
        <Command
          // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places.
          key={index}
          command={command}
          onChange={(next) => onChange({ ...draft, commands: draft.commands.with(index, next) })}
        />
      ))}
      {draft.args.map((argument, index) => (
        <Argument
          key={argument.name}
          argument={argument}
          onChange={(next) => onChange({ ...draft, args: draft.args.with(index, next) })}
        />
      ))}
      <Field label="Expires (leave empty for never)">
        {(id) => (
          <Input
            id={id}
            type="date"
            value={draft.expires}
            onChange={(event) => onChange({ ...draft, expires: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function Path({ path, offered, onChange }: { path: string; offered: string; onChange(path: string): void }) {
  const list = useId();
  return (
    <Field label="Files">
      {(id) => (
        <>
          <Input
            id={id}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={path}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {patternsAround(offered).map((pattern) => (
              <option key={pattern} value={pattern} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function Command({ command, onChange }: { command: CommandDraft; onChange(command: CommandDraft): void }) {
  const { text, exact, fixed } = command;
  return (
    <div className={styles.pair}>
      <Select
        aria-label="Command match"
        value={exact ? 'exact' : 'prefix'}
        disabled={fixed !== null}
        onChange={(event) => onChange({ ...command, exact: event.target.value === 'exact' })}
      >
        <option value="exact">Exact command</option>
        <option value="prefix">Commands that start with</option>
      </Select>
      <Input
        aria-label="Command text"
        spellCheck={false}
        value={text}
        readOnly={fixed !== null}
        onChange={(event) => onChange({ ...command, text: event.target.value })}
      />
    </div>
  );
}

const COMPARISONS: Record<Comparison, string> = {
  equals: 'is',
  prefix: 'starts with',
  glob: 'matches the pattern',
  any: 'is anything',
};

function Argument({ argument, onChange }: { argument: ArgumentDraft; onChange(argument: ArgumentDraft): void }) {
  const { name, how, text, fixed } = argument;
  const choices: Comparison[] = fixed ? ['equals', 'any'] : ['equals', 'prefix', 'glob', 'any'];
  return (
    <div className={styles.pair}>
      <code>{name}</code>
      <Select
        aria-label={`Match for ${name}`}
        value={how}
        onChange={(event) => onChange({ ...argument, how: event.target.value as Comparison })}
      >
        {choices.map((each) => (
          <option key={each} value={each}>
            {COMPARISONS[each]}
          </option>
        ))}
      </Select>
      {how !== 'any' && (
        <Input
          aria-label={`Value of ${name}`}
          spellCheck={false}
          value={text}
          readOnly={fixed !== null}
          onChange={(event) => onChange({ ...argument, text: event.target.value })}
        />
      )}
    </div>
  );
}
