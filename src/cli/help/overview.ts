import { version } from '../../version.ts'
import type { Style } from '../terminal.ts'
import { commandNames, commandOf } from '../usage/commands.ts'
import { everywhere, flags } from '../usage/flags.ts'
import { columns, section } from './layout.ts'
import { flagRow } from './command-page.ts'

/** `gossamer --help`: what the program can do, on one screen. */
export function overview(style: Style): string {
  const groups = Map.groupBy(commandNames, (name) => commandOf(name).group)
  const longest = Math.max(...commandNames.map((name) => name.length))
  return [
    `${style('bold', 'gossamer')} ${version}: the web for AI agents`,
    '',
    'usage: gossamer [COMMAND] [WORDS] [FLAGS]',
    ...[...groups].flatMap(([group, names]) =>
      section(
        group,
        columns(
          names.map((name) => [name.padEnd(longest), commandOf(name).about]),
          style,
        ),
        style,
      ),
    ),
    ...section(
      'Flags of every command',
      columns(
        everywhere.map((key) => flagRow(key, flags[key])),
        style,
      ),
      style,
    ),
    '',
    'Without a command it serves MCP over stdin and stdout.',
    '"gossamer help COMMAND" explains one. Every setting is a flag and a variable:',
    '"gossamer help settings" lists them, "gossamer help data-dir" explains one.',
    '',
  ].join('\n')
}
