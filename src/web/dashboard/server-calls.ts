import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** Returns the current login. `user` is the name of the key; empty if the server needs no key. */
export function login() {
  const { token = '', user = '', team = '', admin } = document.getElementById('app')?.dataset ?? {}
  return { token, user, team, isAdmin: admin === 'true' }
}

/** A failed call with the server's message and hint. */
export class CallError extends Error {
  readonly code: string
  readonly hint: string
  /** Faults by the path of the field. */
  readonly details: readonly { path: readonly (string | number)[]; message: string }[]
  constructor(message: string, code: string, hint: string, details: unknown = []) {
    super(message)
    this.code = code
    this.hint = hint
    this.details = Array.isArray(details) ? details : []
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type CallOptions = { body?: object | undefined; signal?: AbortSignal }

export type Exchange = { status: number; isOk: boolean; answer: Readonly<Record<string, unknown>> }

/** Returns any response, including errors. Fails with CallError if there is none; rejects when the signal fires. */
export async function exchange(method: Method, path: string, options: CallOptions = {}): Promise<Exchange> {
  const { token } = login()
  const response = await send(method, path, options)
  if (response.status === 401) {
    await renewLogin()
    if (login().token !== token) return exchange(method, path, options)
  }
  const nothing = response.ok ? {} : { error: `The server answered ${response.status}.` }
  const answer = await response.json().catch(() => nothing)
  return { status: response.status, isOk: response.ok && answer.success !== false, answer }
}

/** Returns a successful response. Fails with CallError. */
export async function call<T extends object>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { isOk, answer } = await exchange(method, path, options)
  if (isOk) return answer as T
  const { error = 'The server refused this.', code = '', hint = '', details } = answer
  throw new CallError(String(error), String(code), String(hint), details)
}

let renewing: Promise<void> | undefined

/** Asks for the key in a dialog on top of the page, so that forms keep their content. */
const renewLogin = () => (renewing ??= askLogin().finally(() => (renewing = undefined)))

async function askLogin(): Promise<void> {
  const headers = { accept: 'text/html' }
  let answer = await fetch('/', { headers })
  for (;;) {
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const facts = page.getElementById('app')?.dataset
    if (facts) return void Object.assign(document.getElementById('app')?.dataset ?? {}, facts)
    const key = await askKey(page.getElementById('fault')?.textContent ?? '')
    answer = await fetch('/', { method: 'POST', headers, body: new URLSearchParams({ key }) })
  }
}

function askKey(fault: string): Promise<string> {
  const dialog = document.createElement('dialog')
  dialog.ariaLabel = 'Log in again'
  dialog.innerHTML = `<h2>Your login has ended</h2>
    <p>Log in again to continue. The form keeps its content.</p>
    <form method="dialog" class="call"><label class="field"><span>API key</span>
      <input type="password" autocomplete="current-password" required autofocus></label>
      <p class="fault" role="alert"></p><button class="primary">Log in</button></form>`
  dialog.querySelector('.fault')?.append(fault)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    // The page cannot show anything without a login.
    dialog.addEventListener('cancel', () => location.reload())
    dialog.addEventListener('close', () => {
      resolve(dialog.querySelector('input')?.value ?? '')
      dialog.remove()
    })
  })
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

export type Polled<T> = { value: T | undefined; fault: unknown; refresh(): void }
/** Pause after a response in ms, or a function of its value; 0 ends the polling. */
type Rest<T> = number | ((value: T) => number)

/**
 * Requests a value repeatedly while the window is visible. Keeps the last value until the next response. `about`
 * identifies the value: if it changes, the last value is dropped.
 */
export function usePolled<T>(ask: (signal: AbortSignal) => Promise<T>, rest: Rest<T>, about: string): Polled<T> {
  const [state, setState] = useState<{ value?: T; fault?: unknown; about: string }>({ about })
  const [turn, setTurn] = useState(0)
  const latest = useRef({ ask, rest })
  latest.current = { ask, rest }
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function once(): Promise<void> {
      const { ask: askNow, rest: restNow } = latest.current
      let restMs = typeof restNow === 'number' ? restNow : retryMs
      if (document.hidden) restMs ||= retryMs
      else
        try {
          const value = await askNow(controller.signal)
          if (typeof restNow === 'function') restMs = restNow(value)
          if (!controller.signal.aborted) setState({ value, about })
        } catch (fault) {
          if (!controller.signal.aborted) setState((before) => ({ ...before, fault, about }))
        }
      if (restMs > 0 && !controller.signal.aborted) timer = setTimeout(() => void once(), restMs)
    }
    void once()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [about, turn])
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const isCurrent = state.about === about
  return { value: isCurrent ? state.value : undefined, fault: isCurrent ? state.fault : undefined, refresh }
}

const retryMs = 1000

/** Requests a route; sends nothing if the path is undefined. */
export const useAnswer = <T extends object>(path: string | undefined, rest: Rest<T | undefined> = 0) =>
  usePolled(
    async (signal) => (path === undefined ? undefined : call<T>('GET', path, { signal })),
    rest,
    path ?? '',
  ) as Polled<T>

/** Runs a call for a button or a form, and keeps its error. */
export function useAct(act: () => Promise<unknown>) {
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  function run(event?: Event): void {
    event?.preventDefault()
    setBusy(true)
    setFault(undefined)
    void act()
      .catch(setFault)
      .finally(() => setBusy(false))
  }
  return { fault, isBusy, run }
}
