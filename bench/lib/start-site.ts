import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onLines } from './lines.ts'

export type Site = { origin: string; end(): Promise<void> }

/** Starts site.ts, or another program that prints its address, and waits until it listens. */
export async function startSite(
  file = join(import.meta.dirname, 'site.ts'),
  args: readonly string[] = [],
): Promise<Site> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const end = async () => {
    const exited = once(child, 'exit')
    child.stdin.end()
    await exited
  }
  const origin = await new Promise<string>((resolve, reject) => {
    onLines(child.stdout, resolve)
    child.once('exit', () => reject(new Error('The site did not start')))
  })
  return { origin, end }
}
