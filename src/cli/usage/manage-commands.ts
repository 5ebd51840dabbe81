import { type CommandEntry, termFlags } from './command-flags.ts'

/** Commands that manage stored data: keys, teams, pages, data, profiles. */
export const manageCommands = {
  keys: {
    group: 'Manage',
    about: 'Manage the API keys of the HTTP server.',
    forms: [
      { verb: 'add', words: ['NAME'], flags: ['team', 'expires'], about: 'Create a key and print it, this once.' },
      { verb: 'list', about: 'List the keys, and when each was last used.' },
      { verb: 'revoke', words: ['NAME'], about: 'Revoke a key.' },
    ],
    notes: 'Once there is a key, every call over HTTP needs one. Without --team the name of the key is its team.',
    settings: ['dataDir', 'permissions'],
    examples: [
      'gossamer keys add laptop',
      'gossamer keys add agent --team acme --expires 30d',
      'gossamer keys list',
      'gossamer keys revoke laptop',
    ],
  },
  teams: {
    group: 'Manage',
    about: 'Manage what the teams of the HTTP server may use.',
    forms: [
      { verb: 'add', words: ['TEAM'], flags: termFlags, about: 'Give a team terms of its own.' },
      { verb: 'set', words: ['TEAM'], flags: termFlags, about: 'Change some of them.' },
      { verb: 'list', about: 'List the teams that have such terms.' },
      { verb: 'show', words: ['TEAM'], about: 'Show those of one team.' },
      { verb: 'remove', words: ['TEAM'], about: 'Remove a team and revoke its keys.' },
    ],
    notes:
      'What is not set, or set to default, is as in the settings; none lifts a limit, or clears a list or the secret.',
    settings: ['dataDir'],
    examples: [
      'gossamer teams add acme --concurrency 4 --rate 60 --credits 1000',
      'gossamer teams set acme --credits none --secret new',
      'gossamer teams list',
    ],
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
  db: {
    group: 'Manage',
    about: 'Move the data between a folder and a PostgreSQL database.',
    forms: [
      { verb: 'copy', words: ['FROM', 'TO'], about: 'Copy all data; each place is a folder or a postgres:// URL.' },
    ],
    notes: 'TO has to be empty, and no program may work on either. Browser profiles stay in their folder.',
    settings: ['dataDir', 'databaseUrl'],
    examples: ['gossamer db copy ~/.local/share/gossamer "$GOSSAMER_DATABASE_URL"'],
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
} as const satisfies Record<string, CommandEntry>
