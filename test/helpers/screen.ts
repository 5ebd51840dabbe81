import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

export const hasXvfb = process.platform === 'linux' && spawnSync('Xvfb', ['-help']).error === undefined

/** Starts a virtual screen for programs that show windows. */
export async function startScreen() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1024x768x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [output] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  const number = output.toString().trim()
  return {
    display: `:${number}`,
    close: () => void server.kill(),
  }
}
export type Screen = Awaited<ReturnType<typeof startScreen>>
