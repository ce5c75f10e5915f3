/** The raw output of a planner: what a model answered, step by step. Pure. */
import type { StepView } from '../threads/events';
import type { StepStop, ThreadEvent, ToolCall, TurnId } from '../wire/gen/types';

/** One answer of the model. */
export interface PlannedStep {
  readonly step: number;
  readonly text: string;
  readonly thinking?: string;
  readonly calls: readonly ToolCall[];
  readonly stop: StepStop['kind'];
}

/** The answers in some turns, in order. */
export function plannedIn(events: readonly ThreadEvent[], turns: readonly TurnId[]): PlannedStep[] {
  return events.flatMap(({ body }) => {
    if (body.type !== 'step_ended' || !turns.includes(body.turn)) return [];
    const { step, text, thinking, calls, stop } = body;
    return [{ step, text, ...(thinking !== '' && { thinking }), calls, stop: stop.kind }];
  });
}

/** The answer of a step that is over; null while the model answers. */
export function plannedOf({ step, text, thinking, calls, stop }: StepView): PlannedStep | null {
  if (stop === null || step === 0) return null;
  const thought = thinking.text;
  const made = calls.map(({ call }) => call);
  return { step, text: text.text, ...(thought !== '' && { thinking: thought }), calls: made, stop: stop.kind };
}
