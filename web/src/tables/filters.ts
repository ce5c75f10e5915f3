// The filters of a table as they are typed, and the view that the server is asked for. Pure.
import type { TableOrder, TableView } from '../wire/gen/types';

/** The filters of a table: of each column by its number, and of all. */
export interface Filters {
  readonly anywhere: string;
  readonly columns: Readonly<Record<number, string>>;
}

/** No filter. */
export const UNFILTERED: Filters = { anywhere: '', columns: {} };

/** The view of a table with these filters, without those that let everything through. */
export function viewOf(header: boolean | null, order: TableOrder | null, { anywhere, columns }: Filters): TableView {
  const filters = Object.entries(columns)
    .filter(([, text]) => text.trim() !== '')
    .map(([column, text]) => ({ column: Number(column), text }));
  return {
    ...(header === null ? {} : { header }),
    ...(order === null ? {} : { order }),
    ...(anywhere.trim() === '' ? {} : { anywhere }),
    ...(filters.length === 0 ? {} : { filters }),
  };
}
