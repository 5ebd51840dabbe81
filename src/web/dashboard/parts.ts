import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { CallError, useAct, usePolled } from './server-calls.ts'
import { useChoice } from './place.ts'
import { useRef, useState } from 'preact/hooks'

const numbers = new Intl.NumberFormat('en')
/** Decimals are dropped from 1000 up. */
export const count = (value: number) =>
  numbers.format(value >= 1000 ? Math.round(value) : Math.round(value * 100) / 100)

/** “1 page”, “2 pages”. */
export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

const calendar = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const day = (iso: string) => calendar.format(new Date(iso))

/** Seconds in the largest suitable unit, below a day. */
function rounded(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

/** Formats a time relative to now: “5 min ago”, “in 3 h”, “on 4 May”. */
export function ago(iso: string): string {
  const seconds = (Date.now() - Date.parse(iso)) / 1000
  if (Math.abs(seconds) < 10) return seconds < 0 ? 'now' : 'just now'
  if (Math.abs(seconds) >= 86_400) return `on ${day(iso)}`
  return seconds < 0 ? `in ${rounded(-seconds)}` : `${rounded(seconds)} ago`
}

const exactly = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Shows a time relative to now, and its date in a tooltip. */
export const Time = ({ iso, says = ago(iso) }: { iso: string; says?: string }) =>
  html`<time class="faint" datetime=${iso} title=${exactly.format(new Date(iso))}>${says}</time>`

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

export const Empty = ({ title, children }: { title: string } & Inside) =>
  html`<div class="empty">
    <b>${title}</b>
    <div>${children}</div>
  </div>`

export function Fault({ of: fault }: { of: unknown }): VNode | null {
  if (fault === undefined) return null
  const { message, hint, code } = fault instanceof CallError ? fault : { message: String(fault), hint: '', code: '' }
  return html`<div class="fault-box" role="alert">
    <p class="fault">${message}</p>
    ${hint && html`<p>${hint}</p>`} ${code && html`<p class="faint"><code>${code}</code></p>`}
  </div>`
}

const tones = {
  good: ['completed', 'active'],
  bad: ['failed', 'error', 'removed'],
  warn: ['partial', 'changed', 'skipped_no_credits'],
  busy: ['new', 'scraping', 'processing', 'running', 'open', 'checking'],
}
export const toneOf = (state: string) => Object.entries(tones).find(([, all]) => all.includes(state))?.[0] ?? ''

const states: Readonly<Record<string, string>> = {
  scraping: 'running',
  processing: 'running',
  completed: 'done',
  partial: 'in part',
  skipped_no_credits: 'no credits',
}

export const State = ({ is }: { is: string }) => html`<span class=${`state ${toneOf(is)}`}>${states[is] ?? is}</span>`

export const Progress = ({ done, total }: { done: number; total: number }) =>
  html`<progress aria-label="Progress" value=${done} max=${Math.max(1, total)}></progress>`

type TileProps = { name: string; value: number | string | undefined; note?: string | undefined | false }

export const Tile = ({ name, value = '–', note }: TileProps) =>
  html`<div class="tile">
    <span class="faint">${name}</span><strong>${typeof value === 'number' ? count(value) : value}</strong>
    ${note && html`<span class="faint">${note}</span>`}
  </div>`

/** Placeholder for a value that is loading or could not be loaded. */
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

/** Row of buttons, one of which is pressed. */
export const Tabs = <T extends string>({ label, tabs, now, choose }: TabsProps<T>) =>
  html`<div class="tabs" role="group" aria-label=${label}>
    ${(Object.entries(tabs) as [T, string][]).map(
      ([id, text]) =>
        html`<button type="button" key=${id} aria-pressed=${id === now} onClick=${() => choose(id)}>${text}</button>`,
    )}
  </div>`

type DoProps = Inside & {
  act(): Promise<unknown>
  busy?: string
  kind?: string
  disabled?: boolean
  /** Confirmation before an action that cannot be undone. */
  question?: { title: string; text: string }
}

/** Button for a call to the server. Shows the error if the call fails. */
export function Do({ act, busy, kind, disabled, question, children }: DoProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const { fault, isBusy, run } = useAct(act)
  function closed({ currentTarget }: { currentTarget: HTMLDialogElement }): void {
    if (currentTarget.returnValue === 'yes') run()
    currentTarget.returnValue = ''
  }
  const press = () => (question ? dialog.current?.showModal() : run())
  return html`<button type="button" class=${kind} disabled=${disabled || isBusy} onClick=${press}>
      ${(isBusy && busy) || children}
    </button>
    ${
      question &&
      html`<dialog ref=${dialog} aria-label=${question.title} onClose=${closed}>
        <h2>${question.title}</h2>
        <p>${question.text}</p>
        <form method="dialog" class="inline end">
          <button value="no" autofocus>Keep it</button>
          <button value="yes" class=${kind}>${children}</button>
        </form>
      </dialog>`
    }
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

type RowsProps<T> = Inside & { label?: string; fault: unknown; rows: readonly T[] | undefined; row(item: T): VNode }

/** List of rows. The children are shown if the list is empty. */
export const Rows = <T>({ label, fault, rows, row, children }: RowsProps<T>) =>
  html`<${Awaited} value=${rows} fault=${fault} />
    ${rows?.length === 0 && children}
    <ul class="rows" aria-label=${label}>
      ${rows?.map(row)}
    </ul>`

/** Index of the first shown row of a list with pages. */
export function useOffset(): [number, (offset: number) => void] {
  const [from, setFrom] = useChoice<string>('from', '0')
  return [Number(from), (offset) => setFrom(String(offset))]
}

type PagerProps = { at: ReturnType<typeof useOffset>; window: number; total: number | undefined }

/** Buttons for the pages of a long list; null if one page shows all rows. */
export function Pager({ at: [offset, go], window, total = 0 }: PagerProps): VNode | null {
  if (total <= window && offset === 0) return null
  const last = Math.min(total, offset + window)
  return html`<div class="pager" role="group" aria-label="Pages of the list">
    <button type="button" disabled=${offset === 0} onClick=${() => go(Math.max(0, offset - window))}>Previous</button>
    <span class="faint" role="status">${count(offset + 1)}–${count(last)} of ${count(total)}</span>
    <button type="button" disabled=${last >= total} onClick=${() => go(offset + window)}>Next</button>
  </div>`
}

export type View<P> = (props: P) => VNode | null

/** View with a script that is loaded on first use, so that the start page opens quickly. */
export function later<P extends object>(load: () => Promise<View<P>>): View<P> {
  let view: View<P> | undefined
  return function Later(props) {
    const { fault } = usePolled(async () => (view ??= await load()), 0, '')
    return view ? html`<${view} ...${props} />` : html`<${Awaited} fault=${fault && missing} />`
  }
}

const missing = new CallError(
  'This view could not be loaded.',
  '',
  'Is “gossamer serve” still running? Reload the page.',
)

/** Copies texts to the clipboard. The note states whether copying succeeded. */
export function useCopy(): [note: string, copy: (text: string, done: string) => Promise<void>, clear: () => void] {
  const [note, setNote] = useState('')
  async function copy(text: string, done: string): Promise<void> {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setNote(isDone ? done : 'The browser does not allow copying')
  }
  return [note, copy, () => setNote('')]
}

export function CodeBox({ label, text }: { label: string; text: string }): VNode {
  const [note, copy, clear] = useCopy()
  return html`<div class="code-box">
    <pre tabindex="0" aria-label=${label}>${text}</pre>
    <button type="button" onClick=${() => copy(text, 'Copied')} onBlur=${clear}>${note || 'Copy'}</button>
  </div>`
}

type TableProps = { label: string; head: readonly ComponentChildren[]; rows: readonly (readonly ComponentChildren[])[] }

/** Table that scrolls sideways if it is too wide. The first cell of a row is its header. */
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
