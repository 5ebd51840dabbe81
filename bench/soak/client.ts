import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '../../src/kernel/error-table.ts'

export type Json = Record<string, unknown>

/** Outcome of a call: `ok`, an error code, or the reason for a missing answer. */
export type Ended = { how: string; isTyped: boolean }
export type Answer = { body: Json; ended: Ended }

/** Access of one team to the server. */
export type Client = {
  call(method: string, path: string, body?: object | FormData): Promise<Answer>
  /** The same, but the caller disconnects before the answer arrives. */
  leave(method: string, path: string, body: object, afterMs: number): Promise<Answer>
}

const answerTimeoutMs = 180_000
const ok: Ended = { how: 'ok', isTyped: true }

export function createClient(url: string, key: string): Client {
  const send = async (method: string, path: string, body: object | undefined, signal: AbortSignal) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal,
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    async call(method, path, body) {
      try {
        const { status, text } = await send(method, path, body, AbortSignal.timeout(answerTimeoutMs))
        return { body: parsed(text), ended: endOf(status, text) }
      } catch (thrown) {
        return { body: {}, ended: { how: `no answer: ${reasonOf(thrown)}`, isTyped: false } }
      }
    },
    async leave(method, path, body, afterMs) {
      const leaving = new AbortController()
      const answer = send(method, path, body, leaving.signal).then(
        ({ status, text }) => endOf(status, text),
        () => ({ how: 'left', isTyped: true }),
      )
      await Promise.race([answer, sleep(afterMs)])
      leaving.abort()
      return { body: {}, ended: await answer }
    },
  }
}

/** True if the code is in our error table, except `UNKNOWN_ERROR`, which stands for unforeseen errors. */
export const isTyped = (code: unknown): boolean =>
  typeof code === 'string' && Object.hasOwn(errors, code) && code !== 'UNKNOWN_ERROR'

function endOf(status: number, text: string): Ended {
  const { success, code } = parsed(text)
  if (status < 300 && success === true) return ok
  if (isTyped(code)) return { how: String(code), isTyped: true }
  return { how: `${status} ${String(code)} ${text.slice(0, 300)}`, isTyped: false }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error
    ? [thrown.message, thrown.cause ? reasonOf(thrown.cause) : ''].join(' ').trim()
    : String(thrown)
