import { useState } from 'react';
import '../history/news';
import type { ActionRecord, HistoryRisk, WorkspacePath } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './ActionCard.module.css';

/** Files that it is said of; a change of more is looked at in other ways. */
const MOST = 3;

/** How AI changes to the same files turned out before, in a few words, where a change waits for an answer. */
export function FileRisk({ record: { state, preview } }: { record: ActionRecord }) {
  if (state !== 'awaiting_confirmation' || preview?.body.kind !== 'diff') return null;
  const paths = [...new Set(preview.body.files.map(({ path }) => path))].slice(0, MOST);
  return paths.map((path) => <OfFile key={path} path={path} named={paths.length > 1} />);
}

function OfFile({ path, named }: { path: WorkspacePath; named: boolean }) {
  const [timezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const { data } = useResource<HistoryRisk>(`history/risk?${new URLSearchParams({ path, timezone })}`);
  if (!data?.line) return null;
  return (
    <span className={styles.risk} title={`Results of earlier AI changes to ${path}`}>
      {named && `${path.split('/').at(-1)}: `}
      {data.line}
    </span>
  );
}
