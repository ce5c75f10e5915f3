// The keys of another editor, which a person can choose. They are loaded then, and followed as long as an editor lives.
import { Compartment, type Extension, Prec } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { type Settings, setting, useSettings } from '../settings/values';
import { wanted } from '../ui/needed';

type Keymap = Settings['editor.keymap'];

/** Tells whether Vim runs in an editor and has nothing to end: Escape means something else then. */
let idle = (_view: EditorView): boolean => false;

const LOADED: Record<Keymap, (status: boolean) => Promise<Extension>> = {
  default: async () => [],
  vim: async (status) => {
    const { isIdle, vimKeys } = await import('./vim');
    idle = isIdle;
    return vimKeys(status);
  },
  emacs: async () => (await import('@replit/codemirror-emacs')).emacs(),
};

/** Escape where Vim has no use for it. */
export const idleEscape = (view: EditorView): boolean => setting('editor.keymap') === 'vim' && idle(view);

/** The chosen keys, before all others of the editor; with a line for the mode of Vim if `status` is set. */
export function chosenKeys(status: boolean): Extension {
  const part = new Compartment();
  const follow = (view: EditorView) => {
    let now: Keymap = 'default';
    let lives = true;
    const look = async () => {
      const chosen = setting('editor.keymap');
      if (chosen === now) return;
      now = chosen;
      const keys = await wanted(() => LOADED[chosen](status));
      if (lives && chosen === now) view.dispatch({ effects: part.reconfigure(keys) });
    };
    void look();
    const unfollow = useSettings.subscribe(() => void look());
    return {
      destroy: () => {
        lives = false;
        unfollow();
      },
    };
  };
  return [Prec.highest(part.of([])), ViewPlugin.define(follow)];
}
