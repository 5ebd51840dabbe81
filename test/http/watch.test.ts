import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Invoke } from '../../src/kernel/invoke.ts'
import { createRemoteInvoke } from '../../src/surfaces/remote.ts'
import { ask, validating } from './toys.ts'
import { forTest } from '../helpers/for-all.ts'
import { serveJobs, watchJob, type WatchToys } from './watch-toys.ts'

async function served(...options: Parameters<typeof serveJobs>): Promise<WatchToys> {
  return forTest(await serveJobs(...options))
}

const ended = (count: number) => ({
  status: 'completed',
  completed: count,
  total: count,
  data: Array.from({ length: count }, (_, at) => ({ at })),
})
const running = (count: number) => ({ ...ended(count), status: 'scraping' })

describe('a watcher of a job', () => {
  it('gets the present pages, new pages, and the end', async () => {
    const toys = await served()
    toys.jobs.set('a', running(150))
    const { socket, messages, closed } = watchJob(toys, '/v2/job/a')
    await once(socket, 'message')
    toys.jobs.set('a', ended(152))
    expect(await closed).toBe(1000)
    expect(messages.map(({ type }) => type)).toEqual(['catchup', 'document', 'document', 'status', 'done'])
    expect(messages[0]?.data?.data).toHaveLength(150)
    expect(messages[3]?.data).toMatchObject({ success: true, ...ended(152) })
    expect(messages[4]?.data).toMatchObject({ status: 'completed', completed: 152, data: [] })
  })

  it('gets the key back as the accepted subprotocol', async () => {
    const toys = await served()
    toys.jobs.set('a', ended(1))
    const { socket, closed } = watchJob(toys, '/v2/job/a/')
    await closed
    expect(socket.protocol).toBe('good')
  })

  it('is served by a server that forwards calls', async () => {
    const far = await served()
    const near = await served({ invoke: createRemoteInvoke({ baseUrl: far.server.url, apiKey: 'good' }) })
    far.jobs.set('a', running(1))
    const { socket, messages, closed } = watchJob(near, '/v2/job/a')
    await once(socket, 'message')
    far.jobs.set('a', ended(2))
    expect(await closed).toBe(1000)
    expect(messages.map(({ type }) => type)).toEqual(['catchup', 'document', 'status', 'done'])
    expect(await watchJob(near, '/v2/job/none').closed).toBe(1008)
  })

  it('that disconnects aborts the waiting call, without an error', async () => {
    const signal = Promise.withResolvers<AbortSignal>()
    const aborted = Promise.withResolvers<void>()
    const caller: Invoke = async (_, __, ctx) => {
      signal.resolve(ctx.signal)
      return new Promise((_resolve, reject) =>
        ctx.signal.addEventListener('abort', () => {
          reject(ctx.signal.reason as Error)
          aborted.resolve()
        }),
      )
    }
    const toys = await served({ invoke: caller })
    const { socket } = watchJob(toys, '/v2/job/a')
    await Promise.all([signal.promise, once(socket, 'open')])
    socket.terminate()
    await aborted.promise
    await expect.poll(() => toys.log.lines.map(({ event }) => event)).toContain('socket')
    expect(toys.log.lines.filter(({ level }) => level !== 'info' && level !== 'debug')).toEqual([])
  })
})

it.each([
  ['without a key', 'a', { protocol: '' }, 3000, 'UNAUTHORIZED'],
  ['with an invalid key', 'a', { protocol: 'bad' }, 3000, 'UNAUTHORIZED'],
  ['if it belongs to another team', 'theirs', {}, 3003, 'JOB_OF_OTHER_TEAM'],
  ['if it does not exist', 'none', {}, 1008, 'JOB_NOT_FOUND'],
  ['if its id is invalid', 'not-an-id-at-all', {}, 1008, 'BAD_REQUEST'],
  ['if its status cannot be read', 'broken', {}, 1011, 'UNKNOWN_ERROR'],
])('watching a job fails: %s, with a message and a close code', async (_, id, options, code, error) => {
  const toys = await served()
  toys.jobs.set('a', ended(1))
  const { messages, closed } = watchJob(toys, `/v2/job/${id}`, options)
  expect(await closed).toBe(code)
  expect(messages).toMatchObject([{ type: 'error', error: expect.any(String), code: error }])
  expect(JSON.stringify(messages)).not.toContain('secret')
})

/** Polls a job, and returns the answer with the number of reads before it; `change` is called at each read. */
async function readsOf(path: string, change: (toys: WatchToys, reads: number) => void) {
  let reads = 0
  const caller: Invoke = async (...call) => {
    reads += 1
    change(toys, reads)
    return validating(...call)
  }
  const toys = await served({ invoke: caller })
  toys.jobs.set('a', running(1))
  const { json } = await ask(toys.server.url + path)
  return { reads, data: json['data'], status: json['status'] }
}

describe('a poll of a running job', () => {
  it('waits a moment for new results', async () => {
    const answer = await readsOf(
      '/v2/job/a?skip=1',
      ({ jobs }, reads) => void (reads === 2 && jobs.set('a', running(2))),
    )
    expect(answer).toEqual({ reads: 2, data: [{ at: 1 }], status: 'scraping' })
  })

  it.each(['/v2/job/a', '/v2/job/a?skip=0'])('is answered immediately if there are results: %s', async (path) => {
    expect(await readsOf(path, () => {})).toMatchObject({ reads: 1, data: [{ at: 0 }] })
  })
})
