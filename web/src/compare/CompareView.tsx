import { useEffect, useRef, useState } from 'react';
import { Words } from '../actions/Words';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { Notice } from '../ui/Notice';
import viewer from '../viewers/Viewer.module.css';
import type { Failure } from '../wire/gen/types';
import { CompareBar } from './CompareBar';
import styles from './CompareView.module.css';
import { type Compared, readComparison } from './compared';
import type { Layout, MergeEditors } from './mergeEditors';
import { type ComparedText, useCompared } from './useCompared';
import { useLayoutChoice } from './useLayoutChoice';

/** Two files or versions, and what differs. */
export default function CompareView({ view, tab }: PaneProps) {
  const { from, to } = readComparison(view.kind === 'compare' ? view.of : '');
  const [before, after] = [useCompared(from), useCompared(to)];
  const host = useRef<HTMLDivElement>(null);
  const { layout, narrow, choose } = useLayoutChoice(host);
  const editors = useEditors(host, { from, to, before, after, layout });
  useArrival(tab, () => host.current?.querySelector<HTMLElement>('.cm-content:last-of-type'));
  const failure = before.failure ?? after.failure;
  const isSame = before.text !== undefined && before.text === after.text;
  return (
    <div className={viewer.view}>
      <CompareBar
        {...{ from, to, tab, editors, layout, isSame }}
        facts={factsOf(before, after)}
        onLayout={narrow ? null : choose}
      />
      {failure && <Unread failure={failure} />}
      {isSame && !failure && (
        <p className={viewer.warning} role="status">
          {from.path === to.path ? 'The versions are the same.' : 'The files have the same text.'}
        </p>
      )}
      <div ref={host} className={styles.host} hidden={failure !== undefined} />
    </div>
  );
}

interface Shown {
  from: Compared;
  to: Compared;
  before: ComparedText;
  after: ComparedText;
  layout: Layout;
}

/** Draws the editors anew when a text or the layout changes, and keeps the place. */
function useEditors(host: { readonly current: HTMLElement | null }, shown: Shown): MergeEditors | null {
  const [editors, setEditors] = useState<MergeEditors | null>(null);
  const { from, to, before, after, layout } = shown;
  const [one, two] = [before.text, after.text];
  const [fromPath, toPath] = [from.path, to.path];
  useEffect(() => {
    const element = host.current;
    if (!element || one === undefined || two === undefined) return;
    let made: MergeEditors | null = null;
    let gone = false;
    const scrollTop = scrollerIn(element)?.scrollTop ?? 0;
    const side = (path: string, text: string, word: string) => ({ path, text, label: `${word}: ${path}` });
    void import('./mergeEditors').then(async ({ mergeEditors }) => {
      const box = document.createElement('div');
      made = await mergeEditors(box, side(fromPath, one, 'Before'), side(toPath, two, 'After'), layout);
      if (gone) return made.destroy();
      element.replaceChildren(box);
      scrollerIn(element)?.scrollTo({ top: scrollTop });
      setEditors(made);
    });
    return () => {
      gone = true;
      made?.destroy();
    };
  }, [host, fromPath, toPath, one, two, layout]);
  return editors;
}

const scrollerIn = (element: HTMLElement) => element.querySelector('.cm-mergeView, .cm-scroller');

function Unread({ failure }: { failure: Failure }) {
  return (
    <Notice icon="file" title="These can’t be compared">
      <p>
        <Words text={failure.message} />
      </p>
      {failure.hint && (
        <p>
          <Words text={failure.hint} />
        </p>
      )}
    </Notice>
  );
}

function factsOf(before: ComparedText, after: ComparedText): string {
  const ends = before.ends && after.ends && before.ends !== after.ends ? `${before.ends} → ${after.ends}` : '';
  const cells = before.isNotebook || after.isNotebook ? 'sources of cells, without outputs' : '';
  return [cells, ends].filter(Boolean).join(' · ');
}
