import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGiven } from './app/given.ts'
import { type OpeningAnswers, serveOpening } from './surfaces/mcp/opening/opening.ts'

/** A setting that changes none of the first answers, and takes any text. */
const harmless = new Set(['GOSSAMER_DATA_DIR'])
const answersFile = join(import.meta.dirname, 'opening.json')

/**
 * Starts the program. Clients start all their servers to list their tools, and call most of them much later or never:
 * until the first other request, the answers prepared at build time are sent, and nothing else is loaded.
 */
export async function start(): Promise<void> {
  if (!isBareServer()) return (await import('./main.ts')).main()
  const ending = endWithClient()
  const replayed = await serveOpening(openingAnswers(), process.stdin, process.stdout)
  if (!replayed) return end()
  const { main } = await import('./main.ts')
  main(replayed)
  ending.stop()
}

/** MCP over stdio with nothing set. With settings the whole program has to look at them first. */
function isBareServer(): boolean {
  if (process.argv.length > 2 || process.stdin.isTTY) return false
  // oxlint-disable-next-line node/no-process-env -- whether there are settings, before they are read
  const settings = Object.entries(process.env).filter(([name]) => /^GOSSAMER_/i.test(name) && !harmless.has(name))
  return !settings.some(([, value]) => isGiven(value))
}

const openingAnswers = (): OpeningAnswers => JSON.parse(readFileSync(answersFile, 'utf8')) as OpeningAnswers

/** Ends the program once everything is written. */
const end = () => void process.stdout.write('', () => process.exit(0))

const broken = ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1)

/** Like the program itself: a signal, or a client that stops reading, ends it. */
function endWithClient(): { stop(): void } {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.on(name, end)
  process.stdout.on('error', broken)
  return {
    stop: () => {
      for (const name of signals) process.off(name, end)
      process.stdout.off('error', broken)
    },
  }
}
