import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Invoke } from '../../src/kernel/invoke.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import type { ListenOptions } from '../../src/surfaces/http/server.ts'
import { forTest } from '../helpers/for-all.ts'
import { key, serveToys, type Toys, toyFacts } from './toys.ts'

export const wait: AnyOperation = defineOperation({
  ...toyFacts,
  name: 'toy_wait',
  route: 'POST /v2/wait',
  run: async () => ({ waited: true }),
})

/** A caller whose calls run until they are released or aborted, and that reports when one has started. */
function gate() {
  const started = Promise.withResolvers<AbortSignal>()
  const released = Promise.withResolvers<void>()
  const caller: Invoke = async (_, __, ctx) => {
    started.resolve(ctx.signal)
    const aborted = Promise.withResolvers<never>()
    ctx.signal.addEventListener('abort', () => aborted.reject(new Error('stopped in its own way')))
    await Promise.race([released.promise, aborted.promise])
    return { waited: true }
  }
  return { caller, started: started.promise, release: () => released.resolve() }
}

/** A server that is closed when the test is over. */
export async function served(...[app, listening = {}]: Parameters<typeof serveToys>): Promise<Toys> {
  return forTest(await serveToys(app, listening))
}

/** A server whose one call waits until it is released. */
export async function waiting(listening: Partial<ListenOptions> = {}) {
  const { caller, started, release } = gate()
  const toys = await served({ operations: [wait], invoke: caller }, listening)
  return { ...toys, url: `${toys.server.url}/v2/wait`, started, release }
}

export async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.setEncoding('utf8')
}

export async function allOf(socket: Socket): Promise<string> {
  return (await socket.toArray()).join('')
}

export const post = { method: 'POST', headers: { authorization: key, 'content-type': 'application/json' }, body: '{}' }
