import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button';
import { CopyText } from '../ui/CopyText';
import { Check, Field, Input, Select, TextArea } from '../ui/Field';
import { Note, Problem } from '../ui/Note';
import { join } from '../ui/names';
import parts from '../ui/Parts.module.css';
import type { Failure, GrantMade, Risk } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Grants.module.css';
import { createGrant } from './store';
import { type Choices, NARROW, RISKS, TERMS, withRisk } from './words';

interface NewGrantProps {
  /** What is chosen to begin with. */
  start?: Choices;
  /** Is told the token while it is shown, and null when it is not any more. */
  onToken?(token: string | null): void;
}

/** Makes a grant; its token is shown once. */
export function NewGrant({ start = NARROW, onToken }: NewGrantProps) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<GrantMade | null>(null);
  const show = (made: GrantMade) => {
    setMade(made);
    onToken?.(made.token);
  };
  const close = () => {
    setMade(null);
    onToken?.(null);
    setOpen(false);
  };
  if (made) return <Token made={made} onClose={close} />;
  if (open) return <Form start={start} onMade={show} onClose={close} />;
  return (
    <p>
      <Button icon="plus" onClick={() => setOpen(true)}>
        New grant…
      </Button>
    </p>
  );
}

function Token({ made: { record, token }, onClose }: { made: GrantMade; onClose(): void }) {
  return (
    <section className={join(parts.form, styles.token)} role="status" aria-label={`Token for ${record.grant.name}`}>
      <p>
        Copy the token for <strong>{record.grant.name}</strong> now. Aside stores only its hash and won’t show it again.
      </p>
      <CopyText text={token} what="the token" />
      <Note>
        Programs send it as <code>Authorization: Bearer</code>; the command line reads it from <code>ASIDE_TOKEN</code>.
      </Note>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </section>
  );
}

function Form({ start, onMade, onClose }: { start: Choices; onMade(made: GrantMade): void; onClose(): void }) {
  const [choices, setChoices] = useState<Choices>(start);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const choose = (part: Partial<Choices>) => setChoices({ ...choices, ...part });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      onMade(await createGrant(choices));
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <form className={join(parts.form, styles.form)} onSubmit={submit} aria-label="New grant">
      <Field label="Name">
        {(id) => (
          <Input
            id={id}
            // The person has just asked for this form.
            autoFocus
            required
            placeholder="nightly script"
            value={choices.name}
            onChange={(event) => choose({ name: event.target.value })}
          />
        )}
      </Field>
      <RiskChoice chosen={choices.risks} onChange={(risks) => choose({ risks })} />
      <Lines
        label="Actions: one per line. Leave empty to allow all."
        placeholder={'doc.*\nfile.move'}
        value={choices.actions}
        onChange={(actions) => choose({ actions })}
      />
      <Lines
        label="File patterns: one per line. Leave empty to allow all."
        placeholder={'notes/**\n*.md'}
        value={choices.paths}
        onChange={(paths) => choose({ paths })}
      />
      <Field label="Expires after">
        {(id) => (
          <Select id={id} value={choices.hours} onChange={(event) => choose({ hours: Number(event.target.value) })}>
            {TERMS.map(({ hours, words }) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {failure && <Problem failure={failure} />}
      <div className={parts.buttons}>
        <Button type="submit" look="primary" disabled={busy || choices.risks.length === 0 || !choices.name.trim()}>
          Create grant
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function Lines(props: { label: string; placeholder: string; value: string; onChange(value: string): void }) {
  const { label, placeholder, value, onChange } = props;
  return (
    <Field label={label}>
      {(id) => (
        <TextArea
          id={id}
          rows={2}
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function RiskChoice({ chosen, onChange }: { chosen: readonly Risk[]; onChange(risks: readonly Risk[]): void }) {
  return (
    <fieldset className={join(parts.choice, parts.column, styles.risks)}>
      <legend>Allowed</legend>
      {RISKS.map(({ risk, words }) => (
        <Check
          key={risk}
          checked={chosen.includes(risk)}
          onChange={(event) => onChange(withRisk(chosen, risk, event.target.checked))}
        >
          {words} <code>{risk}</code>
        </Check>
      ))}
    </fieldset>
  );
}
