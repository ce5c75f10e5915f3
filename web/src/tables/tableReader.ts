// The rows of a table on the server, read in blocks as they come into sight.
import type { Failure, TableColumn, TableRows, TableView } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';

/** Facts about a table: all of an answer but its rows. */
export type TableFacts = Omit<TableRows, 'rows' | 'columns'> & { readonly columns: readonly TableColumn[] };

/** Rows and columns of a block. */
export const ROWS = 100;
export const COLUMNS = 64;
/** Blocks that are kept; those that were not read for the longest make room. */
const MOST_BLOCKS = 200;
/** Milliseconds between two questions for the progress of the server. */
const AGAIN = 200;

/** A part of the table: some fields of some rows. */
interface Block {
  readonly rows: TableRows['rows'];
  /** Rows of the table when it was read: there may be more of them in this block by now. */
  readonly count: number;
}

/** The rows and columns in sight: from the first up to, not including, the last. */
export interface Sight {
  readonly first: number;
  readonly end: number;
  readonly left: number;
  readonly right: number;
}

/** Reads one view of a table. */
export class TableReader {
  facts: TableFacts | null = null;
  failure: Failure | null = null;
  private readonly blocks = new Map<string, Block>();
  private sight: Sight = { first: 0, end: 1, left: 0, right: 1 };
  private readonly giveUp = new AbortController();
  private reading = false;
  private stale = true;
  private retried = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly path: string,
    readonly view: TableView,
    private readonly changed: () => void,
  ) {}

  /** There are rows to show, or it is certain that there are none. */
  get ready(): boolean {
    return this.failure !== null || (this.facts !== null && (this.facts.work === 1 || this.facts.count > 0));
  }

  /** The number of a row in the file, from 0; none while it is read. */
  numberOf(place: number): number | undefined {
    const block = this.blocks.get(keyOf(place, this.sight.left)) ?? this.blocks.get(keyOf(place, 0));
    return block?.rows[place % ROWS]?.row;
  }

  /** The text of a field; none while it is read. */
  field(place: number, column: number): string | undefined {
    const row = this.blocks.get(keyOf(place, column))?.rows[place % ROWS];
    return row && (row.fields[column % COLUMNS] ?? '');
  }

  /** Reads what is in sight now. */
  want(sight: Sight): void {
    this.sight = sight;
    void this.read();
  }

  /** Looks whether the file has changed. */
  refresh(): void {
    this.stale = true;
    void this.read();
  }

  /** Ends all reading. */
  close(): void {
    this.giveUp.abort();
    clearTimeout(this.timer);
  }

  /** Reads missing blocks one after the other, the ones in sight now first. */
  private async read(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    clearTimeout(this.timer);
    for (;;) {
      const next = this.missing();
      if (!next || this.giveUp.signal.aborted) break;
      this.stale = false;
      if (!(await this.readBlock(next.row, next.column))) break;
    }
    this.reading = false;
    const isWorking = this.facts !== null && (this.facts.work < 1 || this.facts.progress < 1);
    if (!isWorking || this.giveUp.signal.aborted || this.failure) return;
    this.timer = setTimeout(() => this.refresh(), AGAIN);
  }

  private missing(): { row: number; column: number } | null {
    const { first, end, left, right } = this.sight;
    const count = this.facts?.count ?? 0;
    const columns = this.facts?.columns.length ?? 1;
    const top = Math.floor(first / ROWS) * ROWS;
    const side = Math.floor(left / COLUMNS) * COLUMNS;
    for (let row = top; row < Math.min(end, count); row += ROWS) {
      for (let column = side; column < Math.min(right, columns); column += COLUMNS) {
        const block = this.blocks.get(keyOf(row, column));
        if (!block || (block.rows.length < ROWS && block.count < count)) return { row, column };
      }
    }
    return this.stale ? { row: top, column: side } : null;
  }

  private async readBlock(row: number, column: number): Promise<boolean> {
    const { path, view, facts } = this;
    const known = facts ? { known: facts.version } : {};
    const body = { path, view, from: row, rows: ROWS, first: column, last: column + COLUMNS, ...known };
    try {
      const { rows, columns, ...answer } = await request<TableRows>('POST', 'tables/rows', body, this.giveUp.signal);
      if (columns) this.blocks.clear();
      this.facts = { ...answer, columns: columns ?? facts?.columns ?? [] };
      this.keep(keyOf(row, column), { rows, count: answer.count });
      this.failure = null;
      this.retried = false;
    } catch (error) {
      if (this.giveUp.signal.aborted) return false;
      const failure = failureOf(error);
      // Another program writes the file: once more, then the person is told.
      if (failure.code === 'changed' && !this.retried) {
        this.retried = true;
        this.stale = true;
        return true;
      }
      this.failure = failure;
    }
    this.changed();
    return this.failure === null;
  }

  private keep(key: string, block: Block): void {
    this.blocks.delete(key);
    this.blocks.set(key, block);
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= MOST_BLOCKS) return;
      this.blocks.delete(oldest);
    }
  }
}

const keyOf = (row: number, column: number): string => `${Math.floor(row / ROWS)}:${Math.floor(column / COLUMNS)}`;
