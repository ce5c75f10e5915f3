import { useState } from 'react';
import { Words } from '../actions/Words';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Field, Input, Select } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Note, Problem } from '../ui/Note';
import type { Failure, ProviderStatus } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { listModels } from './choosing';
import styles from './KeyForm.module.css';
import { setKey, useKeys } from './keys';

interface KeyFormProps {
  /** Of which service; chosen in the form if absent. */
  service?: string;
  onDone?(): void;
}

/** A key is typed once, kept by the server, and never shown again. */
export function KeyForm({ service: fixed, onDone }: KeyFormProps) {
  const services = useKeys().data ?? [];
  const [chosen, setChosen] = useState('');
  const [key, setKeyText] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [kept, setKept] = useState<string | null>(null);
  const service = fixed ?? (chosen || services[0]?.service || '');
  const save = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await setKey(service, key.trim());
      setKeyText('');
      setKept(service);
      announce('API key saved');
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return (
    <form
      className={styles.form}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className={styles.fields}>
        {!fixed && (
          <Field label="Service">
            {(id) => (
              <Select id={id} value={service} onChange={(event) => setChosen(event.target.value)}>
                {services.map((each) => (
                  <option key={each.service} value={each.service}>
                    {each.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field label="API key">
          {(id) => (
            <Input
              id={id}
              type="password"
              autoComplete="off"
              spellCheck={false}
              autoFocus={fixed !== undefined}
              value={key}
              onChange={(event) => setKeyText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={busy || key.trim() === '' || service === ''}>
          Save key
        </Button>
        {onDone && <Button onClick={onDone}>{kept ? 'Done' : 'Cancel'}</Button>}
      </div>
      <Note>
        The key is saved in this computer’s keyring if it has one, otherwise in a file that only you can read. It is
        never shown again and never appears in prompts, logs or error messages.
      </Note>
      {failure && <Problem failure={failure} />}
      {kept && <Kept service={kept} />}
    </form>
  );
}

/** Where it is now, and whether the service takes it. */
function Kept({ service }: { service: string }) {
  const status = useKeys().data?.find((each) => each.service === service);
  const [found, setFound] = useState<ProviderStatus | 'asking' | null>(null);
  const test = async () => {
    setFound('asking');
    setFound(await listModels(service));
  };
  const problem = found && found !== 'asking' ? (found.problem ?? found.list_problem) : null;
  return (
    <div className={styles.kept} role="status">
      <Icon name="check" />
      <span>
        Saved{status?.place ? ` in ${status.place}` : ''}. {status?.note && <Words text={status.note} />}
      </span>
      <Button disabled={found === 'asking'} onClick={() => void test()}>
        Test key
      </Button>
      {found === 'asking' && <span>Testing…</span>}
      {found && found !== 'asking' && (
        <span>{problem ? <Words text={problem} /> : `The key works: ${found.models.length} models.`}</span>
      )}
    </div>
  );
}
