import { flagOf } from '../src/app/read-config.ts'
import { type CommandName, commandNames, commandOf } from '../src/cli/usage/command-table.ts'
import { everywhere, type FlagEntry, type FlagKey, flags, type Form } from '../src/cli/usage/command-flags.ts'
import { flagText, partsOf } from '../src/cli/usage/syntax.ts'
import { code, table } from './markdown-table.ts'

const grid = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0 ? [] : ['', table(head, rows), '']

function flagRow(key: FlagKey): string[] {
  const { short, about }: FlagEntry = flags[key]
  return [short === undefined ? code(flagText(key)) : `${code(`-${short}`)}, ${code(flagText(key))}`, about]
}

/** Commands skipped by `npm run docs:check`. */
const notRun = [
  ['gossamer browser install', 'downloads a browser'],
  ['gossamer db copy', 'needs a PostgreSQL server'],
  ['gossamer doctor --cluster', 'needs a PostgreSQL server'],
  ['gossamer setup c', 'asks before it writes'],
  ['gossamer profile login', 'opens a window for a person'],
] as const
const marker = ([begins, reason]: (typeof notRun)[number]) => `<!-- not run "${begins}": ${reason} -->`

/** Content of docs/command-line.md, derived from the table of commands. */
export function commandLinePage(): string {
  return `# Command line

\`gossamer COMMAND\`; without a command it serves MCP over stdin and stdout. \`gossamer --help\` lists the commands, \`gossamer help COMMAND\`
explains one, and \`gossamer help settings\` lists the [settings](settings.md), which are flags of every command. Unknown commands and
flags are refused with a suggestion. A switch is turned off by \`=false\`, or by \`--no-\` before its name. Arguments that begin with a
dash come after \`--\`.

Results go to stdout: as text on a terminal, otherwise as JSON (markdown stays markdown). Notes, progress and the log go to stderr; in a
file or pipe the log is JSON with stack traces. Colours follow [NO_COLOR](https://no-color.org) and \`FORCE_COLOR\`. The exit code is 0
after success, 1 after a failure, 2 for an invalid command line, and 130 if the command was stopped.
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
