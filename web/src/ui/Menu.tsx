import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { keyLabel } from '../app/keymap';
import { Button, IconButton } from './Button';
import type { IconName } from './Icon';
import styles from './Menu.module.css';
import { join } from './names';
import { afterPress } from './pressed';
import row from './Row.module.css';

/** One thing to choose. */
export interface MenuItem {
  label: string;
  /** Tells it from others with the same label. */
  id?: string;
  run(): void;
  /** The key that does the same, for people to learn it. */
  key?: string;
  disabled?: boolean;
}

interface MenuProps {
  icon: IconName;
  /** What it holds: the accessible name, and the tip of a shape alone. */
  label: string;
  /** Words on the button; only the shape without them. */
  words?: string;
  items: readonly MenuItem[];
}

/** A button with a list of things to do: arrows walk it, Escape closes it, a press elsewhere too. */
export function Menu({ icon, label, words, items }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  /** A press on the button closes the list before it becomes a click. */
  const wasOpen = useRef(false);
  const close = (back: boolean) => {
    setOpen(false);
    if (back) button.current?.focus();
  };
  const attributes = {
    ref: button,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onPointerDown: () => {
      wasOpen.current = open;
    },
    onClick: () => {
      setOpen(!wasOpen.current);
      wasOpen.current = false;
    },
  };
  return (
    <>
      {words === undefined ? (
        <IconButton icon={icon} label={label} {...attributes} />
      ) : (
        <Button look="quiet" icon={icon} aria-label={label} title={label} {...attributes}>
          {words}
        </Button>
      )}
      {open && <List id={id} label={label} items={items} opener={button.current} onClose={close} />}
    </>
  );
}

/** What the list stands beside: a button, or a place in a text. */
export interface Opener {
  getBoundingClientRect(): Pick<DOMRect, 'left' | 'top' | 'bottom'>;
}

interface ListProps {
  id?: string;
  label: string;
  items: readonly MenuItem[];
  opener: Opener | null;
  onClose(back: boolean): void;
}

/** The list alone; `onClose` says whether the focus goes back to where it was. */
export function List({ id, label, items, opener, onClose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const closing = useRef(onClose);
  closing.current = onClose;
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const onToggle = (event: Event) => (event as ToggleEvent).newState === 'closed' && closing.current(false);
    element.addEventListener('toggle', onToggle);
    const unshow = afterPress(() => {
      element.showPopover();
      place(element, opener);
      element.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus();
    });
    return () => {
      unshow();
      element.removeEventListener('toggle', onToggle);
    };
  }, [opener]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose(true);
    } else walk(event);
  };
  return (
    <div ref={list} id={id} popover="auto" role="menu" aria-label={label} className={styles.list} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.id ?? item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={item.disabled}
          className={join(row.row, styles.item)}
          onClick={() => {
            onClose(true);
            item.run();
          }}
        >
          <span>{item.label}</span>
          {item.key && <kbd>{keyLabel(item.key)}</kbd>}
        </button>
      ))}
    </div>
  );
}

/** Under its button, or above it where there is no room; within the window. */
function place(element: HTMLElement, opener: Opener | null): void {
  const button = opener?.getBoundingClientRect();
  if (!button) return;
  const { width, height } = element.getBoundingClientRect();
  const below = button.bottom + 2 + height <= window.innerHeight;
  element.style.top = `${Math.max(4, below ? button.bottom + 2 : button.top - 2 - height)}px`;
  element.style.left = `${Math.max(4, Math.min(button.left, window.innerWidth - width - 4))}px`;
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
