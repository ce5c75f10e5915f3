/** The verb and the object of an action, in the words of a person. Pure. */
import type { ActionRecord } from '../wire/gen/types';

const VERBS: Record<string, string> = {
  'doc.read': 'Read',
  'doc.edit': 'Edit',
  'doc.format': 'Format',
  'doc.create': 'Create',
  'doc.checkpoint': 'Write',
  'doc.restore': 'Restore',
  'file.list': 'List',
  'file.read': 'Read',
  'file.create': 'Create',
  'file.upload': 'Upload',
  'file.move': 'Move',
  'file.copy': 'Copy',
  'file.delete': 'Delete',
  'file.replace': 'Replace in files',
  'shell.run': 'Run',
  'shell.output': 'Read command output',
  'latex.build': 'Build',
  'snapshot.restore': 'Undo command changes',
  'catalog.search': 'Search actions:',
  'catalog.describe': 'Look up',
  'ui.open': 'Open',
  'task.plan': 'Plan:',
};

/** Returns "Edit model.py, 2 changes": the preview's own words where there is one. */
export function titleOf(record: ActionRecord): string {
  const summary = record.preview?.summary.trim();
  if (summary) return summary;
  const { action_type } = record.envelope;
  const verb = VERBS[action_type] ?? plainVerb(action_type);
  return `${verb} ${objectOf(record)}`.trim();
}

/** `cell.insert` is said as "Cell insert" until somebody writes a better word above. */
function plainVerb(actionType: string): string {
  const words = actionType.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function objectOf(record: ActionRecord): string {
  const args = isObject(record.envelope.args) ? record.envelope.args : {};
  for (const name of ['path', 'from', 'folder', 'query', 'name', 'goal']) {
    const value = args[name] ?? record.envelope.target[name];
    if (typeof value === 'string' && value !== '') return value + linesOf(args);
  }
  return record.assessment.targets[0]?.id ?? (record.envelope.action_type === 'file.list' ? 'the workspace' : '');
}

function linesOf(args: Record<string, unknown>): string {
  const { start, end } = args;
  if (typeof start !== 'number') return '';
  return typeof end === 'number' ? `, lines ${start}–${end}` : `, from line ${start}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
