import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { count } from './words.ts'

type PagerProps = { offset: number; window: number; total: number; go(offset: number): void }

/** Leads through a long list, so many rows at a time; nothing where all are in sight. */
export function Pager({ offset, window, total, go }: PagerProps): VNode | null {
  if (total <= window && offset === 0) return null
  const last = Math.min(total, offset + window)
  return html`<div class="pager" role="group" aria-label="Pages of the list">
    <button type="button" disabled=${offset === 0} onClick=${() => go(Math.max(0, offset - window))}>Back</button>
    <span class="faint" role="status">${count(offset + 1)}–${count(last)} of ${count(total)}</span>
    <button type="button" disabled=${last >= total} onClick=${() => go(offset + window)}>Further</button>
  </div>`
}
