import { randomUUID } from 'node:crypto'
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import {
  type Answer,
  patienceMs,
  type Question,
  type Channel,
  reportOver,
  signalOf,
  wantsProgress,
} from './client-channel.ts'

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
    call?.end.abort(new Error('Nobody came back with an answer'))
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

/** If the request has no reply, the same question is asked again. */
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
      const stop = () => reply.reject(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      call.reply = reply
      call.question.resolve(question)
      return reply.promise.finally(() => signal.removeEventListener('abort', stop))
    },
    end: () => {},
  }
}
