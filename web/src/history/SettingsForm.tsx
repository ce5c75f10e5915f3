import { type ComponentProps, useState } from 'react';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Check, Field, Input, Select } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { Failure, HistorySettings, HistoryStanding } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidateWhere } from '../wire/resource';
import styles from './History.module.css';

const PLANS = ['claude-pro', 'claude-max', 'cursor-pro', 'cursor-max'];

/** Whether logs are read, and what the person pays a month. */
export function SettingsForm({ standing }: { standing: HistoryStanding }) {
  const { plan } = standing;
  const known = plan === undefined ? 'none' : PLANS.includes(plan.name) ? plan.name : 'custom';
  const [chosen, setChosen] = useState(known);
  const [amount, setAmount] = useState(`${plan?.monthly_usd ?? ''}`);
  const [day, setDay] = useState(`${plan?.reset_day ?? 1}`);
  const [failure, setFailure] = useState<Failure | null>(null);
  const save = async (settings: HistorySettings) => {
    setFailure(null);
    try {
      await request<HistoryStanding>('PUT', 'history/settings', settings);
      invalidateWhere((path) => path === 'history' || path.startsWith('history/'));
      announce('Saved');
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  const savePlan = () => {
    const own = chosen === 'custom' ? { monthly_usd: Number(amount) || 0 } : {};
    const next = chosen === 'none' ? {} : { plan: { name: chosen, reset_day: Number(day) || 1, ...own } };
    void save({ import: standing.import, ...next });
  };
  return (
    <section aria-labelledby="history-settings" className={styles.settings}>
      <h3 id="history-settings">Settings</h3>
      <Check
        checked={standing.import}
        onChange={(event) => void save({ import: event.target.checked, ...(plan && { plan }) })}
      >
        Read new AI logs while Aside is running
      </Check>
      <div className={styles.filters}>
        <Field label="Monthly plan">
          {(id) => (
            <Select id={id} value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="none">not set</option>
              {PLANS.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value="custom">custom amount</option>
            </Select>
          )}
        </Field>
        {chosen === 'custom' && (
          <NumberField label="Dollars per month" min="0" step="any" value={amount} onText={setAmount} />
        )}
        {chosen !== 'none' && <NumberField label="Resets on day" min="1" max="31" value={day} onText={setDay} />}
        <Button look="primary" onClick={savePlan}>
          Save
        </Button>
      </div>
      {failure && <Problem failure={failure} />}
    </section>
  );
}

interface NumberFieldProps extends ComponentProps<'input'> {
  label: string;
  onText(text: string): void;
}

function NumberField({ label, onText, ...rest }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(id) => <Input {...rest} id={id} type="number" onChange={(event) => onText(event.target.value)} />}
    </Field>
  );
}
