import type { settings } from '../../app/config.ts'
import type { FlagKey } from './flags.ts'

/** One way to call a command. */
export type Form = {
  /** The word after the command that chooses it, such as `add` in `gossamer keys add`. */
  verb?: string
  /** A word in brackets may be left out, one with dots repeated. */
  words?: readonly string[]
  flags?: readonly FlagKey[]
  /** Flags it does not work without. */
  needs?: readonly FlagKey[]
  about?: string
}

export type CommandEntry = {
  group: 'Serve' | 'Read the web' | 'Manage' | 'Set up'
  /** One line: what the command does. */
  about: string
  forms: readonly Form[]
  /** What is worth knowing beside it. */
  notes?: string
  /** The settings it is most often used with. */
  settings?: readonly (keyof typeof settings)[]
  examples: readonly string[]
}

/** Every command. Help, shell completion and docs/command-line.md follow from it; `main.ts` says what each loads. */
export const commands = {
  stdio: {
    group: 'Serve',
    about: 'Serve MCP over stdin and stdout, as MCP clients want it.',
    forms: [{}],
    notes: 'It is the same as gossamer without a command.',
    settings: ['allowHosts', 'dataDir', 'remoteUrl', 'logLevel'],
    examples: ['gossamer', 'gossamer --allow-hosts localhost:3000'],
  },
  serve: {
    group: 'Serve',
    about: 'Serve MCP (/mcp) and REST (/v2) over HTTP.',
    forms: [{}],
    notes:
      'It listens on this machine only. On any other --host it starts once there is an API key: see gossamer keys.',
    settings: ['host', 'port', 'publicUrl', 'trustProxy', 'apiKeys', 'dataDir', 'logLevel'],
    examples: ['gossamer serve', 'gossamer serve --port 8080 --log-level info'],
  },
  scrape: {
    group: 'Read the web',
    about: 'Scrape one page.',
    forms: [{ words: ['URL', '[OPTIONS_JSON]'], flags: ['formats'] }],
    notes: 'OPTIONS_JSON holds further options of the operation scrape.',
    settings: ['allowHosts', 'browserPath', 'userAgent'],
    examples: [
      'gossamer scrape https://example.com',
      'gossamer scrape https://example.com --formats markdown,links',
      `gossamer scrape https://example.com '{"onlyMainContent": false}'`,
    ],
  },
  search: {
    group: 'Read the web',
    about: 'Search the web, and the pages you have read.',
    forms: [{ words: ['QUERY…', '[OPTIONS_JSON]'], flags: ['limit'] }],
    notes: 'OPTIONS_JSON holds further options of the operation search. Words that begin with a dash come after --.',
    settings: ['searxngUrl', 'braveKey', 'searchProviders'],
    examples: [
      'gossamer search write-ahead logging --limit 5',
      `gossamer search 'sqlite wal site:sqlite.org'`,
      'gossamer search -- jaguar -car',
    ],
  },
  crawl: {
    group: 'Read the web',
    about: 'Crawl a whole site, to files or to stdout.',
    forms: [
      { words: ['URL', '[OPTIONS_JSON]'], flags: ['limit', 'formats', 'out', 'warc'] },
      {
        words: ['[URL]'],
        flags: ['resume', 'out', 'warc'],
        needs: ['resume', 'out'],
        about: 'Continue a stopped crawl.',
      },
    ],
    notes: 'OPTIONS_JSON holds further options of the operation crawl.',
    settings: ['dataDir', 'maxConcurrency', 'crawlHostConcurrency'],
    examples: [
      'gossamer crawl https://example.com --out site',
      'gossamer crawl https://example.com/docs --limit 50 --warc docs.warc.gz',
      'gossamer crawl --resume --out site',
    ],
  },
  call: {
    group: 'Read the web',
    about: 'Run any operation.',
    forms: [{ words: ['OPERATION', '[INPUT_JSON]'] }],
    notes: 'gossamer tools lists the operations.',
    settings: ['dataDir', 'remoteUrl', 'remoteKey'],
    examples: [`gossamer call activity '{"limit": 5}'`, `gossamer call map '{"url": "https://example.com"}'`],
  },
  tools: {
    group: 'Read the web',
    about: 'List the operations, with their routes.',
    forms: [{}],
    examples: ['gossamer tools', 'gossamer tools --json'],
  },
  keys: {
    group: 'Manage',
    about: 'Manage the API keys of the HTTP server.',
    forms: [
      { verb: 'add', words: ['NAME'], flags: ['team'], about: 'Create a key and print it, this once.' },
      { verb: 'list', about: 'List the keys, without their secrets.' },
      { verb: 'revoke', words: ['NAME'], about: 'Revoke a key.' },
    ],
    notes: 'Once there is a key, every call over HTTP needs one. Without --team the name of the key is its team.',
    settings: ['dataDir', 'permissions'],
    examples: ['gossamer keys add laptop', 'gossamer keys list', 'gossamer keys revoke laptop'],
  },
  index: {
    group: 'Manage',
    about: 'Look into the local index: the pages read so far.',
    forms: [
      { about: 'Show how many pages it holds, and of which hosts.' },
      { verb: 'search', words: ['QUERY…'], flags: ['limit', 'team'], about: 'Search it, offline.' },
      { verb: 'prune', flags: ['site', 'olderThan'], about: 'Delete pages from it and from the cache.' },
    ],
    settings: ['dataDir', 'cacheMaxMb'],
    examples: [
      'gossamer index',
      `gossamer index search 'webhook retries site:docs.example.com' --limit 5`,
      'gossamer index prune --site example.com --older-than 30d',
    ],
  },
  profile: {
    group: 'Manage',
    about: 'Manage saved browser profiles: logins to use in scrapes.',
    forms: [
      { verb: 'list', flags: ['team'], about: 'List the profiles.' },
      { verb: 'show', words: ['NAME'], flags: ['team'], about: 'Show what a profile holds, without values.' },
      { verb: 'login', words: ['NAME', 'URL'], flags: ['team'], about: 'Log in using a window, and save the profile.' },
      { verb: 'import', words: ['NAME', 'FILE'], flags: ['team'], about: "Import Playwright's storage state (JSON)." },
      { verb: 'export', words: ['NAME', 'FILE'], flags: ['team'], about: 'Export it to a file, with its cookies.' },
      { verb: 'delete', words: ['NAME'], flags: ['team'], about: 'Delete a profile.' },
    ],
    settings: ['dataDir', 'profileKey'],
    examples: ['gossamer profile login work https://example.com', 'gossamer profile list'],
  },
  browser: {
    group: 'Set up',
    about: 'Install or locate the headless browser.',
    forms: [
      { verb: 'install', about: 'Install one, unless there is one.' },
      { verb: 'path', about: 'Say which ones are used.' },
    ],
    settings: ['browserPath', 'browserCdpUrl'],
    examples: ['gossamer browser path', 'gossamer browser install'],
  },
  doctor: {
    group: 'Set up',
    about: 'Check this machine and suggest fixes.',
    forms: [{}],
    notes: 'The exit code is 1 when something is broken.',
    examples: ['gossamer doctor', 'gossamer doctor --json'],
  },
  completion: {
    group: 'Set up',
    about: 'Print a completion script for your shell.',
    forms: [
      { verb: 'bash', about: 'Load it in ~/.bashrc, as the example does.' },
      { verb: 'zsh', about: 'Save it in a folder of $fpath, as _gossamer.' },
      { verb: 'fish', about: 'Save it as ~/.config/fish/completions/gossamer.fish.' },
    ],
    examples: ['eval "$(gossamer completion bash)"', 'gossamer completion zsh > _gossamer'],
  },
  help: {
    group: 'Set up',
    about: 'Explain the program, a command or a setting.',
    forms: [{ words: ['[COMMAND]'] }],
    examples: ['gossamer help crawl', 'gossamer help settings', 'gossamer help data-dir'],
  },
} as const satisfies Record<string, CommandEntry>

export type CommandName = keyof typeof commands
export const commandNames = Object.keys(commands) as CommandName[]
export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)

/** The entry as what all of them have in common. */
export const commandOf = (name: CommandName): CommandEntry => commands[name]
