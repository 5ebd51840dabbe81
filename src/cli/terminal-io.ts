import { z } from 'zod'
import { styleText } from 'node:util'

/** Adds colours to a text, or returns it unchanged if they are disabled. */
export type Style = (format: Parameters<typeof styleText>[0], text: string) => string

/** Output of a command. Results go to `out`; notes, progress and errors go to `err`. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
  /** True if a person reads `out`; false if a program does. */
  isInteractive: boolean
  style: { out: Style; err: Style }
  /** Asks a yes-or-no question; undefined if input is not a terminal. */
  ask?(question: string): Promise<boolean>
}

export const plain: Style = (_, text) => text

/** Follows NO_COLOR and FORCE_COLOR, otherwise the kind of stream. */
const styleFor =
  (stream: NodeJS.WriteStream): Style =>
  (format, text) =>
    styleText(format, text, { stream })

/** Terminals obey control characters, and a page must not control one: they are shown as U+FFFD. */
export const harmless = (text: string) => text.replace(/\r\n/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '\uFFFD')

/** Messages about a running call: on a terminal one line that vanishes at the end, elsewhere a line each. */
export function createMessageLine(err: Terminal['err'], { isTTY, columns } = process.stderr) {
  let isShown = false
  const clear = () => {
    if (isShown) err('\r\u001B[K')
    isShown = false
  }
  return {
    clear,
    say(message: string) {
      clear()
      isShown = isTTY
      err(isTTY ? harmless(message).slice(0, (columns || 80) - 1) : `${message}\n`)
    },
  }
}

async function ask(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // The end of the input is not an answer.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), ended])).trim())
  } finally {
    lines.close()
  }
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
  style: { out: styleFor(process.stdout), err: styleFor(process.stderr) },
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
}

const Entry = z.looseObject({ time: z.string(), level: z.string(), event: z.string() })
const ErrorFacts = z.looseObject({ name: z.string(), message: z.string() })
const colours: Record<string, Parameters<Style>[0]> = { error: 'red', warn: 'yellow', info: 'green', debug: 'gray' }

/** Converts structured log lines to readable text. */
export const readableLog =
  ({ write, style, columns }: { write(text: string): void; style: Style; columns(): number }) =>
  (line: string): void => {
    const { time, level, event, ...facts } = Entry.parse(JSON.parse(line))
    const clock = new Date(time).toTimeString().slice(0, 8)
    const texts = Object.entries(facts).map(([name, value]) => `${name}: ${textOf(value)}`)
    const said = harmless(`${event}${texts.length > 0 ? ` (${texts.join(', ')})` : ''}`).replace(/\s+/g, ' ')
    const length = `${clock} ${level} ${said}`.length
    // Part of a progress bar may remain in the line.
    const blanks = ' '.repeat(Math.max(0, columns() - 1 - length))
    write(`${style('dim', clock)} ${style(colours[level] ?? 'gray', level)} ${said}${blanks}\n`)
  }

/** The messages of an error and its causes: the stack is for the structured log. */
function textOf(value: unknown): string {
  const { data: error } = ErrorFacts.safeParse(value)
  if (error) return `${error.message}${error['cause'] === undefined ? '' : ` ← ${textOf(error['cause'])}`}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
