import { flagOf, settingKeys } from '../../app/read-config.ts'
import { UsageError } from '../command.ts'
import { commandPage } from '../help/command-page.ts'
import { overview } from '../help/overview.ts'
import { settingNamed, settingPage, settingsPage } from '../help/setting-page.ts'
import type { Style } from '../terminal.ts'
import { didYouMean } from '../../util/closest.ts'
import { commandNames, isCommand } from '../usage/commands.ts'

/** `gossamer help [COMMAND | SETTING | settings]` */
export function helpText(topic: string | undefined, style: Style): string {
  if (topic === undefined) return overview(style)
  if (isCommand(topic)) return commandPage(topic, style)
  if (topic === 'settings') return settingsPage(style)
  const setting = settingNamed(topic)
  if (setting !== undefined) return settingPage(setting, style)
  const topics = [...commandNames, 'settings', ...settingKeys.map((key) => flagOf(key).slice(2))]
  throw new UsageError(
    `There is no command ${topic}.${didYouMean(topic, topics)}\n"gossamer --help" lists the commands, "gossamer help settings" the settings.`,
  )
}
