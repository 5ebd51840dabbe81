import { randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  type ClientCapabilities,
  type ElicitRequestParams,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller, ProgressNote } from '../server-options.ts'
import type { AskPerson } from '../../../kernel/ctx.ts'
import { unlessAborted } from '../../../util/async.ts'

export type Question =
  | { mode: 'url'; message: string; url: string }
  | Extract<ElicitRequestParams, { requestedSchema: unknown }>
export type Answer = 'accept' | 'decline' | 'cancel'
/** Asks the person at the client. Rejects when the signal fires or the client does not support it. */
type Elicit = (question: Question, signal: AbortSignal) => Promise<Answer>

/** Time limit for one question to a person. */
export const patienceMs = 10 * 60_000

/** Second question. The reply to the first only means that the client opened the address. */
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

/** Connection from a running call to its client. */
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

/** Signal of a request. It also aborts if the HTTP response is closed, even in a session: nobody can fetch the result. */
function signalOf({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal
}

const tokenOf = ({ mcpReq: { _meta: meta } }: ServerContext) => meta?.progressToken

const wantsProgress = (context: ServerContext): boolean => tokenOf(context) !== undefined

function reportOver(context: ServerContext, note: ProgressNote): void {
  const progressToken = tokenOf(context)
  if (progressToken === undefined) return
  context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...note } }).catch(() => {})
}

type Running = {
  /** Only this owner may continue it. */
  owner: string
  outcome: Promise<CallToolResult>
  /** The request whose response will carry the result. */
  context: ServerContext
  question: PromiseWithResolvers<Question>
  reply?: PromiseWithResolvers<Answer> | undefined
  end: AbortController
  patience?: NodeJS.Timeout | undefined
}
type RoundTripResult = Promise<CallToolResult | InputRequiredResult>

export type RoundTrips = {
  begin(owner: string, context: ServerContext, run: (channel: Channel) => Promise<CallToolResult>): RoundTripResult
  /** Continues a call after the client's reply. Fails if there is no such call (any more). */
  resume(owner: string, id: string, context: ServerContext): RoundTripResult
  /** Abandons all waiting calls. */
  end(): void
}

/**
 * Calls that ask a person in several round trips (MCP 2026-07-28): the question is the response, and the client sends
 * the reply in another request. Browser actions must not be repeated, so the call is not restarted: it waits here,
 * and is abandoned if no reply arrives.
 */
export function createRoundTrips(newId: () => string = randomUUID): RoundTrips {
  const waiting = new Map<string, Running>()

  const answerTo = async (id: string, call: Running, context: ServerContext): RoundTripResult => {
    const signal = signalOf(context)
    const stop = () => call.end.abort(signal.reason)
    call.context = context
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    try {
      const next = await Promise.race([call.outcome, call.question.promise])
      if ('content' in next) {
        waiting.delete(id)
        return next
      }
      call.patience = setTimeout(abandon, patienceMs, id).unref()
      return inputRequired({ inputRequests: { [person]: requestOf(next) }, requestState: id })
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
  const abandon = (id: string) => {
    const call = waiting.get(id)
    waiting.delete(id)
    clearTimeout(call?.patience)
    call?.end.abort(new Error('No reply to the question arrived'))
  }
  return {
    begin: (owner, context, run) => {
      const id = newId()
      const call: Omit<Running, 'outcome'> = {
        owner,
        context,
        question: Promise.withResolvers(),
        end: new AbortController(),
      }
      const started: Running = Object.assign(call, { outcome: run(channelOf(call)) })
      waiting.set(id, started)
      return answerTo(id, started, context)
    },
    resume: async (owner, id, context) => {
      const call = waiting.get(id)
      if (call?.owner !== owner)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Nothing waits for this answer any more; call again')
      clearTimeout(call.patience)
      takeReply(call, context)
      return answerTo(id, call, context)
    },
    end: () => {
      for (const id of waiting.keys()) abandon(id)
    },
  }
}

const person = 'person'
const requestOf = (question: Question) =>
  question.mode === 'url' ? inputRequired.elicitUrl(question) : inputRequired.elicit(question)

/** Passes the reply in a request to the waiting call. Without a reply, the same question is asked again. */
function takeReply(call: Running, { mcpReq }: ServerContext): void {
  const answer = inputResponse(mcpReq.inputResponses, person)
  if (!call.reply || answer.kind !== 'elicit') return
  call.question = Promise.withResolvers()
  call.reply.resolve(answer.action)
  call.reply = undefined
}

function channelOf(call: Omit<Running, 'outcome'>): Channel {
  return {
    signal: call.end.signal,
    report: wantsProgress(call.context) ? (note) => reportOver(call.context, note) : undefined,
    elicit: (question, signal) => {
      const reply = Promise.withResolvers<Answer>()
      call.reply = reply
      call.question.resolve(question)
      return unlessAborted(signal, reply.promise)
    },
    end: () => {},
  }
}
