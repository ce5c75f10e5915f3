import { type KeyboardEvent, useRef, useState } from 'react';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { Button } from '../ui/Button';
import { Icon, type IconName } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { TextBlock } from '../ui/TextBlock';
import type { Problem, ProblemSeverity } from '../wire/gen/types';
import { goTo } from './goTo';
import { HelpMeFix } from './HelpMeFix';
import { LanguageServers } from './LanguageServers';
import { byFile } from './order';
import styles from './ProblemList.module.css';
import { placed } from './places';
import { useProblems } from './store';

/** What is known to be wrong, file by file: Enter opens the line. */
export default function ProblemList({ tab }: PaneProps) {
  const found = useProblems();
  const [boxes, setBoxes] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector<HTMLElement>('[data-row], h2'));
  const all = found.data?.problems ?? [];
  const first = new Set((found.data?.first ?? []).map((at) => all[at]));
  const hidden = all.filter(({ severity }) => severity === 'badbox' || severity === 'info').length;
  const shown = boxes ? all : all.filter(({ severity }) => severity === 'error' || severity === 'warning');
  const tools = hidden > 0 && (
    <label className={styles.boxes}>
      <input type="checkbox" checked={boxes} onChange={(event) => setBoxes(event.target.checked)} />
      Notes and bad boxes ({hidden})
    </label>
  );
  return (
    <Page ref={page} title="Problems" width="rows" tools={tools}>
      <ReadState
        shown={found.data !== undefined}
        loading={found.loading}
        failure={found.failure}
        onAgain={found.reload}
      />
      <LanguageServers />
      {found.data && shown.length === 0 && (
        <Notice icon="check" title="No problems">
          <p>
            Problems from builds, language servers, commands and cells appear here. Press F8 to go to the next problem.
          </p>
        </Notice>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the buttons in it. */}
      <div onKeyDown={walk}>
        {byFile(shown).map(([path, problems]) => (
          <section key={path} aria-label={path}>
            <h3 className={styles.file}>{path || 'No file'}</h3>
            <ul className={styles.rows}>
              {problems.map((problem, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a log can say the same twice
                <Row key={`${index} ${problem.line} ${problem.message}`} problem={problem} first={first.has(problem)} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Page>
  );
}

function Row({ problem, first }: { problem: Problem; first: boolean }) {
  const { severity, line, message, detail, program } = placed(problem);
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.row} data-tone={TONES[severity]}>
      <div className={styles.line}>
        <button type="button" data-row className={styles.go} onClick={() => goTo(problem)}>
          <Icon name={ICONS[severity]} size={14} />
          <span className="visually-hidden">{WORDS[severity]}: </span>
          <span className={styles.message}>{message}</span>
          {first && (
            <span className={styles.first} title="First error in the log. It may cause the errors after it.">
              First error
            </span>
          )}
          <span className={styles.at}>{[program, line !== null && `line ${line}`].filter(Boolean).join(', ')}</span>
        </button>
        {detail && (
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {problem.source === 'language_server' ? 'More' : 'Log'}
          </Button>
        )}
        {(severity === 'error' || severity === 'warning') && <HelpMeFix problem={problem} />}
      </div>
      {open && detail && <TextBlock>{detail}</TextBlock>}
    </li>
  );
}

const ICONS: Record<ProblemSeverity, IconName> = {
  error: 'error',
  warning: 'warning',
  info: 'circle',
  badbox: 'bar',
};
const TONES: Record<ProblemSeverity, string | undefined> = {
  error: 'err',
  warning: 'warn',
  info: undefined,
  badbox: undefined,
};
const WORDS: Record<ProblemSeverity, string> = { error: 'Error', warning: 'Warning', info: 'Note', badbox: 'Bad box' };

/** The arrows go from row to row. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
