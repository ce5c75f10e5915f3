import { useEffect, useState } from 'react';
import { Field, Input, Select } from '../ui/Field';
import styles from './History.module.css';

/** Which sessions and answers are shown. */
export type Which = { since?: string; workspace?: string; program?: string; query?: string };

const TIMES = [
  { value: '24h', words: 'the last day' },
  { value: '7d', words: '7 days' },
  { value: '30d', words: '30 days' },
  { value: '90d', words: '90 days' },
  { value: '', words: 'all time' },
];

const PROGRAMS = [
  ['', 'all programs'],
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['opencode', 'opencode'],
  ['copilot', 'Copilot CLI'],
  ['cline', 'Cline'],
  ['roo', 'Roo Code'],
  ['kilo', 'Kilo Code'],
  ['qwen', 'Qwen Code'],
  ['pi', 'pi'],
  ['amp', 'Amp'],
  ['cursor', 'Cursor'],
  ['goose', 'Goose'],
  ['continue', 'Continue'],
  ['aider', 'Aider'],
  ['aside', 'Aside'],
] as const;

/** How long somebody types before it is searched. */
const PAUSE = 250;

interface FiltersProps {
  which: Which;
  onChange(which: Which): void;
  /** Words can be looked for. */
  searches: boolean;
}

/** Time, program, folder, and words that were said. */
export function Filters({ which, onChange, searches }: FiltersProps) {
  const set = (name: keyof Which, value: string) => {
    const { [name]: _, ...rest } = which;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <search className={styles.filters}>
      {searches && (
        <Field label="Words that were said">
          {(id) => <Typed id={id} type="search" value={which.query ?? ''} onChange={(value) => set('query', value)} />}
        </Field>
      )}
      <Field label="Time">
        {(id) => (
          <Select id={id} value={which.since ?? ''} onChange={(event) => set('since', event.target.value)}>
            {TIMES.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Program">
        {(id) => (
          <Select id={id} value={which.program ?? ''} onChange={(event) => set('program', event.target.value)}>
            {PROGRAMS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Folder, with those below">
        {(id) => (
          <Typed
            id={id}
            type="text"
            value={which.workspace ?? ''}
            placeholder="all folders"
            onChange={(value) => set('workspace', value)}
          />
        )}
      </Field>
    </search>
  );
}

interface TypedProps {
  id: string;
  type: 'search' | 'text';
  value: string;
  placeholder?: string;
  onChange(value: string): void;
}

/** A field whose value is taken when nothing is typed for a moment. */
function Typed({ value, onChange, ...rest }: TypedProps) {
  const [text, setText] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing begins the pause anew.
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return <Input {...rest} value={text} onChange={(event) => setText(event.target.value)} />;
}
