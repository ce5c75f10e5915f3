import { useEffect, useState } from 'react';
import { Diff } from '../actions/previews/Diff';
import { doAction } from '../app/actionFlow';
import { openComparison } from '../compare/open';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Note } from '../ui/Note';
import { ReadState } from '../ui/ReadState';
import { submitAction } from '../wire/actions';
import type { DocumentVersion, Failure, FileDiff, SubmitAction } from '../wire/gen/types';
import { failureOf, RequestFailed } from '../wire/requests';
import { useResource } from '../wire/resource';
import styles from './VersionsDialog.module.css';
import { useVersionsOf, versionsAt } from './versions';

/** What is kept of the document that somebody wants to look at the past of. */
export default function VersionsDialog() {
  const path = useVersionsOf((state) => state.path);
  return path === null ? null : <Versions key={path} path={path} />;
}

const close = () => useVersionsOf.setState({ path: null });

function Versions({ path }: { path: string }) {
  const { data, failure, loading, reload } = useResource<DocumentVersion[]>(versionsAt(path));
  const [chosen, choose] = useState<string | null>(null);
  const version = data?.find(({ id }) => id === chosen) ?? data?.[0];
  return (
    <Dialog
      title={`Version history of ${path}`}
      look="wide"
      onClose={close}
      footer={
        <>
          <Button
            look="primary"
            disabled={!version}
            onClick={() => version && void bringBack(path, version).then((done) => done && close())}
          >
            Restore
          </Button>
          <Button disabled={!version} onClick={() => version && compare(path, version)}>
            Compare
          </Button>
          <Button onClick={close} data-first-focus>
            Close
          </Button>
        </>
      }
    >
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.length === 0 && <Note>No versions yet. Aside saves one before each change.</Note>}
      {data && version && (
        <div className={styles.versions}>
          <fieldset className={styles.list}>
            <legend className="visually-hidden">Versions, newest first</legend>
            {data.map((one) => (
              <label key={one.id} className={styles.version}>
                <input type="radio" name="version" checked={one.id === version.id} onChange={() => choose(one.id)} />
                <span>
                  <time dateTime={new Date(one.at).toISOString()}>{when(one.at)}</time>
                  <span className={styles.by}>{one.made_by}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <Look key={version.id} path={path} version={version} />
        </div>
      )}
    </Dialog>
  );
}

/** What going back to a version would change. */
function Look({ path, version }: { path: string; version: DocumentVersion }) {
  const [{ files, failure }, setLook] = useState<{ files?: FileDiff[]; failure?: Failure }>({});
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new try asks again
  useEffect(() => {
    let gone = false;
    const show = (look: { files?: FileDiff[]; failure?: Failure }) => gone || setLook(look);
    setLook({});
    void changes(path, version)
      .then((files) => show({ files }))
      .catch((error) => show({ failure: failureOf(error) }));
    return () => {
      gone = true;
    };
  }, [path, version, tries]);
  return (
    <section className={styles.look} aria-label={`Changes if you restore the version of ${when(version.at)}`}>
      <ReadState shown={files !== undefined} loading={!files} failure={failure} onAgain={() => setTries(tries + 1)} />
      {files?.every(({ hunks, note }) => hunks.length === 0 && !note) && <Note>This is the current version.</Note>}
      {files && (
        <>
          <p className={styles.by}>Restoring removes the lines marked − and adds the lines marked +.</p>
          <Diff record={null} files={files} />
        </>
      )}
    </section>
  );
}

async function changes(path: string, version: DocumentVersion): Promise<FileDiff[]> {
  const { record, outcome } = await submitAction({ ...restore(path, version), dry_run: true });
  if (outcome && 'failure' in outcome) throw new RequestFailed(409, outcome.failure);
  return record.preview?.body.kind === 'diff' ? record.preview.body.files : [];
}

/** Shows in a tab what differs between a version and the file as it is. */
function compare(path: string, { id }: DocumentVersion): void {
  close();
  openComparison({ path, version: id }, { path });
}

function bringBack(path: string, version: DocumentVersion): Promise<boolean> {
  return doAction(restore(path, version), { done: `Restored ${path} from ${when(version.at)}` });
}

function restore(path: string, { id }: DocumentVersion): SubmitAction {
  return { action_type: 'doc.restore', args: { path, version: id } };
}

const when = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
