import type { SessionRecord, SessionRef } from '../../../contracts/session-port.ts'
import { fail, failure } from '../../../kernel/error.ts'
import { DeadlineError } from '../../../util/async.ts'
import { CdpError } from '../../browser/cdp/cdp-session.ts'
import { PageError } from '../../browser/world/isolated-world.ts'

export async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof DeadlineError)
      throw failure('SESSION_FAILED', { message: `The browser did not finish a step: ${cause.step}.`, cause })
    if (cause instanceof PageError) throw failure('SESSION_FAILED', { message: 'The page could not be read.', cause })
    if (cause instanceof CdpError) throw failure('SESSION_FAILED', { ...(cause.why === 'crashed' && crashed), cause })
    throw cause
  }
}

const crashed = {
  message: 'The page of the current tab has crashed.',
  hint: 'Continue in a new tab: browser_act with {"type": "tab", "do": "open"}.',
}

/** Returns the session if it belongs to the caller's team; fails with SESSION_NOT_FOUND and JOB_OF_OTHER_TEAM. */
export function authorize<T extends { teamId: string }>(found: T | undefined, { id, teamId }: SessionRef): T {
  if (!found) return fail('SESSION_NOT_FOUND', { details: { id } })
  return found.teamId === teamId ? found : fail('JOB_OF_OTHER_TEAM', { details: { id } })
}

export const gone = (id: string, cause?: unknown): never => fail('SESSION_GONE', { details: { id }, cause })

/** Fails for a session of another process, whose browser is unreachable from here. */
export const elsewhere = (id: string): never =>
  fail('SESSION_NOT_FOUND', {
    message: 'This browser session belongs to another process of Gossamer.',
    hint: 'Call the server that created the session. Servers reach each other’s sessions by GOSSAMER_NODE_URL and GOSSAMER_NODE_SECRET.',
    details: { id },
  })

/** Fails for a session known only from the database. */
export const missing = ({ id, endedAt, why }: SessionRecord): never => {
  if (endedAt === null) return elsewhere(id)
  return why === 'process' ? lostWithServer(id) : gone(id)
}

/** Fails for a session whose server has died or lost its registration. */
export const lostWithServer = (id: string): never =>
  fail('SESSION_GONE', { message: 'The server that held this browser session has ended.', details: { id } })
