import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Pager, Empty, Fault, Loading, Outside, State, Table, Tabs, ago, count, plural } from '../parts.ts'
import { usePolled } from '../server-calls.ts'
import { type CheckDetail, checkOf, isUnderWay } from './monitor-views.ts'
import { isRecord } from '../../../util/json.ts'

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
  const found = kinds.filter((kind) => summary[kind] > 0)
  const all = ['', `All ${count(summary.totalPages)}`] as const
  const tabs = Object.fromEntries([all, ...found.map((kind) => [kind, `${names[kind]} ${count(summary[kind])}`])])
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

type Change = { field: string; previous: unknown; current: unknown }
type DiffProps = { diff: { text?: string | undefined; json?: Readonly<Record<string, unknown>> | undefined } }

const firstLines = 200

/** What changed on a page: fields as a table, text line by line. */
export function Diff({ diff: { text, json = {} } }: DiffProps): VNode {
  const changes = changesIn(json)
  return html`
    ${changes.length > 0 && html`<${Fields} changes=${changes} />`}
    ${text !== undefined && text !== '' && html`<${Lines} text=${text} />`}
    ${changes.length === 0 && !text && html`<p class="faint">The change was too long to be kept.</p>`}
  `
}

/** Fields that changed; the structure of a diff of text has none. */
export const changesIn = (json: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(json).flatMap(([field, value]) =>
    isRecord(value) && ('previous' in value || 'current' in value)
      ? [{ field, previous: value['previous'], current: value['current'] }]
      : [],
  )

const Fields = ({ changes }: { changes: readonly Change[] }) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="Fields that changed">
    <${Table}
      kind="changes"
      head=${['Field', 'Before', 'Now']}
      rows=${changes.map(({ field, previous, current }) => [
        field,
        html`<del>${shown(previous)}</del>`,
        html`<ins>${shown(current)}</ins>`,
      ])}
    />
  </div>`

function shown(value: unknown): VNode | string {
  if (value === undefined || value === null) return html`<i class="faint">none</i>`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Line = { kind: 'added' | 'taken' | 'place' | 'kept'; text: string }

/** Lines of a unified diff, without the names of files at its head: both are the same page. */
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

/** Signs stay in front of the lines, so that they do not differ by colour alone. */
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
