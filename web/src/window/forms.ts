// Forms on pages that somebody has begun to fill in. What was typed is nowhere else, so an action leaves their tabs open.
type Field = HTMLInputElement | HTMLTextAreaElement;

const typed = new WeakSet<Field>();

window.addEventListener(
  'input',
  ({ target }) => {
    if (isField(target)) typed.add(target);
  },
  { capture: true, passive: true },
);

/** Tells whether a tab shows a form that holds text which somebody typed and has not sent. */
export function isBeingFilled(tab: string): boolean {
  const panel = document.getElementById(`panel-${tab}`);
  return [...(panel?.querySelectorAll<Field>('input, textarea') ?? [])].some(
    (field) => typed.has(field) && field.value !== '',
  );
}

/** A search is no draft. */
function isField(target: EventTarget | null): target is Field {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && ['text', 'url', 'email', 'number', 'password'].includes(target.type);
}
