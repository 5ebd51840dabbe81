import type { Relayed } from '../child/cdp-bridge.ts'
import type { Execution } from '../execution.ts'
import { createFrames, type Frames } from '../frames.ts'
import type { ChannelOptions } from './channel.ts'
import { joinAsCode, type Joined } from './client.ts'

export type BridgeEnd = {
  send: Frames['send']
  /** Its clients leave the browser. */
  close(): Promise<void>
}
type Hearer = {
  /** What is not about a client. */
  message(message: Record<string, unknown>): void
  browserGone(): void
}

/** More than any program makes. */
const maxClients = 64

/** Our end of a bridge in a sandbox: each program that comes to it is one more client of the browser. */
export function createBridgeEnd(execution: Execution, options: ChannelOptions, hearer: Hearer): BridgeEnd {
  const all = new Map<number, Promise<Joined>>()
  let isOver = false
  const frames = createFrames(
    execution.socket,
    {
      message: (message) => ('client' in message ? relay(message as Relayed) : hearer.message(message)),
      broken: () => execution.kill(),
    },
    options.limits.maxMessageBytes,
  )

  function relay({ client, cdp, left }: Relayed): void {
    if (isOver) return
    const joined = all.get(client) ?? join(client)
    if (typeof cdp === 'object') void joined.then(({ send }) => send(cdp)).catch(() => undefined)
    if (!left) return
    all.delete(client)
    void joined.then(({ close }) => close()).catch(() => undefined)
  }

  function join(client: number): Promise<Joined> {
    if (all.size >= maxClients) execution.kill()
    const joined = joinAsCode(options, {
      execution,
      frames,
      tell: (cdp) => frames.send({ client, cdp }),
      ended: () => {
        if (all.has(client) && !isOver) hearer.browserGone()
      },
    })
    all.set(client, joined)
    joined.catch(() => hearer.browserGone())
    return joined
  }

  return {
    send: frames.send,
    async close() {
      isOver = true
      await Promise.allSettled(Array.from(all.values(), async (joined) => (await joined).close()))
    },
  }
}
