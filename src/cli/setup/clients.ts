import { posix, win32 } from 'node:path'

/** Facts that determine the location of config files. */
export type Machine = {
  platform: NodeJS.Platform
  home: string
  env: Readonly<Record<string, string | undefined>>
}

export type Client = {
  title: string
  /** JSON with comments only if the client supports them. */
  format: 'json' | 'jsonc' | 'toml'
  /** The key that contains the servers. */
  key: string
  /** The user-level file, for all projects. */
  file(machine: Machine): string
  /** Fields of an entry before and after command, arguments and environment. */
  extras?: { before?: object; after?: object }
  /** Next step of the user once the file is written. */
  next: string
}

/** Clients that `gossamer setup` configures. The snippets in README and docs are generated from this table. */
export const clients = {
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    key: 'mcpServers',
    file: (machine) => inAppData(machine, 'Claude', 'claude_desktop_config.json'),
    next: 'Quit Claude Desktop and start it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    file: (machine) => at(machine, machine.env['CLAUDE_CONFIG_DIR'] || machine.home, '.claude.json'),
    extras: { before: { type: 'stdio' } },
    next: 'Start a new session; /mcp lists the server.',
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    key: 'mcpServers',
    file: (machine) => at(machine, machine.home, '.cursor', 'mcp.json'),
    next: 'Cursor shows the server under Settings, MCP.',
  },
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    key: 'servers',
    file: (machine) => inAppData(machine, 'Code', 'User', 'mcp.json'),
    extras: { before: { type: 'stdio' } },
    next: 'Run "MCP: List Servers" in VS Code to start it.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    file: (machine) => at(machine, machine.env['CODEX_HOME'] || at(machine, machine.home, '.codex'), 'config.toml'),
    // Its default limit of a minute is shorter than a crawl or an agent may take.
    extras: { after: { tool_timeout_sec: 300 } },
    next: 'Start a new session; /mcp lists the server.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    key: 'mcpServers',
    file: (machine) => at(machine, machine.home, '.gemini', 'settings.json'),
    next: 'Start a new session; /mcp lists the server.',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    key: 'mcpServers',
    file: (machine) => at(machine, machine.home, '.codeium', 'windsurf', 'mcp_config.json'),
    next: 'Refresh the MCP servers of Cascade.',
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    key: 'context_servers',
    file: (machine) =>
      machine.platform === 'darwin'
        ? at(machine, machine.home, '.config', 'zed', 'settings.json')
        : inAppData(machine, machine.platform === 'win32' ? 'Zed' : 'zed', 'settings.json'),
    next: 'Zed shows the server in the settings of its agent panel.',
  },
} as const satisfies Record<string, Client>

export type ClientName = keyof typeof clients
export const clientNames = Object.keys(clients) as ClientName[]
export const clientOf = (name: ClientName): Client => clients[name]

const at = ({ platform }: Machine, ...parts: string[]) => (platform === 'win32' ? win32 : posix).join(...parts)

/** The folder for the user's settings of programs. */
function inAppData(machine: Machine, ...parts: string[]): string {
  const { platform, home, env } = machine
  if (platform === 'win32') return at(machine, env['APPDATA'] || at(machine, home, 'AppData', 'Roaming'), ...parts)
  if (platform === 'darwin') return at(machine, home, 'Library', 'Application Support', ...parts)
  return at(machine, env['XDG_CONFIG_HOME'] || at(machine, home, '.config'), ...parts)
}
