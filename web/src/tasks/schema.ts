/**
 * Arguments as a person writes them: JSON, looked at against the action's schema while they type. Pure.
 *
 * Only what helps while writing is checked here; the server checks all of it.
 */

/** What was written, or what is wrong with it. */
export type Parsed = { readonly value: Record<string, unknown> } | { readonly problem: string };

/** Reads arguments from text. */
export function parseArguments(text: string, schema: unknown): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(value)) return { problem: 'Arguments must be an object: { "name": value }.' };
  const problem = problemOf(value, schema);
  return problem ? { problem } : { value };
}

/** The first thing that does not fit; null if nothing that is looked at here does not. */
function problemOf(value: Record<string, unknown>, schema: unknown): string | null {
  const { required, properties, additionalProperties } = isObject(schema) ? schema : {};
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && !(name in value)) return `“${name}” is missing.`;
  }
  const known = isObject(properties) ? properties : {};
  for (const [name, given] of Object.entries(value)) {
    if (!(name in known)) {
      if (additionalProperties === false)
        return `Unknown argument “${name}”. Known arguments: ${Object.keys(known).join(', ')}.`;
      continue;
    }
    const wanted = typesOf(known[name]);
    if (wanted.length > 0 && !wanted.some((type) => isOf(given, type))) {
      return `“${name}” must be ${wanted.map((type) => TYPES[type] ?? type).join(' or ')}.`;
    }
  }
  return null;
}

function typesOf(schema: unknown): string[] {
  const type = isObject(schema) ? schema.type : undefined;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each): each is string => typeof each === 'string') : [];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function isOf(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      // The rest of the schema's types are JavaScript's.
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
