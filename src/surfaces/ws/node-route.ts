import type { WebSocket } from 'ws'
import { fail } from '../../kernel/error.ts'
import type { UpgradeRoute } from './upgrade.ts'

export type NodeCalls = {
  path: string
  maxMessageBytes: number
  /** Whether an Authorization header shows a server of the same database; undefined where none is expected: then there is no such path. */
  admits(authorization: string | null): boolean | undefined
  take(socket: WebSocket): void
}

/** Where the other servers on the database open their channels. Callers have nothing to look for here. */
export const nodeRoute = ({ path, maxMessageBytes, admits, take }: NodeCalls): UpgradeRoute => ({
  // No page sends what an Authorization header must hold here.
  admitsOrigin: ({ headers }) => headers.get('origin') === null,
  limits: { maxMessageBytes, maxMissedPings: 2 },
  match({ url, headers }) {
    const isOurs = new URL(url).pathname === path
    const isAdmitted = isOurs ? admits(headers.get('authorization')) : undefined
    if (isAdmitted === undefined) return undefined
    if (!isAdmitted) fail('UNAUTHORIZED')
    return { teamId: 'the servers of this database', accept: take }
  },
})
