import type { Log } from '../../../kernel/log.ts'
import { type Client, newClient } from './client.ts'

/** A server that does not answer for so long is not asked again for a moment. */
const answerMs = 1000
const restMs = 1000
const againMs = 500

/** A connection to Redis that comes back by itself. */
export type RedisLink = {
  /** What Redis answers; `otherwise` where it is gone or refuses, which is noted once. */
  ask<T>(question: (client: Client) => Promise<T>, otherwise: () => Promise<T> | T): Promise<T>
  isUp(): boolean
  publish(channel: string): void
  /** Calls `heard` on each message, and after each gap in which one may have gone unheard. Returns what ends it. */
  subscribe(channel: string, heard: () => void): () => Promise<void>
  close(): Promise<void>
}

/** Connects in the background: nobody waits for a server that is not there. */
export function openRedisLink(url: string, log: Log): RedisLink {
  const client = newClient({
    url,
    // What cannot be asked now is done in another way now, not later.
    disableOfflineQueue: true,
    socket: { connectTimeout: answerMs, reconnectStrategy: againMs },
  })
  let restsUntil = 0
  let isMissed = false
  const isUp = () => client.isReady && performance.now() >= restsUntil

  function missed(cause: unknown): void {
    restsUntil = performance.now() + restMs
    if (isMissed) return
    isMissed = true
    log.warn('Redis does not answer; limits are kept in the database until it does', { cause })
  }
  function found(): void {
    if (isMissed) log.warn('Redis answers again')
    isMissed = false
  }
  client.on('error', missed)
  client.on('ready', () => {
    restsUntil = 0
  })
  const connected = client.connect().catch(missed)

  return {
    isUp,
    async ask(question, otherwise) {
      // The first question may come before the connection.
      if (!isMissed && !client.isReady) await Promise.race([connected, pause(answerMs)])
      if (!isUp()) return otherwise()
      try {
        const answer = await within(question(client))
        found()
        return answer
      } catch (cause) {
        missed(cause)
        return otherwise()
      }
    },
    publish: (channel) => void (client.isReady && client.publish(channel, '').catch(missed)),
    subscribe: (channel, heard) => subscribe(client.duplicate(), channel, heard),
    close: async () => client.destroy(),
  }
}

function subscribe(client: Client, channel: string, heard: () => void): () => Promise<void> {
  client.on('error', () => {})
  // Subscriptions are made again with each connection; what was said between two of them is lost.
  client.on('ready', heard)
  void client.connect().then(
    () => client.subscribe(channel, heard),
    () => {},
  )
  return async () => client.destroy()
}

/** The time limit of the library ends once a command is sent. */
async function within<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`No answer came within ${answerMs} ms.`)), answerMs)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())
