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

/** Returns the style of a stream: with colours if NO_COLOR, FORCE_COLOR and the kind of stream allow it. */
const styleFor =
  (stream: NodeJS.WriteStream): Style =>
  (format, text) =>
    styleText(format, text, { stream })

/** Replaces control characters by U+FFFD, so that text of a page cannot control the terminal. */
export const harmless = (text: string) => text.replace(/\r\n/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '\uFFFD')

/**
 * Turns a hint for callers into one for the operator, who reads the command line: "Set X" for "Ask the operator to set
 * X".
 */
export const forOperator = (hint: string) =>
  hint.replace(/\b(a)sk the operator to (\w)/gi, (_, initial: string, verb: string) =>
    initial === 'A' ? verb.toUpperCase() : verb,
  )

/**
 * Creates a display for messages about a running call: on a terminal one line that is cleared, elsewhere a line each.
 */
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
