import { useRef } from 'react';
import { Plain } from '../actions/Plain';
import { Raw } from '../actions/Raw';
import { Words } from '../actions/Words';
import { Restrictions } from '../assistant/Restrictions';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { Sections } from '../settings/Sections';
import { Button } from '../ui/Button';
import { CopyText } from '../ui/CopyText';
import { Mark } from '../ui/Fold';
import { Icon } from '../ui/Icon';
import { Note } from '../ui/Note';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { TextBlock } from '../ui/TextBlock';
import type { LayerView, PolicyView, RuleView } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Check } from './Check';
import styles from './Policy.module.css';
import { emptyWords, LAYERS, rulingWords } from './words';

/** The rules by which actions are allowed, asked about or denied, and a way to try them. */
export default function Policy({ tab }: PaneProps) {
  const { data, failure, loading, reload } = useResource<PolicyView>('policy');
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector('h2'));
  return (
    <Page
      ref={page}
      title="Permissions"
      tools={
        <Button icon="retry" disabled={loading} onClick={reload}>
          Reload
        </Button>
      }
    >
      <Sections current="policy" />
      <Restrictions />
      <Note>
        The first matching rule decides: deny before ask before allow, and your organisation’s rules before yours; this
        folder’s rules can only be stricter. If no rule matches, the default for the action’s risk applies.
      </Note>
      <Check />
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.layers.map((layer) => (
        <Layer key={layer.layer} layer={layer} />
      ))}
    </Page>
  );
}

function Layer({ layer }: { layer: LayerView }) {
  const { file, problem, rules } = layer;
  const name = LAYERS[layer.layer];
  const empty = emptyWords(layer);
  return (
    <section className={styles.layer} aria-label={name}>
      <h3>
        {name} <span className={styles.count}>{rules.length}</span>
      </h3>
      {file !== null && <CopyText text={file} what="the file’s path" />}
      {problem !== null && <Problem text={problem} />}
      {empty && <Note>{empty}</Note>}
      {rules.length > 0 && (
        <ul className={styles.rules} aria-label={`Rules: ${name}`}>
          {rules.map((rule) => (
            <Rule key={rule.name} rule={rule} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What is wrong with a file, with its lines, and what that means until it is mended. */
function Problem({ text }: { text: string }) {
  return (
    <div className={styles.problem} role="alert">
      <p data-tone="err">
        <Icon name="error" /> This file has an error. Until you fix it, its rules allow nothing and every change needs
        approval.
      </p>
      <TextBlock>
        <Plain text={text} />
      </TextBlock>
    </div>
  );
}

function Rule({ rule }: { rule: RuleView }) {
  const { word, icon, tone } = rulingWords(rule.ruling);
  return (
    <li className={styles.rule}>
      <span className={styles.ruling} data-tone={tone}>
        <Icon name={icon} /> {word}
      </span>
      <div className={styles.what}>
        <p>
          <code>{rule.name}</code> {rule.default && <span className={styles.tag}>default</span>}{' '}
          {rule.inactive !== null && <Mark>inactive: {rule.inactive}</Mark>}
        </p>
        <p>
          <Words text={rule.when} />
        </p>
        {rule.reason !== '' && (
          <Note>
            <Words text={rule.reason} />
          </Note>
        )}
        {rule.written && <Raw name="Source" value={rule.written} />}
      </div>
    </li>
  );
}
