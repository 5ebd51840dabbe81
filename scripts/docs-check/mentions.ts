import { UsageError } from '../../src/cli/command.ts'
import { readCommandLine } from '../../src/cli/usage/read-command-line.ts'
import { proseOf } from './blocks.ts'

/** Commands in the text that do not exist: commands and flags of `gossamer …`, scripts of `npm run …`. */
export function mentionFaults(path: string, page: string, scripts: ReadonlySet<string>): string[] {
  const mentions = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  return mentions.flatMap((text) => {
    const fault = faultOf(text, scripts)
    return fault === undefined ? [] : [`${path}: \`${text}\`: ${fault}`]
  })
}

function faultOf(text: string, scripts: ReadonlySet<string>): string | undefined {
  const script = /^npm run ([\w:-]+)/.exec(text)?.[1]
  if (script !== undefined && !scripts.has(script)) return 'there is no such script'
  // A text with an ellipsis at its end is a message, not a command.
  if (!/^gossamer(?: |$)/.test(text) || text.endsWith('…')) return undefined
  const words = text.match(/'[^']*'|\S+/g) ?? []
  const argv = words.slice(1).map((word) => word.replace(/^'|'$|[[\]]/g, ''))
  if (/^[A-Z]+$/.test(argv[0] ?? '')) return undefined
  try {
    readCommandLine(argv)
    return undefined
  } catch (thrown) {
    // A command may be mentioned without its arguments.
    const isNamed = thrown instanceof UsageError && thrown.message.startsWith('usage:')
    return isNamed ? undefined : (thrown as Error).message.split('\n')[0]
  }
}
