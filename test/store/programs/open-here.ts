import { openStore } from '../../../src/engine/store/sqlite/open-store.ts'
import type { Job } from '../../../src/contracts/job-ports.ts'

const complain = (event: string, facts?: object) => void process.stderr.write(`${event} ${JSON.stringify(facts)}\n`)
const log = { debug: () => undefined, info: () => undefined, warn: complain, error: complain }
const clock = { now: () => Date.now() }

const job = (): Job => ({
  id: crypto.randomUUID(),
  teamId: 'team',
  keyName: null,
  endpoint: 'scrape',
  target: 'https://example.com/',
  createdAt: Date.now(),
  status: 'completed',
  errorCode: null,
  result: { markdown: 'word '.repeat(2000) },
  replay: null,
  credits: 1,
})

/** A store on a folder with the real clock, for programs that the tests start as separate processes. */
export const openStoreIn = async (dir: string) => ({
  store: await openStore({ dir, clock, cacheMaxBytes: 2 ** 30, jobRetentionMs: 86_400_000, log }),
  job,
})
