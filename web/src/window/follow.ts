// Follows actions and tabs from the start of the window to its end. Not loaded before the page shows.
import { connection } from '../wire/connection';
import { answer, type UiAction } from './answer';
import { followClosing } from './closed';
import { registerTabCommands } from './commands';
import { followUse } from './used';

/** Answers actions, those first that came before, and follows the tabs; returns what ends it. */
export function followWindow(early: readonly UiAction[]): () => void {
  for (const frame of early) void answer(frame);
  const stops = [
    connection.on('ui_action', (frame) => void answer(frame)),
    followClosing(),
    followUse(),
    registerTabCommands(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
