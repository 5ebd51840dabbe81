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
/** Puts a question to the person behind the client. Rejects when the signal fires or the client cannot. */
type Elicit = (question: Question, signal: AbortSignal) => Promise<Answer>

/** How long a person may take for one question. */
export const patienceMs = 10 * 60_000

/** A client accepts an address when it opens it. When the person is done there only the person can tell. */
const isDone: Question = {
  mode: 'form',
  message: 'Accept when you are done in the browser; the work then continues.',
  requestedSchema: { type: 'object', properties: {} },
}

/** How an operation asks the person behind a client; undefined where the client cannot open an address. */
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
