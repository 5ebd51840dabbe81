const app = document.getElementById('app')
const token = app?.dataset['token'] ?? ''
/** Name of the key that is logged in; empty where none is needed. */
export const user = app?.dataset['user'] ?? ''
/** The team whose rows are shown. */
export const team = app?.dataset['team'] ?? ''
export const isAdmin = app?.dataset['admin'] === 'true'

/** A call that failed, in the words of the service. */
export class CallError extends Error {
  readonly code: string
  readonly hint: string
  constructor(message: string, code: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type CallOptions = { body?: object | undefined; signal?: AbortSignal }

export type Exchange = { status: number; isOk: boolean; answer: Readonly<Record<string, unknown>> }

/** What the server answers, whatever it is. Rejects when the signal fires. */
export async function exchange(method: Method, path: string, options: CallOptions = {}): Promise<Exchange> {
  const response = await send(method, path, options)
  // Whoever is no longer logged in gets to the login.
  if (response.status === 401) location.reload()
  const nothing = response.ok ? {} : { error: `The server answered ${response.status}.` }
  const answer = await response.json().catch(() => nothing)
  return { status: response.status, isOk: response.ok && answer.success !== false, answer }
}

/** Asks the server. Fails with CallError. */
export async function call<T extends object>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { isOk, answer } = await exchange(method, path, options)
  if (isOk) return answer as T
  const { error = 'The server refused this.', code = '', hint = '' } = answer
  throw new CallError(String(error), String(code), String(hint))
}

async function send(method: Method, path: string, { body, signal }: CallOptions): Promise<Response> {
  const headers = { 'x-gossamer-token': token, ...(body && { 'content-type': 'application/json' }) }
  try {
    return await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new CallError('The server does not answer.', '', 'Is “gossamer serve” still running?')
  }
}

export async function logOut(): Promise<void> {
  await call('POST', '/dashboard/logout')
  location.reload()
}
