import { useState } from 'react';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import type { Failure, SpendingLimits, SpendingView } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate } from '../wire/resource';
import styles from './Models.module.css';
import { dollars, picodollarsOf, typed } from './money';

const OF = ['turn', 'task', 'thread', 'day', 'workspace'] as const;

/** What may be spent, and changing it. The server writes it into the person's file. */
export function Limits({ limits, canChange }: { limits: SpendingLimits; canChange: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p>
        {limitWords(limits)} {canChange && !open && <Button onClick={() => setOpen(true)}>Change limits</Button>}
      </p>
      {open && <Form limits={limits} onDone={() => setOpen(false)} />}
    </>
  );
}

function Form({ limits, onDone }: { limits: SpendingLimits; onDone(): void }) {
  const [texts, setTexts] = useState(() => OF.map((of) => typed(limits[of])));
  const [failure, setFailure] = useState<Pick<Failure, 'message' | 'hint'> | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = texts.map(picodollarsOf);
  const save = async () => {
    const wrong = texts.find((_, index) => wanted[index] === undefined);
    if (wrong !== undefined) {
      setFailure({
        message: `“${wrong.trim()}” is not an amount`,
        hint: 'Enter dollars, such as 2.50, or leave empty for no limit',
      });
      return;
    }
    setFailure(null);
    const [turn = null, task = null, thread = null, day = null, workspace = null] = wanted as (number | null)[];
    const set: SpendingLimits = { turn, task, thread, day, workspace };
    setBusy(true);
    try {
      await request<SpendingView>('PUT', 'spending/limits', set);
      announce('Limits saved');
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
    invalidate('spending');
  };
  return (
    <form
      className={styles.limits}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {OF.map((of, index) => (
        <Field key={of} label={`Dollars per ${of}`}>
          {(id) => (
            <Input
              id={id}
              inputMode="decimal"
              placeholder="no limit"
              aria-invalid={wanted[index] === undefined}
              value={texts[index]}
              onChange={({ target }) => setTexts(texts.map((text, at) => (at === index ? target.value : text)))}
            />
          )}
        </Field>
      ))}
      <div className={parts.buttons}>
        <Button type="submit" look="primary" disabled={busy}>
          Save limits
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {failure && <Problem failure={failure} />}
    </form>
  );
}

function limitWords(limits: SpendingLimits): string {
  const words = OF.flatMap((of) => (limits[of] === null ? [] : [`${dollars(limits[of])} per ${of}`]));
  return words.length > 0 ? `Your limits: ${words.join(', ')}.` : 'No limits set.';
}
