import type { settings } from '../../app/config.ts'

export type FlagEntry = {
  about: string
  /** Placeholder of its value in help. A flag without one is a switch. */
  value?: string
  short?: string
  /** The value is a path of a file or folder. */
  takes?: 'file' | 'folder'
}

/**
 * Flags other than settings. Each command lists those that it accepts; the three of `everywhere` are always accepted.
 */
export const flags = {
  help: { short: 'h', about: 'Explain the program, or the command before it.' },
  version: { short: 'v', about: 'Print the version.' },
  json: { about: 'Print JSON; the default when piped, except for markdown.' },
  formats: { value: 'LIST', about: 'Formats to return, such as markdown,links.' },
  explain: { about: 'Print the steps and their reasons to stderr.' },
  limit: { value: 'N', about: 'Maximum number of results or pages.' },
  out: { value: 'PATH', takes: 'folder', about: 'Write the result to this file or folder.' },
  warc: { value: 'FILE', takes: 'file', about: 'Write everything fetched to this web archive.' },
  resume: { about: 'Continue the stopped crawl of the folder or file in --out.' },
  watch: { about: 'Print each page as it is read. With the ID of a crawl, attach to it.' },
  as: { value: 'WAY', about: 'Print the call for curl, mcp, cli, sdk or library instead of making it.' },
  schedule: { value: 'TEXT', about: 'When to check, such as "every 30 minutes", or a cron expression.' },
  timezone: { value: 'ZONE', about: 'Time zone of the schedule, such as Europe/Berlin; UTC if left out.' },
  webhook: { value: 'URL', about: 'Notify this URL of changes.' },
  crawl: { about: 'Check the pages of the whole site, not just this one.' },
  team: { value: 'TEAM', about: 'Team; by default the local one.' },
  site: { value: 'HOST', about: 'Only pages of this host.' },
  expires: { value: 'AGE', about: 'When the key stops working, such as 30d (m, h, d, w); never if left out.' },
  operations: { value: 'LIST', about: 'Operations the key may call, such as scrape,search; all if left out.' },
  concurrency: { value: 'N', about: 'Scrapes at the same time.' },
  browsers: { value: 'N', about: 'Live browser sessions at the same time; none: no limit.' },
  rate: { value: 'LIST', about: 'Calls per minute, such as 60,crawl=5; none: no limit.' },
  origin: { value: 'URL', about: 'The only site whose pages the secret is typed into.' },
  credits: { value: 'N', about: 'Credits per month; none: no limit.' },
  allow: { value: 'LIST', about: 'Options such as zeroDataRetention; none: grant none.' },
  unsandboxed: { value: 'ANSWER', about: 'Code without a strong sandbox: yes or no.' },
  disabled: { value: 'ANSWER', about: 'yes: keys are refused and jobs wait; no: they continue.' },
  privateHosts: { value: 'LIST', about: 'Private hosts to reach, e.g. 10.1.0.0/16, or none.' },
  domains: { value: 'LIST', about: 'Hosts to reach: HOST, deny:HOST, parts:HOST (no pages).' },
  secret: { value: 'TEXT', about: 'Secret that signs webhooks; new creates one; or none.' },
  yes: { short: 'y', about: 'Apply the change without confirmation.' },
  cluster: { about: 'Check all servers on the database instead.' },
  undo: { about: 'Remove the entry.' },
  olderThan: { value: 'AGE', about: 'Only pages read longer ago than this, such as 30d (m, h, d, w).' },
} as const satisfies Record<string, FlagEntry>

export type FlagKey = keyof typeof flags
export const everywhere: readonly FlagKey[] = ['help', 'version', 'json']

/** Flags of the command line other than settings. */
export type CommandFlags = {
  readonly [K in Exclude<FlagKey, 'help' | 'version'>]?:
    | ((typeof flags)[K] extends { value: string } ? string : boolean)
    | undefined
}

/** One form of a command. */
export type Form = {
  /** The word that selects the form, such as `add` in `gossamer keys add`. */
  verb?: string
  /** A word in brackets is optional, one with dots may be repeated. */
  words?: readonly string[]
  flags?: readonly FlagKey[]
  /** Required flags. */
  needs?: readonly FlagKey[]
  about?: string
}

export type CommandEntry = {
  group: 'Serve' | 'Read the web' | 'Manage' | 'Set up'
  /** One-line description. */
  about: string
  forms: readonly Form[]
  /** Further notes. */
  notes?: string
  /** Settings most often used with the command. */
  settings?: readonly (keyof typeof settings)[]
  examples: readonly string[]
}
