import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { CallError } from './server-calls.ts'
import { useRef, useEffect, useState } from 'preact/hooks'

const numbers = new Intl.NumberFormat('en')
/** Decimals are dropped from 1000 up. */
export const count = (value: number) =>
  numbers.format(value >= 1000 ? Math.round(value) : Math.round(value * 100) / 100)

/** “1 page”, “2 pages”. */
export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

const calendar = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const day = (iso: string) => calendar.format(new Date(iso))

/** Seconds in the largest suitable unit; undefined from a day up. */
function rounded(seconds: number): string | undefined {
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.round(seconds / 3600)} h` : undefined
}

export function ago(iso: string): string {
  const seconds = (Date.now() - Date.parse(iso)) / 1000
  const time = rounded(seconds)
  return seconds < 10 ? 'just now' : time === undefined ? day(iso) : `${time} ago`
}

export function until(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000
  return seconds < 10 ? 'now' : `${rounded(seconds) === undefined ? 'on' : 'in'} ${rounded(seconds) ?? day(iso)}`
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${count(Math.round(seconds * 10) / 10)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}

const exactly = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A time as people say it; pointing at it shows the date. */
export const Time = ({ iso, says = ago(iso) }: { iso: string; says?: string }) =>
  html`<time class="faint" datetime=${iso} title=${exactly.format(new Date(iso))}>${says}</time>`

const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
export const month = (iso: string) => months.format(new Date(iso))

const kinds: Readonly<Record<string, string>> = {
  batch_scrape: 'batch',
  browser: 'session',
  monitor: 'check',
  llmstxt: 'llms.txt',
}
export const kindName = (endpoint: string) => kinds[endpoint] ?? endpoint.replaceAll('_', ' ')

/** URL without scheme and trailing slash. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '')

type Inside = { children?: ComponentChildren }

/** Placeholder for an empty view, with a suggestion. */
export const Empty = ({ title, children }: { title: string } & Inside) =>
  html`<div class="empty">
    <p class="empty-title">${title}</p>
    <p>${children}</p>
  </div>`

export function Fault({ of: fault }: { of: unknown }): VNode | null {
  if (fault === undefined) return null
  const { message, hint, code } = fault instanceof CallError ? fault : { message: String(fault), hint: '', code: '' }
  return html`<div class="fault-box" role="alert">
    <p class="fault">${message}</p>
    ${hint && html`<p>${hint}</p>`} ${code && html`<p class="faint"><code>${code}</code></p>`}
  </div>`
}

const tones: Readonly<Record<string, string>> = {
  completed: 'good',
  active: 'good',
  failed: 'bad',
  error: 'bad',
  removed: 'bad',
  partial: 'warn',
  changed: 'warn',
  skipped_no_credits: 'warn',
  new: 'busy',
  scraping: 'busy',
  processing: 'busy',
  running: 'busy',
  open: 'busy',
  checking: 'busy',
}
const states: Readonly<Record<string, string>> = {
  scraping: 'running',
  processing: 'running',
  completed: 'done',
  partial: 'in part',
  skipped_no_credits: 'no credits',
}

export const State = ({ is }: { is: string }) =>
  html`<span class=${`state ${tones[is] ?? ''}`}>${states[is] ?? is}</span>`

export const Progress = ({ done, total }: { done: number; total: number }) =>
  html`<progress aria-label="Progress" value=${done} max=${Math.max(1, total)}></progress>`

export const Tile = ({ name, value, note }: { name: string; value: string; note?: string | undefined }) =>
  html`<div class="tile">
    <span class="faint">${name}</span><strong>${value}</strong>${note && html`<span class="faint">${note}</span>`}
  </div>`

/** Stands for a value that has not come yet: the reason, or that it is on its way. */
export function Awaited({ value, fault }: { value?: unknown; fault: unknown }): VNode | null {
  if (fault !== undefined) return html`<${Fault} of=${fault} />`
  return value === undefined ? html`<p class="loading" role="status">Loading…</p>` : null
}

/** External link, opened without a referrer. URLs of other schemes could run scripts, so they stay text. */
export const Outside = ({ url, children = url }: { url: string } & Inside) =>
  /^https?:/i.test(url)
    ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${children}</a>`
    : html`<span>${children}</span>`

type TabsProps<T extends string> = {
  label: string
  tabs: Readonly<Partial<Record<T, string>>>
  now: T
  choose(tab: T): void
}

/** Row of choices, one of which is on; buttons, so they need no key handling. */
export const Tabs = <T extends string>({ label, tabs, now, choose }: TabsProps<T>) =>
  html`<div class="tabs" role="group" aria-label=${label}>
    ${(Object.entries(tabs) as [T, string][]).map(
      ([id, text]) =>
        html`<button type="button" key=${id} aria-pressed=${id === now} onClick=${() => choose(id)}>${text}</button>`,
    )}
  </div>`

type DoProps = Inside & { act(): Promise<unknown>; busy?: string; kind?: string; disabled?: boolean }

/** Button that does something on the server, and says why it could not. */
export function Do({ act, busy, kind, disabled, children }: DoProps): VNode {
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  async function run(): Promise<void> {
    setBusy(true)
    setFault(
      await act().then(
        () => undefined,
        (failure: unknown) => failure,
      ),
    )
    setBusy(false)
  }
  return html`<button type="button" class=${kind} disabled=${disabled || isBusy} onClick=${run}>
      ${(isBusy && busy) || children}
    </button>
    <${Fault} of=${fault} />`
}

type SelectProps = Inside & { label: string; now: string; choose(value: string): void }

export const Select = ({ label, now, choose, children }: SelectProps) =>
  html`<label class="inline">
    <span>${label}</span>
    <select
      value=${now}
      onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => choose(currentTarget.value)}
    >
      ${children}
    </select>
  </label>`

type AskProps = Inside & { verb: string; title: string; agree(): Promise<unknown> }

/** Button for an action that cannot be undone, with a confirmation. */
export function Ask({ verb, title, agree, children }: AskProps): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const [fault, setFault] = useState<unknown>()
  const closed = ({ currentTarget }: { currentTarget: HTMLDialogElement }) => {
    if (currentTarget.returnValue === 'yes') agree().catch(setFault)
    currentTarget.returnValue = ''
  }
  return html`<button type="button" class="danger" onClick=${() => window.current?.showModal()}>${verb}</button>
    <dialog ref=${window} aria-label=${title} onClose=${closed}>
      <h2>${title}</h2>
      <p>${children}</p>
      <form method="dialog" class="inline end">
        <button value="no" autofocus>Keep it</button>
        <button value="yes" class="danger">${verb}</button>
      </form>
    </dialog>
    <${Fault} of=${fault} />`
}

type PagerProps = { offset: number; window: number; total: number; go(offset: number): void }

/** Pages through a long list; null if all rows are visible. */
export function Pager({ offset, window, total, go }: PagerProps): VNode | null {
  if (total <= window && offset === 0) return null
  const last = Math.min(total, offset + window)
  return html`<div class="pager" role="group" aria-label="Pages of the list">
    <button type="button" disabled=${offset === 0} onClick=${() => go(Math.max(0, offset - window))}>Back</button>
    <span class="faint" role="status">${count(offset + 1)}–${count(last)} of ${count(total)}</span>
    <button type="button" disabled=${last >= total} onClick=${() => go(offset + window)}>Further</button>
  </div>`
}

type View<P> = (props: P) => VNode | null

/** View whose script is loaded on first use, so the first room opens quickly. */
export function later<P extends object>(load: () => Promise<View<P>>): View<P> {
  let view: View<P> | undefined
  return function Later(props) {
    const [fault, setFault] = useState<unknown>()
    const [, setTurn] = useState(0)
    useEffect(() => {
      if (view) return
      const show = (loaded: View<P>) => {
        view = loaded
        setTurn((turn) => turn + 1)
      }
      load().then(show, () => setFault(missing))
    }, [])
    if (view) return html`<${view} ...${props} />`
    return html`<${Awaited} fault=${fault} />`
  }
}

const missing = new CallError(
  'This room could not be loaded.',
  '',
  'Is “gossamer serve” still running? Reload the page.',
)

type ListProps = {
  label: string
  size: number
  rowHeight: number
  /** Reports the visible rows, so they can be loaded. */
  seen?(first: number, last: number): void
  row(index: number): VNode
}

const spare = 8

/** List of any length; only the rows in view are in the document. */
export function VirtualList({ label, size, rowHeight, seen, row }: ListProps): VNode {
  const box = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ top: 0, height: 600 })
  const look = () => {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {}
    setSight({ top: scrollTop, height: clientHeight })
  }
  useEffect(() => {
    const watching = new ResizeObserver(look)
    if (box.current) watching.observe(box.current)
    return () => watching.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(sight.top / rowHeight) - spare)
  const last = Math.min(size - 1, Math.ceil((sight.top + sight.height) / rowHeight) + spare)
  useEffect(() => seen?.(first, last), [first, last, size])
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return html`<div class="list" role="list" aria-label=${label} tabindex="0" ref=${box} onScroll=${look}>
    <div class="list-room" role="presentation" style=${{ height: `${size * rowHeight}px` }}>
      ${rows.map(
        (at) =>
          html`<div
            key=${at}
            class="list-row"
            role="listitem"
            aria-setsize=${size}
            aria-posinset=${at + 1}
            style=${{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}
          >
            ${row(at)}
          </div>`,
      )}
    </div>
  </div>`
}

/** Text with a copy button. */
export function CodeBox({ label, text }: { label: string; text: string }): VNode {
  const [says, setSays] = useState('Copy')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSays('Copied'),
      () => setSays('Select and copy it by hand'),
    )
  return html`<div class="code-box">
    <pre tabindex="0" aria-label=${label}>${text}</pre>
    <button type="button" onClick=${copy} onBlur=${() => setSays('Copy')}>${says}</button>
  </div>`
}

type TableProps = { label: string; head: readonly string[]; rows: readonly (readonly ComponentChildren[])[] }

/** Table that scrolls sideways if it has to. The first cell of a row is its header. */
export const Table = ({ label, head, rows }: TableProps) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${head.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
