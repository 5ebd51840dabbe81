import type { AnyOperation } from '../../src/kernel/operation.ts'
import { requireCredits } from '../../src/middleware/team-limits.ts'
import { compose, recordAndCharge, validate } from '../../src/middleware/pipeline.ts'
import { interactStop, interact } from '../../src/operations/interact.ts'
import { scrape } from '../../src/operations/scrape.ts'
import { fakeCtx, fakeWorld, noon } from '../helpers/fakes.ts'
import { fakeSessions } from './fake-sessions.ts'
import type { Job } from '../../src/contracts/job-ports.ts'

export const scrapeId = '0190c2a0-0000-7000-8000-000000000001'

export const aScrape: Job = {
  id: scrapeId,
  teamId: 'acme',
  keyName: null,
  endpoint: 'scrape',
  target: null,
  createdAt: noon,
  status: 'completed',
  errorCode: null,
  result: {},
  replay: scrape.input.parse({
    url: 'https://example.com/',
    actions: [{ type: 'click', selector: '#a' }],
    profile: { name: 'shop' },
  }),
  credits: 1,
}

/** The operations on a scrape of one team, with browsers in memory. */
export function setting({ job = aScrape, monthlyCredits }: { job?: Job | null; monthlyCredits?: number } = {}) {
  const fakes = fakeSessions()
  const { ports, recorded: records, state: world } = fakeWorld()
  if (job) records.push(job)
  world.limits = { ...world.limits, monthlyCredits }
  const all = { ...ports, crawls: { ...ports.crawls, document: async () => undefined }, sessions: fakes.sessions }
  const middleware = [validate, recordAndCharge(all), requireCredits(all)]
  const call = compose(middleware)
  const run = (operation: AnyOperation, input: object, teamId = 'acme') =>
    call(operation, input, fakeCtx({ ports: all, team: { id: teamId, key: 'laptop', permissions: [] } }))
  return {
    ...fakes,
    records,
    world,
    interact: (input: object, teamId?: string) => run(interact, { jobId: scrapeId, ...input }, teamId),
    stop: (teamId?: string) => run(interactStop, { jobId: scrapeId }, teamId),
  }
}
