import { randomUUID } from 'node:crypto'
import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../options.ts'
import { type Elicit, patienceMs } from '../person.ts'
import type { ProgressNote } from '../progress.ts'

/** One request of a client: whose it is, what came with it, and what the client can do. */
export type Request = { caller: Caller; context: ServerContext; abilities: ClientCapabilities }

/** How a running call reaches its client. */
export type Channel = {
  signal: AbortSignal
  /** Absent when the client wants no progress. */
  report?: ((note: ProgressNote) => void) | undefined
  elicit: Elicit
  /** The call is over. */
  end(): void
}

/** The channel of a call that is answered by the request it came with. */
export function directChannel({ context }: Request): Channel {
  const opened: string[] = []
  return {
    signal: signalOf(context),
    report: wantsProgress(context) ? (note) => reportOver(context, note) : undefined,
    elicit: async (question, signal) => {
      const id = randomUUID()
      const params = question.mode === 'url' ? { ...question, elicitationId: id } : question
      const { action } = await context.mcpReq.send(
        { method: 'elicitation/create', params },
        { signal, timeout: patienceMs },
      )
      if (question.mode === 'url' && action === 'accept') opened.push(id)
      return action
    },
    end: () => {
      for (const elicitationId of opened)
        context.mcpReq
          .notify({ method: 'notifications/elicitation/complete', params: { elicitationId } })
          .catch(() => {})
    },
  }
}

/** A closed response cancels the call, also in sessions: an answer that nobody can fetch is not worth making. */
export function signalOf({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal
}

const tokenOf = ({ mcpReq: { _meta: meta } }: ServerContext) => meta?.progressToken

export const wantsProgress = (context: ServerContext): boolean => tokenOf(context) !== undefined

export function reportOver(context: ServerContext, note: ProgressNote): void {
  const progressToken = tokenOf(context)
  if (progressToken === undefined) return
  context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...note } }).catch(() => {})
}
