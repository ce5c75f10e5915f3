import { useId, useRef, useState } from 'react';
import { sizeWords } from '../../notebook/words';
import { announce } from '../../ui/Announcer';
import { Button } from '../../ui/Button';
import { failureOf } from '../../wire/requests';
import { heldIn, refused, toldOf } from './files';
import { text } from './model';
import { isShut, say } from './tell';
import styles from './Widgets.module.css';
import type { WidgetKind } from './WidgetView';

/** Takes files for the code. */
const Upload: WidgetKind = ({ at, widget }) => {
  const { state } = widget;
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const said = useId();
  const held = heldIn(state);
  const words = text(state, 'description') || 'Upload';
  const give = async (files: File[]) => {
    if (files.length === 0) return;
    setProblem(refused(files));
    if (refused(files)) return;
    setBusy(true);
    try {
      await say(at, widget.id, { ...(await toldOf(state, files)), custom: null });
      announce(files.length === 1 ? `Uploaded ${files[0]?.name}` : `Uploaded ${files.length} files`);
    } catch (error) {
      setProblem(failureOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.control} title={text(state, 'tooltip') || undefined}>
      <Button
        icon="plus"
        look={text(state, 'button_style') === 'primary' ? 'primary' : 'plain'}
        disabled={busy || isShut(widget)}
        aria-describedby={said}
        onClick={() => input.current?.click()}
      >
        {busy ? 'Sending…' : words}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={words}
        accept={text(state, 'accept') || undefined}
        multiple={state.multiple === true}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file can be chosen again.
          target.value = '';
          void give(files);
        }}
      />
      <span id={said}>{held.map(({ name, size }) => `${name} (${sizeWords(size)})`).join(', ')}</span>
      {(problem ?? text(state, 'error')) !== '' && (
        <p className={styles.note} role="alert">
          {problem ?? text(state, 'error')}
        </p>
      )}
    </div>
  );
};

/** What takes files. */
export const FILES: Record<string, WidgetKind> = { FileUploadModel: Upload };
