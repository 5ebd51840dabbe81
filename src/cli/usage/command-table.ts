import { clientNames, clientOf } from '../setup/clients.ts'
import type { CommandEntry } from './command-flags.ts'

/** Terms of a team that can be set with a new key, because they limit what it may do. */
const limitFlags = ['credits', 'domains'] as const

/** Flags that set the terms of a team. */
const termFlags = [
  'concurrency',
  'browsers',
  'rate',
  'credits',
  'allow',
  'unsandboxed',
  'disabled',
  'privateHosts',
  'domains',
  'secret',
] as const

/** Commands that manage stored data: keys, teams, pages, data, profiles. */
const manageCommands = {
  keys: {
    group: 'Manage',
    about: 'Manage the API keys of the HTTP server.',
    forms: [
      {
        verb: 'add',
        words: ['NAME'],
        flags: ['team', 'expires', 'operations', ...limitFlags],
        about: 'Create a key and print it once.',
      },
      { verb: 'list', about: 'List the keys, and when each was last used.' },
      { verb: 'revoke', words: ['NAME'], about: 'Revoke a key.' },
    ],
    notes:
      'Once there is a key, every call over HTTP needs one. Without --team the name of the key is its team. With --read-only it allows only calls that change nothing. --credits and --domains need a team that has only this key.',
    settings: ['dataDir', 'permissions', 'readOnly'],
    examples: [
      'gossamer keys add laptop',
      'gossamer keys add agent --team acme --expires 30d',
      'gossamer keys add reader --read-only --operations scrape,search',
      'gossamer keys add shopper --domains shop.example.com --credits 500',
      'gossamer keys list',
      'gossamer keys revoke laptop',
    ],
  },
  teams: {
    group: 'Manage',
    about: 'Manage what the teams of the HTTP server may use.',
    forms: [
      { verb: 'add', words: ['TEAM'], flags: termFlags, about: 'Set limits for a team.' },
      { verb: 'set', words: ['TEAM'], flags: termFlags, about: 'Change limits of a team.' },
      { verb: 'list', about: 'List the teams with limits.' },
      { verb: 'show', words: ['TEAM'], about: 'Show the limits of a team.' },
      { verb: 'secret', words: ['TEAM'], about: 'Show the webhook secret that the server derives for a team.' },
      { verb: 'remove', words: ['TEAM'], about: 'Remove a team, its keys, jobs and monitors.' },
    ],
    notes: '`default` resets a limit to the settings; `none` removes it, or clears a list.',
    settings: ['dataDir', 'webhookSecret'],
    examples: ['gossamer teams add acme --rate 60 --credits 1000 --secret new'],
  },
  index: {
    group: 'Manage',
    about: 'Show and search the local index of pages read so far.',
    forms: [
      { about: 'Show how many pages of each host it has.' },
      { verb: 'search', words: ['QUERY…'], flags: ['limit', 'team'], about: 'Search the index, offline.' },
      { verb: 'prune', flags: ['site', 'olderThan'], about: 'Delete pages from the index and the cache.' },
    ],
    settings: ['dataDir', 'cacheMaxMb'],
    examples: [
      'gossamer index',
      `gossamer index search 'webhook retries site:docs.example.com' --limit 5`,
      'gossamer index prune --site example.com --older-than 30d',
    ],
  },
  db: {
    group: 'Manage',
    about: 'Copy the data between a folder and a PostgreSQL database.',
    forms: [
      { verb: 'copy', words: ['FROM', 'TO'], about: 'Copy all data; each place is a folder or a postgres:// URL.' },
    ],
    notes: 'TO must be empty. No other program may use FROM or TO meanwhile. Browser profiles are not copied.',
    settings: ['dataDir', 'databaseUrl'],
    examples: ['gossamer db copy ~/.local/share/gossamer "$GOSSAMER_DATABASE_URL"'],
  },
  secrets: {
    group: 'Manage',
    about: 'Manage secrets that agents type by name and never see.',
    forms: [
      {
        verb: 'add',
        words: ['NAME'],
        flags: ['origin', 'team'],
        needs: ['origin'],
        about: 'Store the text on stdin as a secret.',
      },
      { verb: 'list', flags: ['team'], about: 'List the secrets with their origins.' },
      { verb: 'remove', words: ['NAME'], flags: ['team'], about: 'Remove a secret.' },
    ],
    notes:
      'In browser_act and session code, {{secret:NAME}} stands for the secret, which is typed in its place. GOSSAMER_PROFILE_KEY encrypts what is stored.',
    settings: ['dataDir', 'profileKey'],
    examples: [
      'echo "$SHOP_PASSWORD" | gossamer secrets add shop-password --origin https://shop.example.com',
      'gossamer secrets list',
    ],
  },
  profile: {
    group: 'Manage',
    about: 'Manage saved browser profiles: logins to use in scrapes.',
    forms: [
      { verb: 'list', flags: ['team'], about: 'List the profiles.' },
      { verb: 'show', words: ['NAME'], flags: ['team'], about: 'Show the contents of a profile, without values.' },
      { verb: 'login', words: ['NAME', 'URL'], flags: ['team'], about: 'Log in using a window, and save the profile.' },
      { verb: 'import', words: ['NAME', 'FILE'], flags: ['team'], about: "Import Playwright's storage state (JSON)." },
      { verb: 'export', words: ['NAME', 'FILE'], flags: ['team'], about: 'Export a profile, cookies included.' },
      { verb: 'delete', words: ['NAME'], flags: ['team'], about: 'Delete a profile.' },
    ],
    settings: ['dataDir', 'profileKey'],
    examples: ['gossamer profile login work https://example.com', 'gossamer profile list'],
  },
} as const satisfies Record<string, CommandEntry>

/**
 * Every command. Help, shell completion and docs/command-line.md are generated from it; `load-command.ts` loads the
 * code of each.
 */
const commands = {
  stdio: {
    group: 'Serve',
    about: 'Serve MCP over stdin and stdout, as MCP clients expect.',
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
      'By default it accepts calls of this machine only. With another --host it starts only if there is an API key: see gossamer keys.',
    settings: ['host', 'port', 'publicUrl', 'trustProxy', 'apiKeys', 'dataDir', 'databaseUrl', 'logLevel'],
    examples: ['gossamer serve', 'gossamer serve --port 8080 --log-level info'],
  },
  scrape: {
    group: 'Read the web',
    about: 'Scrape one page.',
    forms: [{ words: ['URL', '[OPTIONS_JSON]'], flags: ['formats', 'out', 'explain'] }],
    notes:
      'Prints the markdown of the page, or JSON if other formats are requested. OPTIONS_JSON holds further options of the operation scrape.',
    settings: ['allowHosts', 'browserPath', 'userAgent'],
    examples: [
      'gossamer scrape https://example.com',
      'gossamer scrape https://example.com --formats markdown,links',
      'gossamer scrape https://example.com --out page.md',
      'gossamer scrape https://example.com --explain',
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
  agent: {
    group: 'Read the web',
    about: 'Answer a question from the web, with sources.',
    forms: [{ words: ['QUESTION…', '[OPTIONS_JSON]'] }],
    notes:
      'OPTIONS_JSON holds further options of the operation agent, such as schema, urls and maxPages. The command waits up to five minutes, then prints the id of the job. gossamer call extract_status continues the job and shows its answer.',
    settings: ['model', 'modelUrl', 'searchProviders'],
    examples: [
      'gossamer agent who maintains sqlite',
      `gossamer agent 'price of the lamp' '{"urls": ["https://example.com"], "maxPages": 5}'`,
    ],
  },
  crawl: {
    group: 'Read the web',
    about: 'Crawl a whole site, to files or to stdout.',
    forms: [
      { words: ['URL', '[OPTIONS_JSON]'], flags: ['limit', 'formats', 'out', 'warc', 'watch', 'explain'] },
      {
        words: ['[URL]'],
        flags: ['resume', 'out', 'warc', 'watch', 'explain'],
        needs: ['resume', 'out'],
        about: 'Continue a stopped crawl.',
      },
      {
        words: ['ID'],
        flags: ['watch', 'explain'],
        needs: ['watch'],
        about: 'Attach to a running crawl, and show its pages.',
      },
    ],
    notes:
      'With --out each page becomes a markdown file in a folder, or a row of one file that ends in .csv or .jsonl. OPTIONS_JSON holds further options of the operation crawl.',
    settings: ['dataDir', 'maxConcurrency', 'crawlHostConcurrency'],
    examples: [
      'gossamer crawl https://example.com --out site',
      'gossamer crawl https://example.com --out pages.csv',
      'gossamer crawl https://example.com/docs --limit 50 --warc docs.warc.gz',
      'gossamer crawl https://example.com --limit 1 --explain',
      'gossamer crawl --resume --out site',
      'gossamer crawl https://example.com --watch',
    ],
  },
  llmstxt: {
    group: 'Read the web',
    about: 'Write the llms.txt of a site.',
    forms: [{ words: ['URL', '[OPTIONS_JSON]'], flags: ['limit', 'out'] }],
    notes:
      'With --out it writes llms.txt and llms-full.txt. OPTIONS_JSON holds further options of the operation llmstxt.',
    settings: ['allowHosts', 'model', 'modelUrl'],
    examples: [
      'gossamer llmstxt https://example.com --limit 20',
      'gossamer llmstxt https://example.com/docs/ --out site',
    ],
  },
  monitor: {
    group: 'Read the web',
    about: 'Check pages for changes on a schedule.',
    forms: [
      {
        verb: 'create',
        words: ['URL…', '[OPTIONS_JSON]'],
        flags: ['schedule', 'timezone', 'webhook', 'crawl'],
        needs: ['schedule'],
        about: 'Create a monitor.',
      },
      { verb: 'list', about: 'List the monitors.' },
      { verb: 'get', words: ['ID', '[CHECK_ID]'], about: 'Show a monitor and its checks, or one check.' },
      { verb: 'update', words: ['ID', 'OPTIONS_JSON'], about: 'Change or pause a monitor.' },
      { verb: 'run', words: ['ID'], about: 'Check now, and show the changes.' },
      { verb: 'delete', words: ['ID'], about: 'Delete a monitor and its checks.' },
    ],
    notes: 'gossamer serve runs the checks on schedule. OPTIONS_JSON holds further arguments of the tool monitor.',
    settings: ['dataDir', 'webhookSecret'],
    examples: [
      `gossamer monitor create https://example.com --schedule 'every 30 minutes'`,
      `gossamer monitor create https://example.com/docs --crawl --schedule 'weekdays at 9:00' --timezone Europe/Berlin`,
      'gossamer monitor list',
    ],
  },
  call: {
    group: 'Read the web',
    about: 'Run any operation or tool.',
    forms: [{ words: ['OPERATION', '[INPUT_JSON]'], flags: ['as'] }],
    notes:
      'gossamer tools lists the operations, and the tools that combine several, such as usage. --as prints the variable GOSSAMER_API_KEY instead of a key.',
    settings: ['dataDir', 'remoteUrl', 'remoteKey'],
    examples: [
      `gossamer call activity '{"limit": 5}'`,
      `gossamer call map '{"url": "https://example.com"}'`,
      `gossamer call map '{"url": "https://example.com"}' --as curl`,
    ],
  },
  ask: {
    group: 'Read the web',
    about: 'Ask why a job failed, and how to fix it.',
    forms: [{ words: ['QUESTION…', '[OPTIONS_JSON]'] }],
    notes:
      'It examines the jobs of the last 24 hours, and tries out a fix if that only requires reading a page. OPTIONS_JSON holds further options of the operation support_ask.',
    settings: ['dataDir', 'remoteUrl', 'remoteKey'],
    examples: [
      'gossamer ask "Why did my scrape of https://example.com/shop time out?"',
      `gossamer ask 'Why is it empty?' '{"jobId": "123e4567-e89b-12d3-a456-426614174000"}'`,
    ],
  },
  tools: {
    group: 'Read the web',
    about: 'List the operations, with their routes.',
    notes: 'The setting --tools selects the tools that agents see.',
    forms: [{}],
    examples: ['gossamer tools', 'gossamer tools --json'],
  },
  ...manageCommands,
  try: {
    group: 'Set up',
    about: 'Demo: start the server, read a page, show the next steps.',
    forms: [{ words: ['[URL]'] }],
    notes:
      'It starts the server as a client does and scrapes URL through it; without URL, a built-in page. Nothing is stored.',
    settings: ['allowHosts', 'tools'],
    examples: ['gossamer try', 'gossamer try https://example.com'],
  },
  setup: {
    group: 'Set up',
    about: 'Add the server to the config of an MCP client.',
    forms: [
      { about: 'List the clients and their configs.' },
      ...clientNames.map((verb) => ({
        verb,
        flags: ['yes', 'undo'] as const,
        about: `Add it to ${clientOf(verb).title}.`,
      })),
    ],
    notes:
      'It shows the change and asks for confirmation. The original file is kept next to it, and --undo removes the entry. Flags such as --allow-hosts become part of the entry.',
    examples: [
      'gossamer setup',
      'gossamer setup claude-desktop',
      'gossamer setup cursor --allow-hosts localhost:3000',
      'gossamer setup codex --undo',
    ],
  },
  browser: {
    group: 'Set up',
    about: 'Install or locate the headless browser.',
    forms: [
      { verb: 'install', about: 'Install a browser, unless there is one.' },
      { verb: 'path', about: 'Print the browsers that are used.' },
    ],
    settings: ['browserPath', 'browserCdpUrl'],
    examples: ['gossamer browser path', 'gossamer browser install'],
  },
  doctor: {
    group: 'Set up',
    about: 'Check this machine, or all servers, and suggest fixes.',
    forms: [{ flags: ['cluster'] }],
    notes: 'The exit code is 1 if a check fails.',
    settings: ['databaseUrl', 'objectsUrl', 'nodeSecret'],
    examples: ['gossamer doctor', 'gossamer doctor --json', 'gossamer doctor --cluster'],
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

/** Returns the entry of a command, in the type that all entries share. */
export const commandOf = (name: CommandName): CommandEntry => commands[name]
