/** How another program is connected to this workspace over the Model Context Protocol. Pure. */

/** A way to connect: for whom, and what is run or written. */
export interface Way {
  readonly name: string;
  readonly lines: string;
}

/** Over standard input and output: the program starts `aside mcp`, which finds the running server. */
export function stdioWays(workspace: string): readonly Way[] {
  const path = quoted(workspace);
  return [
    { name: 'Claude Code', lines: `claude mcp add aside -- aside mcp --workspace ${path}` },
    {
      name: 'Codex, in ~/.codex/config.toml',
      lines: `[mcp_servers.aside]\ncommand = "aside"\nargs = ["mcp", "--workspace", ${JSON.stringify(workspace)}]`,
    },
    {
      name: 'Others, as JSON',
      lines: JSON.stringify(
        { mcpServers: { aside: { command: 'aside', args: ['mcp', '--workspace', workspace] } } },
        null,
        2,
      ),
    },
  ];
}

/** Over HTTP, with a token of its own. Until there is one its place is shown. */
export function httpWays(base: string, token: string | null): readonly Way[] {
  const url = `${base}mcp`;
  const bearer = `Authorization: Bearer ${token ?? 'TOKEN'}`;
  return [
    { name: 'Claude Code', lines: `claude mcp add --transport http aside ${url} --header ${quoted(bearer)}` },
    {
      name: 'Others, as JSON',
      lines: JSON.stringify(
        { mcpServers: { aside: { type: 'http', url, headers: { Authorization: `Bearer ${token ?? 'TOKEN'}` } } } },
        null,
        2,
      ),
    },
  ];
}

/** One word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
