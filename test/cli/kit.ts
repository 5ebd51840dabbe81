import { plain, type Style, type Terminal } from '../../src/cli/terminal-io.ts'

/** A terminal that keeps what is written to it. */
export function fakeTerminal({
  isInteractive = false,
  style = plain,
}: { isInteractive?: boolean; style?: Style } = {}) {
  const written = { out: '', err: '' }
  const terminal: Terminal = {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    isInteractive,
    style: { out: style, err: style },
  }
  return { terminal, written }
}
