import type { Relayed } from '../child/cdp-bridge.ts'
import type { Execution } from '../execution.ts'
import { createFrames, type Frames } from '../frames.ts'
import type { ChannelOptions, CodeOutcome, CommandResult } from './channel.ts'
import { connectProcess, type CodeClient } from './client.ts'

export type BridgeEnd = {
  send: Frames['send']
  /** Disconnects its clients from the browser. */
  close(): Promise<void>
}
/** What the bridge reports beside the messages of its clients. */
export type BridgeMessage = { done?: CodeOutcome; ran?: CommandResult & { id: number } }
type BridgeHandlers = {
  /** Messages that are not about a client. */
  message(message: BridgeMessage): void
  browserGone(): void
}

/** More than any program opens. */
const maxClients = 64

/** Our end of a bridge in a sandbox: each program that connects to it becomes a client of the browser. */
export function createBridgeEnd(execution: Execution, options: ChannelOptions, handlers: BridgeHandlers): BridgeEnd {
  const all = new Map<number, Promise<CodeClient>>()
  let isOver = false
  const frames = createFrames<Relayed & BridgeMessage>(
    execution.socket,
    {
      message: ({ client, cdp, left, ...rest }) =>
        client === undefined ? handlers.message(rest) : relay({ client, ...(cdp && { cdp }), ...(left && { left }) }),
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

  function join(client: number): Promise<CodeClient> {
    if (all.size >= maxClients) execution.kill()
    const joined = connectProcess(options, {
      execution,
      frames,
      tell: (cdp) => frames.send({ client, cdp }),
      ended: () => {
        if (all.has(client) && !isOver) handlers.browserGone()
      },
    })
    all.set(client, joined)
    joined.catch(() => handlers.browserGone())
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
