// The words of a call that a model made in an AI cell. Pure.
import type { CallPart } from './answer';

/** What a call is for, in a person's words. `place` names a cell. */
export function callWords({ name, args }: Pick<CallPart, 'name' | 'args'>, place: (cell: string) => string): string {
  const cell = () => place(text(args.cellId));
  switch (name) {
    case 'create_cell':
      return `New ${KINDS[text(args.cellType)] ?? 'code'} cell`;
    case 'modify_cell':
      return `Change ${cell()}`;
    case 'execute_cell':
      return `Run ${cell()}`;
    case 'read_cell':
      return `Read ${cell()}`;
    case 'delete_cell':
      return `Delete ${cell()}`;
    case 'move_cell':
      return `Move ${cell()}`;
    case 'interrupt_kernel':
      return 'Interrupt kernel';
    default:
      return name;
  }
}

const KINDS: Record<string, string> = { markdown: 'Markdown', ai: 'AI', sql: 'SQL' };

/** The cell that a call is about, by its id. */
export function cellIn({ args }: Pick<CallPart, 'args'>): string | null {
  return text(args.cellId) || null;
}

/** The first line of what a call writes, for the folded line. */
export function summaryOf({ args }: Pick<CallPart, 'args'>): string {
  const source = text(args.source) || text(args.content);
  const line = source.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const LONGEST = 80;

/** The arguments as a person reads them: texts as they are, the rest as JSON. */
export function argumentRows({ args }: Pick<CallPart, 'args'>): { readonly name: string; readonly value: string }[] {
  return Object.entries(args).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? ''),
  }));
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
