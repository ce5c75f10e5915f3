import { useState } from 'react';
import { versionsAt } from '../files/versions';
import { openFile } from '../frames/store';
import modes from '../livePreview/ModeSwitch.module.css';
import { announce } from '../ui/Announcer';
import { Button, IconButton } from '../ui/Button';
import { Select } from '../ui/Field';
import viewer from '../viewers/Viewer.module.css';
import { countWords } from '../viewers/words';
import type { DocumentVersion } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './CompareView.module.css';
import type { Compared, Comparison } from './compared';
import type { Layout, MergeEditors } from './mergeEditors';
import { showInstead } from './open';
import { versionWords } from './texts';

interface CompareBarProps extends Comparison {
  tab: string;
  editors: MergeEditors | null;
  layout: Layout;
  isSame: boolean;
  facts: string;
  /** Null where there is room for one layout only. */
  onLayout: ((layout: Layout) => void) | null;
}

/** Over a comparison: its two sides, the number of changes, the way between them. */
export function CompareBar({ from, to, tab, editors, layout, isSame, facts, onLayout }: CompareBarProps) {
  const count = isSame ? 0 : (editors?.count ?? 0);
  const go = (step: 1 | -1) => {
    const line = editors?.go(step) ?? null;
    if (line !== null) announce(`Line ${line}`);
  };
  return (
    <div className={viewer.bar} role="toolbar" aria-label="Comparison">
      <span className={styles.sides}>
        <Side
          word="Before"
          side={from}
          line={editors?.line}
          onChoose={(side) => showInstead(tab, { from: side, to })}
        />
        <IconButton icon="swap" label="Swap sides" onClick={() => showInstead(tab, { from: to, to: from })} />
        <Side word="After" side={to} line={editors?.line} onChoose={(side) => showInstead(tab, { from, to: side })} />
      </span>
      <span className={styles.changes}>
        <span className={viewer.facts} role="status">
          {[facts, editors && countWords(count, 'change')].filter(Boolean).join(' · ')}
        </span>
        <IconButton icon="chevronUp" label="Previous change (Alt-[)" disabled={count === 0} onClick={() => go(-1)} />
        <IconButton icon="chevronDown" label="Next change (Alt-])" disabled={count === 0} onClick={() => go(1)} />
      </span>
      {onLayout && (
        <fieldset className={modes.modes} aria-label="Layout of the comparison">
          {(['split', 'unified'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={each === layout} onClick={() => onLayout(each)}>
              {each === 'split' ? 'Side by side' : 'Unified'}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

interface SideProps {
  word: string;
  side: Compared;
  line: (() => number) | undefined;
  onChoose(side: Compared): void;
}

/** A file, which a press opens, and which of its versions. */
function Side({ word, side, line, onChoose }: SideProps) {
  const { path, version } = side;
  // The versions are asked for when somebody reaches for them.
  const [wanted, setWanted] = useState(version !== undefined);
  const { data } = useResource<DocumentVersion[]>(wanted ? versionsAt(path) : null);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const want = () => setWanted(true);
  return (
    <span className={styles.side}>
      <Button look="quiet" title={`Open ${path}`} onClick={() => openFile(path, { line: line?.() ?? 1 })}>
        {name}
      </Button>
      <Select
        look="quiet"
        aria-label={`${word}: version of ${name}`}
        value={version ?? ''}
        onPointerEnter={want}
        onFocus={want}
        onChange={({ target }) => onChoose({ path, ...(target.value && { version: target.value }) })}
      >
        <option value="">now</option>
        {data?.map((each) => (
          <option key={each.id} value={each.id}>
            {versionWords(each)}
          </option>
        ))}
        {version !== undefined && !data && <option value={version}>…</option>}
      </Select>
    </span>
  );
}
