import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { CallError } from '../api.ts'

type Inside = { children?: ComponentChildren }

/** What to do where there is nothing to show. */
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

export const Loading = () => html`<p class="loading" role="status">Loading…</p>`

/** An address found in the web, opened without telling where from. Other schemes could run scripts here. */
export const Outside = ({ url }: { url: string }) =>
  /^https?:/i.test(url)
    ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${url}</a>`
    : html`<span>${url}</span>`

type TabsProps<T extends string> = {
  label: string
  tabs: readonly (readonly [T, string])[]
  now: T
  choose(tab: T): void
}

/** A row of choices, of which one is on; buttons, so that they need no keys of their own. */
export const Tabs = <T extends string>({ label, tabs, now, choose }: TabsProps<T>) =>
  html`<div class="tabs" role="group" aria-label=${label}>
    ${tabs.map(
      ([id, text]) =>
        html`<button type="button" key=${id} aria-pressed=${id === now} onClick=${() => choose(id)}>${text}</button>`,
    )}
  </div>`
