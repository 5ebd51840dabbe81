/** Where a command writes. Results go to `out`; notes, progress and errors go to `err`. */
export type Terminal = {
  out(text: string): void
  err(text: string): void
  /** True when a person reads `out`; false when a program does. */
  isInteractive: boolean
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
}
