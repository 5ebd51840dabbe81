/** Runs one contestant in a separate process, so its CPU and memory can be measured. Its parent sends the jobs. */
import { contestantOf } from './contestants.ts'
import { markersOf } from './pages.ts'
import type { Outcome, Task } from './lane.ts'

const [, , id = '', browserPath = ''] = process.argv
const running = await contestantOf(id).open(browserPath)

async function outcomeOf({ urls, concurrency }: Task): Promise<Outcome> {
  const tookMs: number[] = []
  const faults: string[] = []
  const startedAt = performance.now()
  await running.run(urls, concurrency, (url, html, ms) => {
    tookMs.push(ms)
    const lost = markersOf(new URL(url).pathname).filter((marker) => !html.includes(marker))
    if (lost.length > 0) faults.push(`${new URL(url).pathname} lost ${lost.join(', ')}`)
  })
  return { wallMs: performance.now() - startedAt, tookMs, faults }
}

/** CPU time of this process without the browser, ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

process.on('message', async (task: Task | 'cpu' | 'end') => {
  if (task === 'cpu') return void process.send?.(cpuMs())
  if (task !== 'end') return void process.send?.(await outcomeOf(task).catch(failed))
  await running.close()
  process.disconnect?.()
})
// The parent has exited or finished.
process.once('disconnect', () => process.exit())
process.send?.('ready')

const failed = (error: unknown): Outcome => ({ wallMs: Number.NaN, tookMs: [], faults: [String(error)] })
