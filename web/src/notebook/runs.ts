// What a window knows of a notebook that runs: its kernel, the latest run of each cell and what it put out. Pure.
import type { CellExecution, CellOutput, NotebookKernel, OddCell, ServerFrame, WidgetModel } from '../wire/gen/types';

/** The latest run of a cell. */
export interface CellRun {
  /** Absent for outputs that were in the file. */
  readonly execution: CellExecution | null;
  /** The number that its kernel gave the run, here or wherever the file was before. */
  readonly count: number | null;
  readonly outputs: readonly CellOutput[];
}

/** All of it. */
export interface Runs {
  readonly kernel: NotebookKernel | null;
  /** By the key of the cell. */
  readonly cells: ReadonlyMap<string, CellRun>;
  /** Controls that code has made, by their ids. */
  readonly widgets: ReadonlyMap<string, WidgetModel>;
  /** Cells that are odd in the notebook's file. */
  readonly odd: readonly OddCell[];
  /** All that was there at the start has come. */
  readonly caughtUp: boolean;
  /** Cells that were named since the server began to tell; null once it is through. */
  readonly named: ReadonlySet<string> | null;
}

/** The frames that tell of it. */
export type RunFrame = Extract<
  ServerFrame,
  { type: 'notebook_kernel' | 'cell_outputs' | 'notebook_widgets' | 'notebook_odd_cells' | 'notebook_caught_up' }
>;

/** Nothing yet. */
export const noRuns: Runs = {
  kernel: null,
  cells: new Map(),
  widgets: new Map(),
  odd: [],
  caughtUp: false,
  named: new Set(),
};

/** The server begins to tell all of it once more; what is known stays until it is through. */
export function begun(runs: Runs): Runs {
  return { ...runs, odd: [], named: new Set() };
}

/** What is known after several frames. */
export function told(runs: Runs, frames: readonly RunFrame[]): Runs {
  const cells = new Map(runs.cells);
  let { kernel, widgets, odd, caughtUp, named } = runs;
  for (const frame of frames) {
    if (frame.type === 'notebook_kernel') kernel = frame.kernel;
    else if (frame.type === 'notebook_widgets') widgets = withWidgets(widgets, frame);
    else if (frame.type === 'notebook_odd_cells') odd = frame.cells;
    else if (frame.type === 'cell_outputs') {
      cells.set(frame.cell, withOutputs(cells.get(frame.cell), frame));
      if (named) named = new Set(named).add(frame.cell);
    } else {
      for (const key of [...cells.keys()]) if (named && !named.has(key)) cells.delete(key);
      [caughtUp, named] = [true, null];
    }
  }
  return { kernel, cells, widgets, odd, caughtUp, named };
}

function withWidgets(
  known: Runs['widgets'],
  { whole, models, gone }: Extract<RunFrame, { type: 'notebook_widgets' }>,
): Runs['widgets'] {
  const widgets = new Map(whole ? [] : known);
  for (const id of gone) widgets.delete(id);
  for (const model of models) widgets.set(model.id, model);
  return widgets;
}

function withOutputs(
  run: CellRun | undefined,
  { execution, count, from, outputs }: Extract<RunFrame, { type: 'cell_outputs' }>,
): CellRun {
  return {
    execution,
    count: execution?.count ?? count ?? null,
    outputs: [...(run?.outputs.slice(0, from) ?? []), ...outputs],
  };
}

/** What is known once a form of an output was read that was too large to be sent; what took its place meanwhile stays. */
export function withForm(runs: Runs, cell: string, output: CellOutput, mime: string, value: unknown): Runs {
  const run = runs.cells.get(cell);
  if (!run?.outputs.includes(output) || output.type !== 'display') return runs;
  const { [mime]: _, ...omitted } = output.omitted;
  const whole = { ...output, data: { ...output.data, [mime]: value }, omitted };
  const outputs = run.outputs.map((one) => (one === output ? whole : one));
  return { ...runs, cells: new Map(runs.cells).set(cell, { ...run, outputs }) };
}

/** Tells whether a cell runs or waits for others. */
export function isUnderWay(run: Pick<CellRun, 'execution'> | undefined): boolean {
  return run?.execution?.state === 'queued' || run?.execution?.state === 'running';
}

/** Tells whether there is something to interrupt: the kernel's work, or an answer of a model, which needs no kernel. */
export function isBusy({ kernel, cells }: Runs): boolean {
  if (kernel?.state === 'busy') return true;
  for (const run of cells.values()) if (isUnderWay(run)) return true;
  return false;
}
