import { useEffect, useId, useRef, useState } from 'react';
import { userOf } from '../actions/origin';
import { Button } from '../ui/Button';
import { Check, Field, Input, Select } from '../ui/Field';
import type { Descriptor } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Audit.module.css';
import type { Entry } from './entry';
import { type AuditFilter, ENDS, EVERYTHING, isNarrowed } from './filter';

const DOORS: Readonly<Record<string, string>> = {
  user: 'A person here',
  turn: 'The assistant',
  cli: 'A terminal',
  client: 'A program with a token',
  mcp: 'A program over MCP',
};

const PAUSE = 250;

interface FiltersProps {
  filter: AuditFilter;
  /** What is shown: its names are offered. */
  rows: readonly Entry[];
  onChange(filter: AuditFilter): void;
}

/** What narrows the list. Words are waited for; choices count at once. */
export function Filters({ filter, rows, onChange }: FiltersProps) {
  const [typed, setTyped] = useTyped(filter, onChange);
  const actions = useResource<Descriptor[]>('catalog').data?.map((each) => each.name) ?? [];
  const people = seen(rows.flatMap(({ body }) => [userOf(body.origin), body.decided_by ?? '']));
  const objects = seen(rows.flatMap(({ body }) => body.targets.map((target) => target.id))).slice(0, 100);
  const choose = (part: Partial<AuditFilter>) => onChange({ ...typed, ...part });
  return (
    <search className={styles.filters}>
      <Input
        type="search"
        aria-label="Search the activity log"
        placeholder="Search files, reasons, rules, errors…"
        value={typed.q}
        onChange={(event) => setTyped({ ...typed, q: event.target.value })}
      />
      <Words
        label="Person"
        value={typed.person}
        offered={people}
        onChange={(person) => setTyped({ ...typed, person })}
      />
      <Choice label="Requested by" value={typed.via} any="anyone" choices={DOORS} onChange={(via) => choose({ via })} />
      <Words
        label="Object"
        value={typed.object}
        offered={objects}
        onChange={(object) => setTyped({ ...typed, object })}
      />
      <Words
        label="Action"
        value={typed.action}
        offered={actions}
        onChange={(action) => setTyped({ ...typed, action })}
      />
      <Choice label="Result" value={typed.state} any="any" choices={ENDS} onChange={(state) => choose({ state })} />
      <Field label="From">
        {(id) => (
          <Input id={id} type="date" value={typed.from} onChange={(event) => choose({ from: event.target.value })} />
        )}
      </Field>
      <Field label="To">
        {(id) => (
          <Input id={id} type="date" value={typed.to} onChange={(event) => choose({ to: event.target.value })} />
        )}
      </Field>
      <Check checked={typed.reads !== ''} onChange={(event) => choose({ reads: event.target.checked ? '1' : '' })}>
        Include reads
      </Check>
      <Button
        look="quiet"
        className={styles.clear}
        disabled={!isNarrowed(typed)}
        onClick={() => onChange({ ...EVERYTHING, reads: filter.reads })}
      >
        Clear
      </Button>
    </search>
  );
}

/** What is in the fields; it becomes the filter once nothing was typed for a moment. */
function useTyped(filter: AuditFilter, onChange: (filter: AuditFilter) => void) {
  const [typed, setTyped] = useState(filter);
  const change = useRef(onChange);
  change.current = onChange;
  // What comes from outside, such as a link, replaces what is in the fields.
  useEffect(() => setTyped(filter), [filter]);
  useEffect(() => {
    if (typed === filter) return;
    const timer = setTimeout(() => change.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, filter]);
  return [typed, setTyped] as const;
}

function Words(props: { label: string; value: string; offered: readonly string[]; onChange(value: string): void }) {
  const { label, value, offered, onChange } = props;
  const list = useId();
  return (
    <Field label={label}>
      {(id) => (
        <>
          <Input
            id={id}
            type="text"
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={list}>
            {offered.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  any: string;
  choices: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

function Choice({ label, value, any, choices, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{any}</option>
          {Object.entries(choices).map(([key, words]) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
          {value !== '' && !(value in choices) && <option value={value}>{value}</option>}
        </Select>
      )}
    </Field>
  );
}

function seen(names: readonly string[]): string[] {
  return [...new Set(names.filter(Boolean))].sort();
}
