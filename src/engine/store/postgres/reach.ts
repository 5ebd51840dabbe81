import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Connection } from './connection.ts'
import { isLost } from './refusals.ts'

/** A server that is started again is there after a second or two; nobody need hear of it. */
const patienceMs = 5000
const pauseMs = 250
/** What waited while the server was looked for hears the same, instead of looking for it once more. */
const sameAnswerMs = 500

/** The connection as it is now: made when it is asked for, and again after it was lost. Rejects where the server is not found. */
export function reach(url: string): { connected(): Promise<Connection>; current(): Promise<Connection> | undefined } {
  let connection: Promise<Connection> | undefined
  let refused: { until: number; reason: unknown } | undefined

  async function look(lost: () => void): Promise<Connection> {
    const endsAt = performance.now() + patienceMs
    for (;;) {
      try {
        return await connect(url, lost)
      } catch (thrown) {
        if (isLost(thrown) && performance.now() < endsAt) await sleep(pauseMs)
        else {
          refused = { until: performance.now() + sameAnswerMs, reason: thrown }
          throw thrown
        }
      }
    }
  }

  return {
    current: () => connection,
    connected() {
      if (connection !== undefined) return connection
      if (refused !== undefined && performance.now() < refused.until) return Promise.reject(refused.reason)
      const forget = () => {
        if (connection === made) connection = undefined
      }
      const made = look(forget)
      connection = made
      made.catch(forget)
      return made
    },
  }
}
