import { styleText } from 'node:util'

/** Marks a text with colours, or leaves it as it is where nobody sees them. */
export type Style = (format: Parameters<typeof styleText>[0], text: string) => string

/** Where a command writes. Results go to `out`; notes, progress and errors go to `err`. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
  /** True when a person reads `out`; false when a program does. */
  isInteractive: boolean
  style: { out: Style; err: Style }
  /** Asks a question that takes yes or no; undefined where nobody can answer. */
  ask?(question: string): Promise<boolean>
}

export const plain: Style = (_, text) => text

/** As NO_COLOR and FORCE_COLOR say, or else by what the stream is. */
const styleFor =
  (stream: NodeJS.WriteStream): Style =>
  (format, text) =>
    styleText(format, text, { stream })

/** A terminal obeys control characters, and a page must not command it: they are shown as U+FFFD. */
export const harmless = (text: string) => text.replace(/\r\n/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '\uFFFD')

async function ask(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // The end of the input is no answer.
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
