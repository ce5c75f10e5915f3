/** Other words that people type for commands and actions, by the id or name. Pure. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'assistant.focus': ['ask the assistant', 'ask AI', 'focus assistant', 'copilot'],
  'assistant.stop': ['cancel answer', 'abort', 'interrupt the assistant'],
  'assistant.toggle': ['toggle side panel', 'hide side panel', 'toggle assistant', 'hide assistant'],
  'audit.open': ['audit log', 'what happened', 'undo an old action', 'log'],
  'card.accept': ['approve', 'confirm', 'yes'],
  'card.reject': ['deny', 'decline', 'no'],
  'chat.focus': ['message people', 'team chat', 'comments'],
  'doc.format': ['prettify', 'beautify', 'reformat file', 'formatter'],
  'doc.versions': ['file history', 'older versions', 'local history', 'timeline', 'restore a version'],
  // A bare verb means a file before anything else that has it.
  'file.copy': ['copy', 'duplicate'],
  'file.delete': ['delete', 'remove'],
  'file.move': ['rename', 'move'],
  'file.new': ['create file', 'add file', 'touch'],
  'file.open': ['go to file', 'quick open', 'find file'],
  'file.save': ['write file'],
  'files.focus': ['focus file tree', 'show files'],
  'files.toggle': ['toggle sidebar', 'hide sidebar', 'hide files', 'show files', 'toggle file tree'],
  'find.open': ['search in files', 'global search', 'grep', 'find text', 'search text'],
  'find.replace': ['replace everywhere', 'search and replace', 'global replace'],
  'folder.new': ['create folder', 'make directory', 'mkdir', 'add folder'],
  'guest.invite': ['add a collaborator', 'share the workspace', 'invite people', 'add somebody to the workspace'],
  'grants.open': ['API tokens', 'devices', 'sign out a device', 'access'],
  'history.open': ['past AI sessions', 'dashboard', 'AI spending', 'claude code sessions'],
  'keys.help': ['shortcuts', 'hotkeys', 'keybindings', 'help'],
  'latex.build': ['compile pdf', 'typeset', 'make pdf'],
  'latex.show_in_pdf': ['synctex', 'jump to pdf'],
  'lines.threads': ['blame', 'who changed this'],
  'model.choose': ['switch model', 'change model', 'select model', 'use another model'],
  'models.open': ['API keys', 'providers', 'ollama', 'spending limits', 'connect a model'],
  'needs_you.open': ['approvals', 'pending', 'notifications', 'inbox', 'needs you'],
  'notebook.new': ['create notebook', 'add notebook', 'ipynb', 'jupyter'],
  'pane.next': ['focus next pane', 'other pane'],
  'pane.previous': ['focus previous pane'],
  'pane.split_down': ['split editor down', 'split below', 'horizontal split'],
  'pane.split_right': ['split editor right', 'side by side', 'vertical split'],
  'policy.open': ['rules', 'policy', 'allow or deny actions'],
  'problems.next': ['next error', 'go to next problem'],
  'problems.open': ['errors', 'warnings', 'diagnostics', 'lint'],
  'problems.previous': ['previous error', 'last problem'],
  'programs.open': ['MCP servers', 'connect tools', 'claude code', 'integrations'],
  'review.accept': ['keep change', 'approve change'],
  'review.reject': ['discard change'],
  'search.open': ['search notes', 'search everything', 'full text search', 'semantic search', 'find notes'],
  'settings.open': ['preferences', 'options', 'configuration', 'font size'],
  'statistics.open': ['stats', 'how well it goes', 'usage', 'success rate', 'metrics'],
  'tab.close': ['close file', 'close this tab', 'close editor'],
  'tab.close_all': ['close everything', 'close all editors', 'close all files'],
  'tab.close_others': ['close all tabs but this', 'close all but this', 'close the others', 'close other editors'],
  'tab.new': ['launcher', 'start page', 'open new tab'],
  'tab.reopen': ['restore closed tab', 'undo close tab', 'open the last closed tab'],
  'tasks.open': ['recipes', 'timeline', 'running tasks'],
  'theme.next': ['dark mode', 'light mode', 'toggle theme', 'switch theme', 'color theme', 'appearance'],
  'thread.done': ['close thread', 'finish thread'],
  'thread.full': ['full screen', 'maximize thread', 'expand thread'],
  'thread.new': ['new chat', 'new conversation', 'start a thread'],
};

/** Verbs in front of the name of a page or a file: "open tasks" finds *Tasks*. */
const SHOWING = /^(?:open|show|go to|goto|view|switch to|see)(?: the| my)? (?=.)/i;

/** Other words for a command or an action. */
export function aliasesOf(id: string): readonly string[] {
  return ALIASES[id] ?? [];
}

/** The text without a verb of showing in front; null if there is none. */
export function withoutShowing(text: string): string | null {
  const rest = text.replace(SHOWING, '');
  return rest === text ? null : rest;
}
