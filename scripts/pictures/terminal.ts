import { execFile } from 'node:child_process'
import { promisify, stripVTControlCharacters } from 'node:util'

const run = promisify(execFile)

/** Output of these commands on a terminal of their own (`script` of util-linux). */
export async function shownBy(commands: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const parts: string[] = []
  for (const command of commands) {
    const { stdout } = await run('script', ['-qec', command, '/dev/null'], { cwd, env })
    parts.push(`$ ${command}`, ...stripVTControlCharacters(stdout).trimEnd().split('\r\n').map(overwritten))
  }
  return parts.join('\n')
}

/** The final text of a line that was overwritten, as by a progress bar. */
const overwritten = (line: string): string =>
  line
    .split('\r')
    .reduce((shown, part) => part + shown.slice(part.length), '')
    .trimEnd()

/** The output as a terminal window. */
export const terminalPage = (text: string): string => `<!doctype html><html><head><style>
body { margin: 0; padding: 24px; background: #dfe8ee; width: 852px }
figure { margin: 0; border-radius: 10px; overflow: hidden; background: #10222f; color: #dcf3ff }
figcaption { background: #1d3a4e; padding: 9px 12px; font: 13px system-ui; text-align: center }
pre { margin: 0; padding: 16px 18px; font: 14px/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre-wrap }
b { color: #5cc8f2 }</style></head><body><figure><figcaption>Terminal</figcaption><pre>${text
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .replaceAll(/^\$ .*$/gm, (command) => `<b>${command}</b>`)}</pre></figure></body></html>`
