// The conformance suite imports `globSync` from `fs`, which Node has from version 22, for a command that is not used
// here. With an older Node a stand-in is given to it, and to nothing else.
import * as fs from 'node:fs';
import { register } from 'node:module';

const standIn = `export * from 'node:fs'; export function globSync() { throw new Error('needs Node 22'); }`;
const hooks = `
const standIn = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(standIn)});
export function resolve(specifier, context, next) {
  const suite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  return suite && specifier === 'fs' ? { url: standIn, shortCircuit: true } : next(specifier, context);
}`;
if (!fs.globSync) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
