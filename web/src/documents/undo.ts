// Ctrl-Z of one document: typing through Yjs, what actions did through the Gate, in one order (undoLog.ts).
import * as Y from 'yjs';
import { toast, toastFailure } from '../ui/Toast';
import { undoAction } from '../wire/actions';
import type { ActionId, Failure, Submitted } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { acted, dropped, type Entry, emptyLog, reconciled, retyped, typed, type UndoLog, untyped } from './undoLog';

/** The undo of one document. */
export class DocumentUndo {
  readonly manager: Y.UndoManager;
  private log: UndoLog = emptyLog;
  /** One at a time: a key that repeats waits for the answer of the first. */
  private queue: Promise<void> = Promise.resolve();

  /** What is done to one of the shared types, or in it, is what is taken back. */
  constructor(types: (Y.Text | Y.Map<unknown>)[]) {
    this.manager = new Y.UndoManager(types, { captureTimeout: 600 });
    this.manager.on('stack-item-added', ({ type, origin }) => {
      if (type === 'undo' && origin !== this.manager) this.log = typed(this.log);
    });
  }

  /** An action changed the document. Typing after it is a step of its own. */
  edited(action: ActionId, undoes: ActionId | null): void {
    this.manager.stopCapturing();
    this.log = acted(this.log, action, undoes);
  }

  /** Does something that is taken back by itself, apart from typing before and after it. */
  step<Result>(change: () => Result): Result {
    this.manager.stopCapturing();
    const result = change();
    this.manager.stopCapturing();
    return result;
  }

  /** Takes back the latest thing; ends when that is done, or can't be. */
  undo(): Promise<void> {
    this.queue = this.queue.then(() => this.takeBack(this.log.undo.at(-1), 'undo'));
    return this.queue;
  }

  /** Does the latest thing that was taken back again. */
  redo(): Promise<void> {
    this.queue = this.queue.then(() => this.takeBack(this.log.redo.at(-1), 'redo'));
    return this.queue;
  }

  destroy(): void {
    this.manager.destroy();
  }

  private async takeBack(entry: Entry | undefined, way: 'undo' | 'redo'): Promise<void> {
    if (!entry) return;
    if (entry.kind === 'typing') this.typing(way);
    else await this.action(entry, way === 'undo' ? entry.action : (entry.undo ?? entry.action), way);
  }

  private typing(way: 'undo' | 'redo'): void {
    const undone = way === 'undo' ? this.manager.undo() : this.manager.redo();
    if (undone) this.log = way === 'undo' ? untyped(this.log) : retyped(this.log);
    this.log = reconciled(this.log, this.manager.undoStack.length, this.manager.redoStack.length);
  }

  private async action(entry: Entry, id: ActionId, way: 'undo' | 'redo'): Promise<void> {
    try {
      const submitted = await undoAction(id);
      if (submitted.state === 'done') this.edited(submitted.id, id);
      else this.refused(entry, submitted, way);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== 'offline') this.log = dropped(this.log, entry);
      toastFailure(failure);
    }
  }

  private refused(entry: Entry, submitted: Submitted, way: 'undo' | 'redo'): void {
    if (submitted.state === 'awaiting_confirmation') {
      toast(`To ${way} this, approve it in the assistant`);
      return;
    }
    this.log = dropped(this.log, entry);
    toastFailure(failureIn(submitted, way));
  }
}

function failureIn({ outcome }: Submitted, way: 'undo' | 'redo'): Failure {
  if (outcome && 'failure' in outcome) return outcome.failure;
  return {
    code: 'undo',
    message: `The change could not be ${way === 'undo' ? 'undone' : 'redone'}.`,
    data: null,
  };
}
