import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** Who is logged in. The name of the key is empty where none is needed. */
export function login() {
  const { token = '', user = '', team = '', admin } = document.getElementById('app')?.dataset ?? {}
  return { token, user, team, isAdmin: admin === 'true' }
}

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
  const headers = { 'x-gossamer-token': login().token, ...(body && { 'content-type': 'application/json' }) }
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

export type Polled<T> = { value: T | undefined; fault: unknown; refresh(): void }

/** Asks again and again while the window is seen; `everyMs` 0 asks once. What came before stays until there is news. */
export function usePolled<T>(ask: (signal: AbortSignal) => Promise<T>, everyMs: number, about: string): Polled<T> {
  const [state, setState] = useState<{ value?: T; fault?: unknown; about: string }>({ about })
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function once(): Promise<void> {
      if (!document.hidden) {
        try {
          const value = await latest.current(gone.signal)
          if (!gone.signal.aborted) setState({ value, about })
        } catch (fault) {
          if (!gone.signal.aborted) setState((before) => ({ ...before, fault, about }))
        }
      }
      if (everyMs > 0 && !gone.signal.aborted) timer = setTimeout(() => void once(), everyMs)
    }
    void once()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [everyMs, about, turn])
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const isCurrent = state.about === about
  return { value: isCurrent ? state.value : undefined, fault: isCurrent ? state.fault : undefined, refresh }
}
