// What stands on a button for the names of Font Awesome that code gives it: the nearest shape of ours, else a character.
// Pure.
import type { IconName } from '../../ui/Icon';

/** Each shape or character, and the names that mean it. */
const NAMES = `
check check
close times close xmark remove
plus plus
bar minus
play play
pause pause
stop stop
search search
trash trash trash-o trash-alt trash-can
download download save floppy-o floppy-disk
chevronUp upload arrow-up chevron-up angle-up caret-up
chevronDown arrow-down chevron-down angle-down caret-down
chevronRight arrow-right chevron-right angle-right caret-right
back arrow-left chevron-left angle-left caret-left
retry refresh sync repeat rotate rotate-right arrows-rotate
undo undo rotate-left reply
redo redo share
pencil pencil edit pen pen-to-square pencil-alt
eye eye
eyeOff eye-slash
folder folder folder-open
file file file-o
fileText file-text file-alt file-lines
fileImage image picture-o photo camera
fileTable table
fileData database
fileCode code
fileShell terminal
copy copy clone files-o
link link chain external-link
key key lock unlock
clock clock clock-o hourglass history
chat comment comments comment-o
menu bars list navicon
fileSettings cog cogs gear gears sliders
tool wrench tools
warning warning exclamation-triangle triangle-exclamation
error ban times-circle circle-xmark
send send paper-plane
thought lightbulb lightbulb-o
spinner spinner circle-notch
cloud cloud
hand hand hand-paper
★ star
♥ heart
⌂ home house
⚡ bolt flash
⚑ flag
♪ music
☀ sun
● circle
■ square
« backward fast-backward step-backward
» forward fast-forward step-forward
? question question-circle
i info info-circle circle-info
`;

/** By their names. */
export const MARKS = new Map(
  NAMES.trim()
    .split('\n')
    .flatMap((line) => {
      const [mark = '', ...names] = line.split(' ');
      return names.map((name) => [name, mark] as const);
    }),
);

/** What is drawn for a name: a shape, a character, or nothing. */
export type Mark = { readonly shape: IconName } | { readonly letter: string } | null;

/** The mark of `play`, also as `fa-play` and with words for its size; null for a name that has none here. */
export function markOf(icon: string): Mark {
  const names = icon.split(' ').map((name) => name.replace(/^fa-/, ''));
  const mark = names.map((name) => MARKS.get(name)).find((found) => found !== undefined);
  if (mark === undefined) return null;
  return /^[a-z]{2}/i.test(mark) ? { shape: mark as IconName } : { letter: mark };
}
