import { randomUUID } from 'node:crypto'
import {
  type ClientCapabilities,
  type ServerContext,
  type ElicitRequestParams,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server'
import type { Caller, ProgressNote } from '../server-options.ts'
import type { AskPerson } from '../../../kernel/ctx.ts'

export type Question =
  | { mode: 'url'; message: string; url: string }
  | Extract<ElicitRequestParams, { requestedSchema: unknown }>
export type Answer = 'accept' | 'decline' | 'cancel'
/** Asks the person at the client. Rejects when the signal fires or the client does not support it. */
type Elicit = (question: Question, signal: AbortSignal) => Promise<Answer>

/** Time limit for one question to a person. */
export const patienceMs = 10 * 60_000

/** A client accepts an address as soon as it opens it; only the person knows when the task is done. */
const isDone: Question = {
  mode: 'form',
  message: 'Accept when you are done in the browser; the work then continues.',
  requestedSchema: { type: 'object', properties: {} },
}

/** Lets an operation ask the person at a client; undefined if the client cannot open an address. */
export function asker({ elicitation }: ClientCapabilities, elicit: Elicit): AskPerson | undefined {
  if (!elicitation?.url) return undefined
  return async ({ message, url }, signal) => {
    try {
      if ((await elicit({ mode: 'url', message, url }, signal)) !== 'accept') return 'declined'
      if (!elicitation.form) return 'done'
      return (await elicit(isDone, signal)) === 'accept' ? 'done' : 'declined'
    } catch (error) {
      signal.throwIfAborted()
      return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout ? 'declined' : 'unsupported'
    }
  }
}

/** One request of a client: the caller, its context, and the client's capabilities. */
export type Request = { caller: Caller; context: ServerContext; abilities: ClientCapabilities }

/** Connection of a running call to its client. */
export type Channel = {
  signal: AbortSignal
  /** Absent if the client does not want progress. */
  report?: ((note: ProgressNote) => void) | undefined
  elicit: Elicit
  /** Called when the call is over. */
  end(): void
}

/** Channel of a call that is answered by its own request. */
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

/** A closed response cancels the call, also in sessions: its result could not be fetched. */
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
