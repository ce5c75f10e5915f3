// Controls that follow one another in the window (`jslink`, `jsdlink`): no code runs for it. Pure.
import type { WidgetModel } from '../../wire/gen/types';
import { kindOf } from './model';

/** A part of a control's state. */
export interface End {
  readonly widget: string;
  readonly name: string;
}

/** What else becomes the same when a person changes a part of a control: what follows it, and what follows that. */
export function followersOf(models: ReadonlyMap<string, WidgetModel>, changed: End): End[] {
  const links = [...models.values()].flatMap(linkIn);
  const found: End[] = [];
  const reached = [changed];
  for (const from of reached) {
    for (const { source, target, both } of links) {
      const to = same(source, from) ? target : both && same(target, from) ? source : null;
      if (to === null || reached.some((end) => same(end, to))) continue;
      reached.push(to);
      found.push(to);
    }
  }
  return found;
}

interface Link {
  readonly source: End;
  readonly target: End;
  readonly both: boolean;
}

function linkIn(model: WidgetModel): Link[] {
  const kind = kindOf(model);
  if (kind !== 'LinkModel' && kind !== 'DirectionalLinkModel') return [];
  const [source, target] = [endIn(model.state.source), endIn(model.state.target)];
  return source && target ? [{ source, target, both: kind === 'LinkModel' }] : [];
}

function endIn(value: unknown): End | null {
  if (!Array.isArray(value)) return null;
  const [widget, name] = value as unknown[];
  if (typeof widget !== 'string' || typeof name !== 'string' || !widget.startsWith(MARK)) return null;
  return { widget: widget.slice(MARK.length), name };
}

const MARK = 'IPY_MODEL_';

const same = (one: End, other: End) => one.widget === other.widget && one.name === other.name;
