import { type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { errors } from '../../src/kernel/error-table.ts'
import { type AppError, toBody } from '../../src/kernel/error.ts'
import { createRemoteInvoke, type RemoteOptions } from '../../src/surfaces/remote.ts'
import { forTest, forAll } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { ctxWith, serveToys, toy, validating } from './toys.ts'

const apiKey = 'good'
const far = forAll(serveToys)
const near = forAll(() => serveToys({ invoke: createRemoteInvoke({ baseUrl: `${far.server.url}/v2/`, apiKey }) }))

const outcome = (call: Promise<object>) =>
  call.then(
    (output) => ({ output }),
    (thrown: AppError) => ({ status: thrown.status, ...toBody(thrown) }),
  )

describe('a call to a remote server', () => {
  const inputs: [string, object][] = [
    ['toy_echo', { id: 'a/b ü?#%', text: '“hi”\n', shapes: ['x', { kind: 'square', side: 1.5 }] }],
    ['toy_echo', { id: 'a', text: '' }],
    [
      'toy_list',
      { limit: 3, ratio: null, all: true, tags: ['1', 'true', 'a,b'], sizes: [1, 2], name: '12', where: { x: 1 } },
    ],
    ['toy_list', {}],
    ['toy_list', { limit: 'many', sizes: ['x'] }],
    ['toy_read', { id: 'active?' }],
    ['toy_read', { id: '100%' }],
    ['toy_stop', { id: 'a', force: true }],
    ['toy_stop', { id: 'a', force: 'maybe' }],
    ...Object.keys(errors).map((how): [string, object] => ['toy_break', { how }]),
  ]
  it.each(inputs)('to %s with %j has the same outcome over one server and over two', async (name, input) => {
    const direct = await outcome(validating(toy(name), input, ctxWith()))
    for (const { server } of [far, near]) {
      const call = createRemoteInvoke({ baseUrl: server.url, apiKey })
      expect(await outcome(call(toy(name), input, ctxWith()))).toEqual(direct)
    }
  })

  it('keeps the error id that the remote log explains', async () => {
    const call = createRemoteInvoke({ baseUrl: near.server.url, apiKey })
    const { code, details } = (await call(toy('toy_break'), { how: '?' }, ctxWith()).catch(
      (e: AppError) => e,
    )) as AppError
    expect(code).toBe('UNKNOWN_ERROR')
    const ids = far.log.lines.filter(({ level }) => level === 'error').map(({ facts }) => facts['details'])
    expect(ids).toContainEqual(details)
  })

  it('with an invalid key fails with UNAUTHORIZED', async () => {
    for (const wrong of [undefined, 'bad']) {
      const call = createRemoteInvoke({ baseUrl: far.server.url, apiKey: wrong })
      await expect(call(toy('toy_list'), {}, ctxWith())).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    }
  })

  it.each(['', '/', '//', '/v2', '/v2/'])(
    'reaches the service if its configured address ends with "%s"',
    async (end) => {
      const call = createRemoteInvoke({ baseUrl: far.server.url + end, apiKey })
      expect(await call(toy('toy_active'), {}, ctxWith())).toMatchObject({ team: 'team' })
    },
  )
})

const unavailable = (message: RegExp) =>
  expect.objectContaining({
    code: 'REMOTE_UNAVAILABLE',
    status: 502,
    message: expect.stringMatching(message) as string,
  })

const serving = async (answer: RequestListener) => forTest(await serve(answer)).origin

const listing = async (answer: RequestListener, over: Partial<RemoteOptions> = {}, signal?: AbortSignal) => {
  const call = createRemoteInvoke({ baseUrl: await serving(answer), apiKey: 'hush', ...over })
  return call(toy('toy_list'), {}, ctxWith(signal))
}

describe('a misbehaving remote server', () => {
  it.each([
    ['text', 200, '<html>'],
    ['nothing', 204, ''],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['an error page', 503, '<html>'],
    ['half an answer in JSON', 200, '{"a":'],
  ])('that answers %s fails the call', async (_, status, text) => {
    const answer = listing((__, response) => response.writeHead(status).end(text))
    await expect(answer).rejects.toThrow(unavailable(new RegExp(`status ${status}.*JSON`)))
  })

  it('that redirects does not get the key', async () => {
    const seen: (string | undefined)[] = []
    const other = await serving((request, response) => {
      seen.push(request.headers.authorization)
      response.end('{}')
    })
    for (const status of [301, 302, 307, 308]) {
      const answer = listing((_, response) => response.writeHead(status, { location: other }).end())
      await expect(answer).rejects.toThrow(unavailable(/redirect/))
    }
    expect(seen).toEqual([])
  })

  it('that stops in the middle of its answer fails the call', async () => {
    const answer = listing((request, response) => {
      response.writeHead(200, { 'content-length': 99 })
      response.write('{', () => request.socket.destroy())
    })
    await expect(answer).rejects.toThrow(unavailable(/did not answer/))
  })

  it('that never ends its answer fails the call', async () => {
    const answer = listing(
      (_, response) => {
        const more = () => response.write('x'.repeat(1000), () => void (response.writable && setImmediate(more)))
        more()
      },
      { maxAnswerBytes: 10_000 },
    )
    await expect(answer).rejects.toThrow(unavailable(/larger than 10000 bytes/))
  })

  it('is abandoned when the caller aborts, with the reason of the caller', async () => {
    const leaving = new AbortController()
    const reason = new Error('gone')
    const hungUp = Promise.withResolvers<void>()
    const answer = listing(
      (_, response) => {
        response.on('close', () => hungUp.resolve())
        leaving.abort(reason)
      },
      {},
      leaving.signal,
    )
    await expect(answer).rejects.toBe(reason)
    await hungUp.promise
  })
})
