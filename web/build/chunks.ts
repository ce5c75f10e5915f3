// Which modules arrive together. A browser asks for six files at a time, and each file costs it and the server
// milliseconds, however small it is: so modules that are always needed together share a file. What these modules import
// comes along, unless a group further up has it.

/** Groups by name, each with the modules that begin it; the first to have a module keeps it. */
const TOGETHER: Record<string, readonly string[]> = {
  /** Whatever the window shows. */
  frame: [
    'side/Side',
    'app/Today',
    'files/FileTree',
    'files/kinds',
    'frames/layout',
    'window/follow',
    'documents/recovery',
    'documents/provider',
  ],
  /** The side, and an empty pane. */
  Assistant: ['threads/Assistant', 'threads/keep', 'ask/Launcher', 'models/NoModel'],
  FileView: ['editor/FileView'],
  // Parsers of languages need the last two.
  CodeView: ['editor/CodeView', '@lezer/lr/dist/index', 'lean/completion'],
  Notebook: ['notebook/Notebook', 'actions/LiveOutput'],
  preview: ['livePreview/preview', 'editor/markdownSource'],
};

/** The groups, as the bundler takes them. A module in none of them gets into a file with others that the same parts use. */
export const GROUPS = [
  { name: 'initial', tags: ['$initial' as const], priority: 100 },
  ...Object.entries(TOGETHER).map(([name, modules], at) => ({
    name,
    test: new RegExp(`/(${modules.join('|')})\\.(tsx?|js)$`),
    priority: 99 - at,
  })),
];
