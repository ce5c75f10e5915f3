import { useEffect, useRef } from 'react';
import { Words } from '../actions/Words';
import { setPageQuery, usePageQuery } from '../app/history';
import { Sentences } from '../ask/Sentences';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { CopyText } from '../ui/CopyText';
import { Input } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Note } from '../ui/Note';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { sentence } from '../ui/sentence';
import { connection } from '../wire/connection';
import type { SettingsFile, SettingsView } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';
import { Row } from './Row';
import { Sections } from './Sections';
import styles from './SettingsPage.module.css';
import { grouped, matching } from './search';

/** All settings of the person, made from the server's table of them. */
export default function SettingsPage({ tab }: PaneProps) {
  const { data, failure, loading, reload } = useResource<SettingsView>('settings');
  const query = new URLSearchParams(usePageQuery('settings')).get('q') ?? '';
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector('h2'));
  useEffect(() => connection.on('settings', () => invalidate('settings')), []);
  const found = data ? matching(data.settings, query) : [];
  return (
    <Page ref={page} title="Settings" width="prose">
      <Sections current="settings" />
      <search>
        <Input
          className={styles.search}
          type="search"
          aria-label="Search settings"
          placeholder="Search settings"
          value={query}
          onChange={({ target }) =>
            setPageQuery('settings', target.value && `${new URLSearchParams({ q: target.value })}`)
          }
        />
        <p role="status" className="visually-hidden">
          {query.trim() !== '' && data && `${found.length} ${found.length === 1 ? 'setting' : 'settings'} found`}
        </p>
      </search>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.files.map((file) => file.problems.length > 0 && <Faults key={file.path} file={file} />)}
      {data && found.length === 0 && (
        <>
          <Note>No settings match “{query.trim()}”.</Note>
          <Sentences of={['dark mode', 'go to models']} />
        </>
      )}
      {grouped(found).map(([group, settings]) => (
        <section key={group} aria-label={group}>
          <h3 className={styles.group}>{group}</h3>
          <ul className={styles.rows}>
            {settings.map((view) => (
              <Row key={view.setting.key} view={view} />
            ))}
          </ul>
        </section>
      ))}
      {data?.files[0] && (
        <p className={styles.file}>
          You can also edit this file: <CopyText text={data.files[0].path} what="the file’s path" />
        </p>
      )}
    </Page>
  );
}

/** The lines of a file that set nothing, and why. */
function Faults({ file }: { file: SettingsFile }) {
  const lines = file.problems.length === 1 ? 'A line of' : `${file.problems.length} lines of`;
  return (
    <div className={styles.faults} role="alert">
      <p data-tone="err">
        <Icon name="error" /> {lines} your settings file can’t be used. The other settings work.
      </p>
      <CopyText text={file.path} what="the file’s path" />
      <ul>
        {file.problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: <Words text={sentence(message)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
