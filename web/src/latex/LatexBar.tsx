import { lazy, Suspense, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { LiveDocument } from '../documents/provider';
import { useFocus } from '../editor/focus';
import { openBeside } from '../frames/store';
import { openProblems } from '../problems/goTo';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Menu } from '../ui/Menu';
import { join } from '../ui/names';
import type { LatexBuild, LatexMissing, LatexState } from '../wire/gen/types';
import { Advice, HowToInstall } from './Advice';
import { build, saved, setOnSave, stopBuild, useBuilds, useWaitingBuild } from './build';
import { registerLatexCommands } from './commands';
import styles from './LatexBar.module.css';
import { showInPdf } from './places';
import { isLatex, useLatex } from './state';
import { builtWords, tookWords } from './words';

const ActionCard = lazy(async () => ({ default: (await import('../actions/ActionCard')).ActionCard }));

registerLatexCommands();

/** Above the text of a LaTeX file: build it, how the last build ended, and the way to its pages. */
export default function LatexBar({ path, live }: { path: string; live: LiveDocument }) {
  const { data: state, failure } = useLatex(path);
  useBuildOnSave(state?.main, path, live);
  const waiting = useWaitingBuild(state?.main);
  // A package that no document reads is nobody's to build.
  if (!state)
    return failure && isLatex(path) && <p className={styles.failure}>{`${failure.message}. ${failure.hint ?? ''}`}</p>;
  const missing = state.missing.find((one) => one.required);
  return (
    <section className={styles.bar} aria-label="LaTeX">
      {missing ? <Missing missing={missing} /> : <Tools path={path} state={state} waiting={waiting !== null} />}
      {!missing && <Advice state={state} />}
      {waiting && (
        <div className={styles.asked}>
          <Suspense fallback={null}>
            <ActionCard id={waiting} />
          </Suspense>
        </div>
      )}
    </section>
  );
}

/** A save is a text that the file did not hold before; several in a row are one. */
function useBuildOnSave(main: string | undefined, path: string, live: LiveDocument): void {
  const file = useStore(live.status, (status) => status.file);
  const built = useRef<string | null>(null);
  useEffect(() => {
    if (!main || !file?.saved) return;
    if (built.current === null) {
      built.current = file.version;
      return;
    }
    if (built.current === file.version) return;
    const timer = setTimeout(() => {
      built.current = file.version;
      saved(main, path);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [main, path, file]);
}

/** Milliseconds without another save, so that a sentence is built once and not word by word. */
const PAUSE = 700;

function Tools({ path, state, waiting }: { path: string; state: LatexState; waiting: boolean }) {
  const sending = useBuilds(({ sending }) => sending.has(state.main));
  const onSave = useBuilds(({ onSave }) => onSave.has(state.main));
  const running = state.running !== null;
  const pdf = state.last?.pdf ?? null;
  return (
    <div className={styles.tools}>
      {running ? (
        <Button look="quiet" icon="stop" onClick={() => stopBuild(state)}>
          Stop
        </Button>
      ) : (
        <Button
          look="quiet"
          icon="play"
          disabled={sending || waiting}
          title={`Build ${state.main} with ${state.engine}`}
          onClick={() => void build(path)}
        >
          Build
        </Button>
      )}
      <label className={join(styles.toggle, styles.seldom)}>
        <input type="checkbox" checked={onSave} onChange={(event) => setOnSave(state.main, event.target.checked)} />
        On save
      </label>
      {pdf && (
        <>
          <Button look="quiet" icon="file" className={styles.seldom} onClick={() => openPages(pdf)}>
            PDF
          </Button>
          <Button
            look="quiet"
            icon="splitRight"
            className={styles.seldom}
            title="Show line in PDF"
            onClick={() => showLine(path)}
          >
            Show in PDF
          </Button>
        </>
      )}
      <Status build={state.last} running={running} waiting={waiting} />
      {/* In a narrow pane it has what is used seldom. */}
      <span className={styles.more}>
        <Menu
          icon="more"
          label="More actions"
          items={[
            { label: onSave ? 'Don’t build on save' : 'Build on save', run: () => setOnSave(state.main, !onSave) },
            { label: 'PDF', disabled: !pdf, run: () => pdf && openPages(pdf) },
            { label: 'Show line in PDF', key: 'Mod-Alt-j', disabled: !pdf, run: () => showLine(path) },
          ]}
        />
      </span>
    </div>
  );
}

function openPages(pdf: string): void {
  openBeside({ kind: 'file', path: pdf }, { focus: false });
}

function showLine(path: string): void {
  const focus = useFocus.getState().focus;
  void showInPdf(path, focus?.path === path ? (focus.cursor ?? 1) : 1);
}

function Status({ build, running, waiting }: { build: LatexBuild | null; running: boolean; waiting: boolean }) {
  const words = running
    ? 'Building…'
    : waiting
      ? 'Waiting for your approval'
      : build
        ? builtWords(build)
        : 'Not built yet';
  const tone = running || waiting || !build ? undefined : build.end === 'done' ? 'ok' : 'err';
  const problems = !running && build !== null && build.errors + build.warnings > 0;
  return (
    <span className={styles.status} data-tone={tone}>
      {running && <Icon name="spinner" size={14} />}
      {!running && tone && <Icon name={tone === 'ok' ? 'check' : 'error'} size={14} />}
      {problems ? (
        <button type="button" className={styles.words} title="Show problems" onClick={() => openProblems()}>
          {words}
        </button>
      ) : (
        <span>{words}</span>
      )}
      {build && !running && <span className={styles.took}>{tookWords(build)}</span>}
    </span>
  );
}

/** Everything but the build works without TeX. */
function Missing({ missing }: { missing: LatexMissing }) {
  return (
    <div className={styles.missing}>
      <Icon name="warning" />
      <p>
        To build this document, install TeX: <code>{missing.program}</code> was not found. Everything else works without
        it.
      </p>
      <HowToInstall missing={missing} />
    </div>
  );
}
