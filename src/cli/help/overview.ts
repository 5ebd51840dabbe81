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
    'usage: gossamer [COMMAND] [WORDS] [FLAGS]    (stdio, if there is no command)',
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
    '"gossamer help COMMAND" explains one, "gossamer help settings" the settings.',
    '',
  ].join('\n')
}
