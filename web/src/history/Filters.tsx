import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/Button';
import { Field, Input, Select } from '../ui/Field';
import type { HistoryDashboard } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { folderOf } from './folders';
import styles from './History.module.css';
import { localDay } from './numbers';
import { PROGRAMS } from './programs';
import { isOfDays, requestQuery, type Shows, type Which } from './shows';

const TIMES = [
  { value: '24h', words: 'last 24 hours' },
  { value: '7d', words: 'last 7 days' },
  { value: '30d', words: 'last 30 days' },
  { value: '90d', words: 'last 90 days' },
  { value: '', words: 'all time' },
];

/** Stands for days that are chosen, one by one. */
const DAYS = 'days';

/** How long somebody types before it is searched. */
const PAUSE = 250;

interface FiltersProps {
  shows: Shows;
  timezone: string;
  /** Something was chosen. */
  onChoose(which: Which): void;
  /** Something was typed. */
  onType(which: Which): void;
}

/** Time, program, folder, and words that were said. */
export function Filters({ shows, timezone, onChoose, onType }: FiltersProps) {
  const { tab, which } = shows;
  const choose = (part: Partial<Which>) => onChoose({ ...which, ...part });
  return (
    <search className={styles.filters}>
      {tab === 'sessions' && (
        <Field label="Search sessions">
          {(id) => <Typed id={id} type="search" value={which.query} onTyped={(query) => onType({ ...which, query })} />}
        </Field>
      )}
      <Time which={which} onChoose={choose} />
      <Field label="Program">
        {(id) => (
          <Select id={id} value={which.program} onChange={(event) => choose({ program: event.target.value })}>
            <option value="">all programs</option>
            {PROGRAMS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Folder shows={shows} timezone={timezone} onFolder={(workspace) => onType({ ...which, workspace })} />
      {(which.workspace !== '' || which.program !== '' || isOfDays(which)) && (
        <Button
          look="quiet"
          onClick={() => onChoose({ ...which, since: '30d', until: '', program: '', workspace: '' })}
        >
          Clear
        </Button>
      )}
    </search>
  );
}

/** How long ago, or from which day to which. */
export function Time({ which, onChoose }: { which: Which; onChoose(part: Partial<Which>): void }) {
  const { since, until } = which;
  const days = isOfDays(which);
  const now = new Date();
  const monthAgo = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 29);
  const set = (value: string) =>
    onChoose(value === DAYS ? { since: localDay(monthAgo), until: localDay(now) } : { since: value, until: '' });
  return (
    <>
      <Field label="Time">
        {(id) => (
          <Select id={id} value={days ? DAYS : since} onChange={(event) => set(event.target.value)}>
            {TIMES.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
            {!days && !TIMES.some(({ value }) => value === since) && <option value={since}>last {since}</option>}
            <option value={DAYS}>custom range</option>
          </Select>
        )}
      </Field>
      {days && (
        <>
          <Field label="From">
            {(id) => <Day id={id} value={since} onChange={(event) => onChoose({ since: event.target.value })} />}
          </Field>
          <Field label="To (inclusive)">
            {(id) => (
              <>
                <Day id={id} value={until} onChange={(event) => onChoose({ until: event.target.value })} />
                {until !== '' && since > until && <span role="status">The end date is before the start date.</span>}
              </>
            )}
          </Field>
        </>
      )}
    </>
  );
}

const Day = (props: ComponentProps<'input'>) => <Input {...props} type="date" />;

interface FolderProps {
  shows: Shows;
  timezone: string;
  onFolder(folder: string): void;
}

/** A folder by its path or its name. Those that the history knows are offered once somebody is here. */
function Folder({ shows, timezone, onFolder }: FolderProps) {
  const [text, setText] = useState(shows.which.workspace);
  const [here, setHere] = useState(false);
  const of = { ...shows, tab: 'costs', which: { ...shows.which, workspace: '' } } as const;
  const { data } = useResource<HistoryDashboard>(here ? `history/dashboard?${requestQuery(of, timezone)}` : null);
  const known = data?.workspaces.map(({ name }) => name) ?? [];
  const meant = folderOf(text, known);
  const [list, said] = [useId(), useId()];
  return (
    <Field label="Folder (with subfolders)">
      {(id) => (
        <>
          <Typed
            id={id}
            type="text"
            list={list}
            spellCheck={false}
            autoComplete="off"
            aria-describedby={said}
            aria-invalid={(data && 'problem' in meant) || undefined}
            value={shows.which.workspace}
            placeholder="all folders"
            onFocus={() => setHere(true)}
            onText={setText}
            meant={(words) => {
              const found = folderOf(words, known);
              return 'folder' in found ? found.folder : null;
            }}
            onTyped={onFolder}
          />
          <datalist id={list}>
            {known.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          <span id={said} role="status">
            {'problem' in meant ? data && meant.problem : meant.folder !== text.trim() && meant.folder}
          </span>
        </>
      )}
    </Field>
  );
}

interface TypedProps extends ComponentProps<'input'> {
  value: string;
  /** What the words stand for; null while they stand for nothing. */
  meant?(words: string): string | null;
  /** Each time something else stands there. */
  onText?(text: string): void;
  onTyped(meant: string): void;
}

/** A field whose value is taken when nothing is typed for a moment. What comes from outside, such as a link, takes its place. */
function Typed({ value, meant = (words) => words, onText, onTyped, ...rest }: TypedProps) {
  const [text, setText] = useState(value);
  const taken = useRef(value);
  const take = useRef(onTyped);
  take.current = onTyped;
  const put = (next: string) => {
    setText(next);
    onText?.(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another value takes the place of what is typed.
  useEffect(() => {
    if (value === taken.current) return;
    taken.current = value;
    put(value);
  }, [value]);
  const next = meant(text.trim());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing begins the pause anew.
  useEffect(() => {
    if (next === null || next === taken.current) return;
    const timer = setTimeout(() => {
      taken.current = next;
      take.current(next);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text, next]);
  return <Input {...rest} value={text} onChange={(event) => put(event.target.value)} />;
}
