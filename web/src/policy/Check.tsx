import { type FormEvent, useId, useRef, useState } from 'react';
import { PreviewBody } from '../actions/ActionCard';
import { failureOf as failureIn } from '../actions/card';
import { layerWords } from '../actions/rule';
import { Words } from '../actions/Words';
import { MODES } from '../threads/words';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Check as CheckBox, Field, Input, Select, TextArea } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { sentence } from '../ui/sentence';
import type {
  CheckPolicy,
  Descriptor,
  Explanation,
  Failure,
  OriginKind,
  ReviewMode,
  RuleCheck,
} from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { useResource } from '../wire/resource';
import styles from './Policy.module.css';
import { ASKERS, exampleArguments, readArguments, rulingWords, splitChecks, wouldWords } from './words';

/** Tries the rules on a request: which one decides, and of every other why it does not. Nothing runs. */
export function Check() {
  const [action, setAction] = useState('');
  const [args, setArgs] = useState('');
  const [asker, setAsker] = useState<OriginKind>('turn');
  const [review, setReview] = useState<ReviewMode>('review_each');
  const [led, setLed] = useState(false);
  const { busy, found, problem, check } = useCheck();
  const catalog = useResource<Descriptor[]>('catalog').data ?? [];
  const list = useId();
  const began = useRef('');
  const choose = (name: string) => {
    setAction(name);
    const example = exampleArguments(catalog, name);
    // What the person has written stays.
    if (example === null || args !== began.current) return;
    began.current = example;
    setArgs(example);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check(action.trim(), args, asker, review, led);
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Test rules">
      <h3>Test rules</h3>
      <Field label="Action">
        {(id) => (
          <>
            <Input
              id={id}
              list={list}
              autoComplete="off"
              spellCheck={false}
              required
              placeholder="doc.edit"
              value={action}
              onChange={(event) => choose(event.target.value)}
            />
            <datalist id={list}>
              {catalog.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Requested by">
        {(id) => (
          <Select id={id} value={asker} onChange={(event) => setAsker(event.target.value as OriginKind)}>
            {ASKERS.map(({ kind, words }) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {asker === 'turn' && (
        <Field label="Review mode">
          {(id) => (
            <Select id={id} value={review} onChange={(event) => setReview(event.target.value as ReviewMode)}>
              {MODES.map(({ mode, label }) => (
                <option key={mode} value={mode}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <div className={styles.wide}>
        <Field label="Arguments (JSON)">
          {(id) => (
            <TextArea
              id={id}
              rows={4}
              spellCheck={false}
              value={args}
              onChange={(event) => setArgs(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className={styles.wide}>
        <CheckBox checked={led} onChange={(event) => setLed(event.target.checked)}>
          An untrusted source led to it, such as a log or page the assistant read
        </CheckBox>
      </div>
      <Button type="submit" disabled={busy || action.trim() === ''}>
        {busy ? 'Checking…' : 'Check'}
      </Button>
      {problem && (
        <div className={styles.wide}>
          <Problem failure={problem} />
        </div>
      )}
      {found && !problem && <Found found={found} />}
    </form>
  );
}

function useCheck() {
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState<Pick<Failure, 'message' | 'hint'> | null>(null);
  const check = async (action: string, text: string, asker: OriginKind, review: ReviewMode, led: boolean) => {
    const { args, problem } = readArguments(text);
    setProblem(problem === null ? null : { message: `the arguments are not valid JSON: ${problem}` });
    if (problem !== null) return;
    setBusy(true);
    const body: CheckPolicy = {
      action_type: action,
      args,
      as: asker,
      ...(asker === 'turn' && { review }),
      ...(led && { label: 'external' }),
    };
    try {
      const explanation = await request<Explanation>('POST', 'policy/check', body);
      setFound(explanation);
      announce(wouldWords(explanation.verdict.ruling));
    } catch (error) {
      setProblem(failureOf(error));
    }
    setBusy(false);
  };
  return { busy, found, problem, check };
}

function Found({ found: { verdict, rules, record } }: { found: Explanation }) {
  const { matched, unmet } = splitChecks(rules);
  const { icon, tone } = rulingWords(verdict.ruling);
  const failure = verdict.ruling === 'deny' ? null : failureIn(record);
  return (
    <section className={`${styles.wide} ${styles.found}`} aria-label="Test result">
      <p className={styles.verdict} data-tone={tone}>
        <Icon name={icon} />
        <span>
          <strong>{wouldWords(verdict.ruling)}</strong> <Words text={verdict.reason} /> <code>{verdict.rule}</code>,{' '}
          {layerWords(verdict.rule)}
        </span>
      </p>
      {failure && <Problem failure={failure} />}
      <Rules name="Rules that match" checks={matched} />
      {unmet.length > 0 && (
        <details>
          <summary>
            {unmet.length} {unmet.length === 1 ? 'rule does' : 'rules do'} not match
          </summary>
          <Rules name="Rules that do not match" checks={unmet} />
        </details>
      )}
      {record.preview && (
        <details>
          <summary>Preview</summary>
          <PreviewBody record={null} preview={record.preview} />
        </details>
      )}
    </section>
  );
}

function Rules({ name, checks }: { name: string; checks: readonly RuleCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className={styles.rules} aria-label={name}>
      {checks.map((check) => {
        const { word, icon, tone } = rulingWords(check.ruling);
        return (
          <li key={check.rule} className={styles.rule}>
            <span className={styles.ruling} data-tone={check.matched ? tone : 'quiet'}>
              <Icon name={icon} /> {word}
            </span>
            <p className={styles.what}>
              <code>{check.rule}</code> {check.default && <span className={styles.tag}>default</span>}{' '}
              {check.decided && <strong>decides</strong>}
              {check.matched && !check.decided && (
                <span className={styles.reason}>matches; another rule takes priority</span>
              )}
              {check.unmet !== null && <span className={styles.reason}>{sentence(check.unmet)}</span>}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
