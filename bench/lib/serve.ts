import type { ChildProcess } from 'node:child_process'
import { onLines } from './lines.ts'

/** The address that `gossamer serve` prints; later output is read and discarded. */
export async function addressOf(child: ChildProcess): Promise<string> {
  let heard: string[] = []
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The program ended: ${heard.join(' ')}`)))
    if (!child.stderr) return
    onLines(child.stderr, (line) => {
      heard = [...heard, line].slice(-5)
      const [, url] = /listens on (http:\S+)/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
  })
}
