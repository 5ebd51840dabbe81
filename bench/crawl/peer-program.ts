/** Runs one contestant in a separate process, so its CPU and memory can be measured. Its parent sends the jobs. */
import type { Job, Take } from './contestant.ts'
import { peerOf } from './contestants.ts'
import { createGate, type Check } from './gate.ts'
import type { Outcome } from './lane.ts'

const contestant = peerOf(process.argv[2] ?? '')

type Crawl = (job: Job, take: Take) => Promise<void>

async function outcomeOf(crawl: Crawl, job: Job, check: Check): Promise<Outcome> {
  const gate = createGate(contestant.makes, job, check)
  const startedAt = performance.now()
  const fault = await crawl(job, gate.take).then(
    () => [],
    (cause: unknown) => [String(cause)],
  )
  const brought = gate.brought()
  return { ...brought, faults: [...fault, ...brought.faults], wallMs: performance.now() - startedAt }
}

// The parent has exited or finished.
process.once('disconnect', () => process.exit())

try {
  const crawl = await contestant.load()
  process.on('message', async ({ job, check }: { job: Job; check: Check }) => {
    const outcome = await outcomeOf(crawl, job, check)
    process.send?.({ ...outcome, faults: outcome.faults.slice(0, 20) })
  })
  process.send?.({})
} catch (cause) {
  process.send?.({ fault: String(cause) }, () => process.exit(1))
}
