import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Pager, Empty, Fault, Outside, State, Table, Tabs, ago, count, plural, Awaited } from '../../parts.ts'
import { useChoice } from '../../place.ts'
import { usePolled } from '../../server-calls.ts'
import { shown } from '../data-views.ts'
import { type CheckDetail, checkOf, isUnderWay } from './monitor-data.ts'
import { isRecord } from '../../../../util/json.ts'

/** Diffs are long, so more of them would slow down the page. */
const window = 20
const kinds = ['changed', 'new', 'removed', 'error', 'same'] as const

type CheckProps = { id: string; check: string }

/** Results of one check, with the changes of each page. */
export function Check({ id, check }: CheckProps): VNode {
  const [status, setStatus] = useChoice<string>('status', '')
  const [from, setFrom] = useChoice<string>('from', '0')
  const [skip, setSkip] = [Number(from), (offset: number) => setFrom(String(offset))]
  const [everyMs, setEveryMs] = useState(1000)
  const ask = (signal: AbortSignal) => checkOf(id, check, { status, skip, limit: window }, signal)
  const { value, fault } = usePolled(ask, everyMs, `${check} ${status} ${skip}`)
  if (value && !isUnderWay(value) && everyMs > 0) setEveryMs(0)
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { summary } = value
  const choose = (kind: string) => {
    setStatus(kind)
    setSkip(0)
  }
  const found = kinds.filter((kind) => summary[kind] > 0)
  const all = ['', `All ${count(summary.totalPages)}`] as const
  const tabs = Object.fromEntries([all, ...found.map((kind) => [kind, `${names[kind]} ${count(summary[kind])}`])])
  return html`
    <p><a href=${`#/monitors/${id}`}>← All checks of this monitor</a></p>
    <${Fault} of=${fault} />
    <p class="facts">
      <${State} is=${value.status} />
      <span>${value.trigger === 'manual' ? 'started by hand' : 'started by the schedule'} ${ago(value.createdAt)}</span>
      <span class="faint">${plural(value.actualCredits, 'credit')}</span>
    </p>
    ${value.error !== null && html`<p class="fault-box fault" role="alert">${value.error}</p>`}
    ${value.warning !== undefined && html`<p class="note">${value.warning}</p>`}
    ${found.length > 1 && html`<${Tabs} label="Show pages that are" tabs=${tabs} now=${status} choose=${choose} />`}
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

/** Findings of the newest check with a change, its first page only. */
export function LastChange({ id, check }: CheckProps): VNode | null {
  const query = { status: 'changed', skip: 0, limit: 1 }
  const { value } = usePolled((signal) => checkOf(id, check, query, signal), 0, check)
  const [page] = value?.pages ?? []
  if (!value || !page) return null
  return html`<section aria-label="Last change">
    <h2>Last change, ${ago(value.createdAt)}</h2>
    ${pageOf(page)}
    ${value.summary.changed > 1 && html`<a href=${`#/monitors/${id}/${check}`}>All ${count(value.summary.changed)} changed pages</a>`}
  </section>`
}

type Change = { field: string; previous: unknown; current: unknown }
type DiffProps = { diff: { text?: string | undefined; json?: Readonly<Record<string, unknown>> | undefined } }

const firstLines = 200

/** Changes of a page: fields as a table, text line by line. */
export function Diff({ diff: { text, json = {} } }: DiffProps): VNode {
  const changes = changesIn(json)
  return html`
    ${changes.length > 0 && html`<${Fields} changes=${changes} />`}
    ${text !== undefined && text !== '' && html`<${Lines} text=${text} />`}
    ${changes.length === 0 && !text && html`<p class="faint">The change was too long to be kept.</p>`}
  `
}

/** Fields that changed; none for the structure of a text diff. */
export const changesIn = (json: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(json).flatMap(([field, value]) =>
    isRecord(value) && ('previous' in value || 'current' in value)
      ? [{ field, previous: value['previous'], current: value['current'] }]
      : [],
  )

const Fields = ({ changes }: { changes: readonly Change[] }) =>
  html`<${Table}
    label="Fields that changed"
    head=${['Field', 'Before', 'Now']}
    rows=${changes.map(({ field, previous, current }) => [
      field,
      html`<del>${shown(previous)}</del>`,
      html`<ins>${shown(current)}</ins>`,
    ])}
  />`

type Line = { kind: 'added' | 'taken' | 'place' | 'kept'; text: string }

/** Lines of a unified diff without its file names: both are the same page. */
export function linesOf(text: string): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const first = lines.findIndex((each) => each.startsWith('@@'))
  return lines.slice(Math.max(0, first)).map((each) => ({ kind: kindOf(each), text: each }))
}

function kindOf(line: string): Line['kind'] {
  if (line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'taken' : 'kept'
}

/** Keeps the signs before the lines, so they differ not only by colour. */
function Lines({ text }: { text: string }): VNode {
  const [isWhole, setWhole] = useState(false)
  const lines = linesOf(text)
  const added = lines.filter(({ kind }) => kind === 'added').length
  const taken = lines.filter(({ kind }) => kind === 'taken').length
  const shownLines = isWhole ? lines : lines.slice(0, firstLines)
  return html`<p class="faint">${plural(added, 'line')} added, ${plural(taken, 'line')} taken away</p>
    <pre class="diff" tabindex="0" aria-label="Text that changed">${shownLines.map(lineOf)}</pre>
    ${
      shownLines.length < lines.length &&
      html`<button type="button" class="start" onClick=${() => setWhole(true)}>
        Show ${plural(lines.length - shownLines.length, 'more line')}
      </button>`
    }`
}

function lineOf({ kind, text }: Line, at: number): VNode {
  if (kind === 'added') return html`<ins key=${at}>${`${text}\n`}</ins>`
  if (kind === 'taken') return html`<del key=${at}>${`${text}\n`}</del>`
  return html`<span key=${at} class=${kind === 'place' ? 'faint' : 'kept'}>${`${text}\n`}</span>`
}
