export type FlagEntry = {
  about: string
  /** What its value is called in help. A flag without one is a switch. */
  value?: string
  short?: string
  /** It names a file or a folder. */
  takes?: 'file' | 'folder'
}

/** Flags that are no settings. Each command says which of them it takes; it takes the three of `everywhere` anyway. */
export const flags = {
  help: { short: 'h', about: 'Explain the program, or the command before it.' },
  version: { short: 'v', about: 'Print the version.' },
  json: { about: 'Print JSON on a terminal too; it is the default when piped.' },
  formats: { value: 'LIST', about: 'Formats to return, such as markdown,links.' },
  limit: { value: 'N', about: 'At most this many results or pages.' },
  out: { value: 'DIR', takes: 'folder', about: 'Write one markdown file per page to this folder.' },
  warc: { value: 'FILE', takes: 'file', about: 'Write everything fetched to this web archive.' },
  resume: { about: 'Continue the stopped crawl of the folder in --out.' },
  team: { value: 'TEAM', about: 'The team that is meant; the local one if left out.' },
  site: { value: 'HOST', about: 'Only pages of this host.' },
  olderThan: { value: 'AGE', about: 'Only pages read longer ago than this, such as 30d (m, h, d, w).' },
} as const satisfies Record<string, FlagEntry>

export type FlagKey = keyof typeof flags
export const everywhere: readonly FlagKey[] = ['help', 'version', 'json']

/** What the command line says beside the settings. */
export type CommandFlags = {
  readonly [K in Exclude<FlagKey, 'help' | 'version'>]?:
    | ((typeof flags)[K] extends { value: string } ? string : boolean)
    | undefined
}
