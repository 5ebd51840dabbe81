import { type ClientCapabilities, type ElicitRequestParams, SdkError, SdkErrorCode } from '@modelcontextprotocol/server'
import type { AskPerson } from '../../kernel/ctx.ts'

export type Question =
  | { mode: 'url'; message: string; url: string }
  | Extract<ElicitRequestParams, { requestedSchema: unknown }>
export type Answer = 'accept' | 'decline' | 'cancel'
/** Puts a question to the person behind the client. Rejects when the signal fires or the client cannot. */
export type Elicit = (question: Question, signal: AbortSignal) => Promise<Answer>

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
