import { expect, test } from 'vitest';
import { kindOf, learnKind } from './kind';
import { factsOf, iconOf, kindOfName } from './kinds';

test('names are read as the server reads them', () => {
  expect(kindOfName('src/Dockerfile')).toBe('dockerfile');
  expect(kindOfName('Dockerfile.dev')).toBe('dockerfile');
  expect(kindOfName('Model.PY')).toBe('python');
  expect(kindOfName('a.tar.gz')).toBe('binary');
  expect(kindOfName('.gitignore')).toBe('ignore');
  expect(kindOfName('CMakeLists.txt')).toBe('cmake');
  expect(kindOfName('.py')).toBeNull();
  expect(kindOfName('unheard.of')).toBeNull();
});

test('a known ending counts before a beginning unless a dot follows that, and a notebook always is one', () => {
  const kinds = {
    'license_manager.py': 'python',
    'licenses.json': 'json',
    'LicensePlate.java': 'java',
    'LICENSE.md': 'markdown',
    'LICENSE-MIT': 'plain',
    'LICENSE.third-party': 'plain',
    'makefile_utils.py': 'python',
    'Makefile.inc': 'makefile',
    'makefile-old': 'makefile',
    'Dockerfile.py': 'dockerfile',
    'dockerfile_parser.rs': 'rust',
    '.env.json': 'properties',
    'licenses.ipynb': 'notebook',
    'dockerfile-intro.ipynb': 'notebook',
    'Dockerfile.ipynb': 'notebook',
    'makefile.IPYNB': 'notebook',
  };
  for (const [name, kind] of Object.entries(kinds)) expect(kindOfName(name), name).toBe(kind);
});

test('what the server saw in a file counts more than its name', () => {
  expect(kindOf('tools/run')).toBe('plain');
  learnKind('tools/run', 'python');
  expect(kindOf('tools/run')).toBe('python');
});

test('text has the Coding Agent, an image has none', () => {
  expect(factsOf('python')).toMatchObject({ editor: 'text', agent: 'coding', formatters: ['ruff', 'black'] });
  expect(factsOf('table').agent).toBe('coding');
  expect(factsOf('image')).toMatchObject({ editor: 'image', agent: 'none', icon: 'fileImage' });
});

test('SVG files have the icon of images', () => {
  const icons = ['pic.svg', 'photo.PNG', 'feed.xml'].map((path) => iconOf(kindOfName(path) ?? 'plain', path));
  expect(icons).toEqual(['fileImage', 'fileImage', 'fileData']);
});
