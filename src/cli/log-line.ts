import { z } from 'zod'
import { harmless, type Style } from './terminal.ts'

const Entry = z.looseObject({ time: z.string(), level: z.string(), event: z.string() })
const ErrorFacts = z.looseObject({ name: z.string(), message: z.string() })
const colours: Record<string, Parameters<Style>[0]> = { error: 'red', warn: 'yellow', info: 'green', debug: 'gray' }

type Screen = { write(text: string): void; style: Style; columns(): number }

/** Takes log lines as programs read them and writes them for a person. */
export const readableLog =
  ({ write, style, columns }: Screen) =>
  (line: string): void => {
    const { time, level, event, ...facts } = Entry.parse(JSON.parse(line))
    const clock = new Date(time).toTimeString().slice(0, 8)
    const texts = Object.entries(facts).map(([name, value]) => `${name}: ${textOf(value)}`)
    const said = harmless(`${event}${texts.length > 0 ? ` (${texts.join(', ')})` : ''}`).replace(/\s+/g, ' ')
    const length = `${clock} ${level} ${said}`.length
    // The rest of a progress bar may stand in the line.
    const blanks = ' '.repeat(Math.max(0, columns() - 1 - length))
    write(`${style('dim', clock)} ${style(colours[level] ?? 'gray', level)} ${said}${blanks}\n`)
  }

/** Of an error its message and those of its causes: the stack is for the log that programs read. */
function textOf(value: unknown): string {
  const { data: error } = ErrorFacts.safeParse(value)
  if (error) return `${error.message}${error['cause'] === undefined ? '' : ` ← ${textOf(error['cause'])}`}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
