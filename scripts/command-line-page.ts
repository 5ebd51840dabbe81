import { flagOf } from '../src/app/read-config.ts'
import { type CommandName, commandNames, commandOf } from '../src/cli/usage/command-table.ts'
import type { Form } from '../src/cli/usage/command-flags.ts'
import { everywhere, type FlagEntry, type FlagKey, flags } from '../src/cli/usage/command-flags.ts'
import { flagText, partsOf } from '../src/cli/usage/syntax.ts'

const code = (text: string) => `\`${text}\``
const grid = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0
    ? []
    : ['', ...[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`), '']

function flagRow(key: FlagKey): string[] {
  const { short, about }: FlagEntry = flags[key]
  return [short === undefined ? code(flagText(key)) : `${code(`-${short}`)}, ${code(flagText(key))}`, about]
}

/** What `npm run docs:check` leaves out. */
const notRun = [
  ['gossamer browser install', 'downloads a browser'],
  ['gossamer db copy', 'needs a PostgreSQL server'],
  ['gossamer doctor --cluster', 'needs a PostgreSQL server'],
  ['gossamer setup c', 'asks before it writes'],
  ['gossamer profile login', 'opens a window for a person'],
] as const
const marker = ([begins, reason]: (typeof notRun)[number]) => `<!-- not run "${begins}": ${reason} -->`

/** Other words that people look for a command by; the search of the documentation reads them. */
const askedAs: Partial<Record<CommandName, string>> = {
  agent: 'ask a question from the terminal; answer from the web in a shell',
  ask: 'find out why it failed; ask for help; what went wrong; diagnose a job; how do I',
  monitor: 'watch a page from the terminal; cron job; alert from the command line',
  teams:
    'give a department limits of its own; budget of a team; rate limit for a team; permissions of a team; remove a customer; more capacity for one customer; give a team fewer browsers; set the credits of a team; allow an option for one team',
  stdio: 'start the MCP server for a client; local MCP server; command without arguments',
  serve: 'start the server; run as a web server; change the port; REST server; open it to other computers',
  scrape:
    'read one page from the terminal; URL to markdown in a shell; convert a page in a script; curl for clean text',
  search: 'search the web from the terminal; a query that begins with a dash',
  crawl: 'download a site from the terminal; save pages to a folder; continue a stopped download',
  llmstxt: 'make an llms.txt from the terminal',
  call: 'run a tool without a client; pass JSON; pipe into jq; shell script; map or batch from the terminal',
  tools: 'list of all tools; what can it do; which operations are there',
  keys: 'create an API key; generate a token; new user; give a colleague access; revoke access; lost my key; leaked key; rotate keys; list users; make a key for somebody; key for a colleague; key that ends after some days; a colleague has left; which keys are there; stolen key; block a key',
  index:
    'search pages I have read; delete old pages; remove a site from the cache; empty the cache; free disk space; throw out what it has read',
  profile: 'save a login; log in by hand; import cookies; export cookies; delete a login; list saved logins',
  try: 'first steps; demo; see it work; show me an example; test run; does it work at all',
  setup:
    'write the config of Claude, Cursor, VS Code, Codex, Gemini, Windsurf or Zed; add it to my editor from the terminal; take it out of my editor',
  browser: 'download Chrome; install Chromium; which browser is used',
  doctor:
    'check my setup; diagnose; is everything installed; what is missing; self test; health of the installation; is my installation healthy; does everything work',
  completion: 'tab completion; autocomplete; bash; zsh; fish; shell completion',
  help: 'manual; usage; man page; explain a setting',
}

/** docs/command-line.md, from the table of commands. */
export function commandLinePage(): string {
  return `# Command line

<!-- asked as: CLI; terminal; shell; command prompt; exit code; return code; JSON output; pipe; no colours; version; quiet; use in a script or CI; use it without an agent; colours in the terminal; run it in a pipeline -->

\`gossamer COMMAND\`; without a command it serves MCP over stdin and stdout. \`gossamer --help\` lists the commands, \`gossamer help COMMAND\`
explains one, and \`gossamer help settings\` lists the [settings](settings.md), which are flags of every command. Words it does not know
are refused with a suggestion. A switch also takes \`=false\`, or \`--no-\` before its name. Words that begin with a dash come after \`--\`.

A person on a terminal gets text, a program JSON: results on stdout, notes, progress and the log on stderr. In a file or pipe the log is
JSON, with the stacks of errors; a terminal shows it as lines without them. Colours follow
[NO_COLOR](https://no-color.org) and \`FORCE_COLOR\`. The exit code is 0 when it worked, 1 when it failed, 2 for a wrong command line,
130 when it was stopped.
${grid(['flag', 'what it does'], everywhere.map(flagRow)).join('\n')}
${commandNames.map(commandSection).join('\n')}`
}

function commandSection(name: CommandName): string {
  const { about, forms, notes, examples, settings: used = [] } = commandOf(name)
  const callOf = (form: Form = {}) => partsOf(name, form).join(' ')
  const own = [...new Set(forms.flatMap((form) => form.flags ?? []))]
  const lines = [
    `## ${name}`,
    '',
    ...(askedAs[name] === undefined ? [] : [`<!-- asked as: ${askedAs[name]} -->`, '']),
    about,
    ...(forms.length === 1 ? ['', code(callOf(forms[0]))] : []),
    ...grid(
      ['call', 'what it does'],
      forms.length === 1 ? [] : forms.map((form) => [code(callOf(form)), form.about ?? about]),
    ),
    '',
    ...grid(['flag', 'what it does'], own.map(flagRow)),
    ...(notes === undefined ? [] : [notes, '']),
    ...(used.length === 0 ? [] : [`Settings: ${used.map((key) => code(flagOf(key))).join(', ')}.`, '']),
    ...notRun.filter(([begins]) => examples.some((line) => line.startsWith(begins))).map(marker),
    '```sh',
    ...examples,
    '```',
    '',
  ]
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}
