import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Pager } from '../../parts/pager.ts'
import { Empty, Fault, Loading, Outside, State, Tabs } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { ago, count, plural } from '../../parts/words.ts'
import { Diff } from './diff.ts'
import { type CheckDetail, checkOf, isUnderWay } from './monitor-data.ts'

/** Diffs are long: more at once would make the page slow. */
const window = 20
const kinds = ['changed', 'new', 'removed', 'error', 'same'] as const

type CheckProps = { id: string; check: string }

/** What one check found on each page, with what changed. */
export function Check({ id, check }: CheckProps): VNode {
  const [status, setStatus] = useState('')
  const [skip, setSkip] = useState(0)
  const [everyMs, setEveryMs] = useState(1000)
  const ask = (signal: AbortSignal) => checkOf(id, check, { status, skip, limit: window }, signal)
  const { value, fault } = usePolled(ask, everyMs, `${check} ${status} ${skip}`)
  if (value && !isUnderWay(value) && everyMs > 0) setEveryMs(0)
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  const { summary } = value
  const choose = (kind: string) => {
    setStatus(kind)
    setSkip(0)
  }
  const tabs = [
    ['', `All ${count(summary.totalPages)}`],
    ...kinds.filter((kind) => summary[kind] > 0).map((kind) => [kind, `${names[kind]} ${count(summary[kind])}`]),
  ]
  return html`
    <p><a href=${`#/monitors/${id}`}>← All checks of this monitor</a></p>
    <${Fault} of=${fault} />
    <p class="facts">
      <${State} is=${value.status} />
      <span>${value.trigger === 'manual' ? 'begun by hand' : 'begun by the schedule'} ${ago(value.createdAt)}</span>
      <span class="faint">${plural(value.actualCredits, 'credit')}</span>
    </p>
    ${value.error !== null && html`<p class="fault-box fault" role="alert">${value.error}</p>`}
    ${value.warning !== undefined && html`<p class="note">${value.warning}</p>`}
    ${tabs.length > 2 && html`<${Tabs} label="Show pages that are" tabs=${tabs} now=${status} choose=${choose} />`}
    ${nothing(value)}
    <div class="found">${value.pages.map(pageOf)}</div>
    <${Pager}
      offset=${skip}
      window=${window}
      total=${status === '' ? summary.totalPages : summary[status as 'same']}
      go=${setSkip}
    />
  `
}

const names: Readonly<Record<(typeof kinds)[number], string>> = {
  changed: 'Changed',
  new: 'New',
  removed: 'Removed',
  error: 'In error',
  same: 'The same',
}

function nothing(check: CheckDetail): VNode | false {
  if (check.pages.length > 0) return false
  if (isUnderWay(check)) return html`<${Empty} title="The check is under way">Its pages appear here at its end.<//>`
  return html`<${Empty} title="No page to show">This check read no page.<//>`
}

const pageOf = ({ id, url, status, error, diff, snapshot, currentScrapeId }: CheckDetail['pages'][number]) =>
  html`<article key=${id} class="found-page">
    <header class="facts">
      <${State} is=${status} />
      <${Outside} url=${url} />
      ${currentScrapeId !== null && html`<a class="faint" href=${`#/pages/${currentScrapeId}`}>as it was read</a>`}
    </header>
    ${error !== null && html`<p class="bad-text">${error}</p>`} ${diff !== null && html`<${Diff} diff=${diff} />`}
    ${
      status !== 'changed' &&
      snapshot !== null &&
      html`<details>
        <summary>Its data</summary>
        <pre class="answer" tabindex="0">${JSON.stringify(snapshot.json, undefined, 2)}</pre>
      </details>`
    }
  </article>`
