import { useId, useState } from 'react';
import { LabelChip } from '../files/LabelChip';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import type { ActionRecord, Label, LabelSource } from '../wire/gen/types';
import { piecesOf } from './marks';
import { Plain } from './Plain';
import styles from './Sources.module.css';

/** The names of labels as people read them. */
export const LABELS: Record<Label, string> = {
  user: 'you',
  workspace: 'files of this workspace',
  model: 'a model',
  external: 'an untrusted source',
};

/** What was made from content: an action, or a plan. */
type Sourced = Pick<ActionRecord, 'provenance'> & Partial<Pick<ActionRecord, 'marked'>>;

/** Says that untrusted content led to this, which, and what of it stands in the arguments. Nothing if none did. */
export function Sources({ of: { provenance, marked = [] } }: { of: Sourced }) {
  const [open, setOpen] = useState(false);
  const list = useId();
  const untrusted = provenance.sources.filter((source) => source.label === 'external');
  if (provenance.label !== 'external') return null;
  return (
    <div className={styles.sources}>
      <button
        type="button"
        className={styles.chip}
        aria-expanded={open}
        aria-controls={list}
        title={untrusted.map(sourceWords).join('\n')}
        onClick={() => setOpen(!open)}
      >
        <Icon name="warning" size={14} />
        <span>
          includes untrusted source: <Plain text={nameWords(untrusted, provenance.more)} />
        </span>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} size={14} />
      </button>
      <ul id={list} className={styles.list} hidden={!open}>
        {untrusted.map((source) => (
          <li key={`${source.what} ${source.why}`}>
            <Plain text={sentence(sourceWords(source))} /> {open && <LabelChip path={source.what} />}
          </li>
        ))}
        {provenance.more && <li>More sources are not listed.</li>}
      </ul>
      {marked.length > 0 && (
        <div className={styles.marked}>
          <p>The action contains text from these sources:</p>
          <dl>
            {marked.map((each) => (
              <div key={`${each.path} ${each.text}`}>
                <dt>
                  <code>
                    <Plain text={each.path.replace(/^\//, '') || 'arguments'} />
                  </code>
                </dt>
                <dd>
                  <mark>
                    <Plain text={each.text} />
                  </mark>{' '}
                  from <Plain text={each.source} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}

/** Text in which what untrusted content holds too is marked. */
export function Marked({ text, marks }: { text: string; marks: readonly string[] }) {
  let at = 0;
  return piecesOf(text, marks).map((piece) => {
    const key = at;
    at += piece.text.length;
    return piece.marked ? (
      <mark key={key} className={styles.mark} title="Text from an untrusted source">
        <Plain text={piece.text} />
      </mark>
    ) : (
      <Plain key={key} text={piece.text} />
    );
  });
}

function sourceWords({ what, why }: LabelSource): string {
  return `${what}: ${why}`;
}

function nameWords(sources: readonly LabelSource[], more: boolean): string {
  const [first, ...rest] = sources;
  if (!first) return 'unknown';
  if (more) return `${first.what} and more`;
  return rest.length === 0 ? first.what : `${first.what} and ${rest.length} more`;
}
