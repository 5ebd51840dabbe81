import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CheckDetail, CheckedPage } from '../../../../schema/monitor-schema.ts'
import { isRecord } from '../../../../util/json.ts'
import {
  Awaited,
  Empty,
  Fault,
  Outside,
  Pager,
  State,
  Table,
  Tabs,
  ago,
  count,
  plural,
  useOffset,
} from '../../parts.ts'
import { useChoice } from '../../place.ts'
import { useAnswer } from '../../server-calls.ts'
import { shown } from '../data-views.ts'

/** Pages shown at a time. Their diffs are long, so more would slow down the browser. */
const window = 20

type CheckProps = { id: string; check: string }
type Answer = { data: CheckDetail }
const isRunning = (check: CheckDetail | undefined) => check?.status === 'queued' || check?.status === 'running'

/** Results of one check, with the changes of each page. */
export function Check({ id, check }: CheckProps): VNode {
  const [status, setStatus] = useChoice<string>('status', '')
  const at = useOffset()
  const path = `/v2/monitor/${id}/checks/${check}?skip=${at[0]}&limit=${window}${status && `&status=${status}`}`
  const { value, fault } = useAnswer<Answer>(path, (answer) => (isRunning(answer?.data) ? 1000 : 0))
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { data } = value
  const { totalPages, ...counts } = data.summary
  const present = kinds.filter((kind) => counts[kind] > 0)
  const choose = (kind: string) => {
    setStatus(kind)
    at[1](0)
  }
  const tabs = Object.fromEntries([
    ['', `All ${count(totalPages)}`],
    ...present.map((kind) => [kind, `${names[kind]} ${count(counts[kind])}`]),
  ])
  return html`
    <p><a href=${`#/monitors/${id}`}>← All checks of this monitor</a></p>
    <${Fault} of=${fault} />
    <p class="facts">
      <${State} is=${data.status} />
      <span>${data.trigger === 'manual' ? 'started by hand' : 'started by the schedule'} ${ago(data.createdAt)}</span>
      <span class="faint">${plural(data.actualCredits, 'credit')}</span>
    </p>
    ${data.error !== null && html`<p class="fault-box fault" role="alert">${data.error}</p>`}
    ${data.warning !== undefined && html`<p class="note">${data.warning}</p>`}
    ${present.length > 1 && html`<${Tabs} label="Show pages that are" tabs=${tabs} now=${status} choose=${choose} />`}
    ${data.pages.length === 0 && nothing(data)}
    <div class="found">${data.pages.map(pageOf)}</div>
    <${Pager} at=${at} window=${window} total=${status === '' ? totalPages : counts[status as 'same']} />
  `
}

const names = { changed: 'Changed', new: 'New', removed: 'Removed', error: 'In error', same: 'The same' }
const kinds = Object.keys(names) as (keyof typeof names)[]

const nothing = (check: CheckDetail) =>
  isRunning(check)
    ? html`<${Empty} title="The check is running">Its pages appear here when it ends.<//>`
    : html`<${Empty} title="No page to show">This check read no page.<//>`

const pageOf = ({ id, url, status, error, diff, snapshot, currentScrapeId }: CheckedPage) =>
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

/** First changed page of the newest check with a change. */
export function LastChange({ id, check }: CheckProps): VNode | null {
  const { value } = useAnswer<Answer>(`/v2/monitor/${id}/checks/${check}?status=changed&limit=1`)
  const [page] = value?.data.pages ?? []
  if (!value || !page) return null
  const { createdAt, summary } = value.data
  return html`<section aria-label="Last change">
    <h2>Last change, ${ago(createdAt)}</h2>
    ${pageOf(page)}
    ${summary.changed > 1 && html`<a href=${`#/monitors/${id}/${check}`}>All ${count(summary.changed)} changed pages</a>`}
  </section>`
}

const firstLines = 200

/** Changes of a page: fields as a table, text line by line. */
function Diff({ diff: { text, json = {} } }: { diff: NonNullable<CheckedPage['diff']> }): VNode {
  const changes = changesIn(json)
  const cells = changes.map(({ field, previous, current }) => [
    field,
    html`<del>${shown(previous)}</del>`,
    html`<ins>${shown(current)}</ins>`,
  ])
  return html`
    ${changes.length > 0 && html`<${Table} label="Fields that changed" head=${['Field', 'Before', 'Now']} rows=${cells} />`}
    ${text && html`<${Lines} text=${text} />`}
    ${changes.length === 0 && !text && html`<p class="faint">The change was too long to be stored.</p>`}
  `
}

/** Returns the changed fields; none if the JSON describes a text diff. */
const changesIn = (json: Readonly<Record<string, unknown>>): { field: string; previous: unknown; current: unknown }[] =>
  Object.entries(json).flatMap(([field, value]) =>
    isRecord(value) && ('previous' in value || 'current' in value)
      ? [{ field, previous: value['previous'], current: value['current'] }]
      : [],
  )

type Line = { kind: 'added' | 'removed' | 'position' | 'unchanged'; text: string }
const kindOf: Readonly<Record<string, Line['kind']>> = { '@': 'position', '+': 'added', '-': 'removed' }

/** Returns the lines of a unified diff, without the lines that name the files. */
export function linesOf(text: string): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const first = lines.findIndex((each) => each.startsWith('@@'))
  return lines.slice(Math.max(0, first)).map((each) => ({ kind: kindOf[each.charAt(0)] ?? 'unchanged', text: each }))
}

/** Lines of a diff. The signs before them stay, so that added and removed lines differ in more than their colour. */
function Lines({ text }: { text: string }): VNode {
  const [isWhole, setWhole] = useState(false)
  const lines = linesOf(text)
  const number = (kind: Line['kind']) => plural(lines.filter((line) => line.kind === kind).length, 'line')
  const more = isWhole ? 0 : Math.max(0, lines.length - firstLines)
  return html`<p class="faint">${number('added')} added, ${number('removed')} removed</p>
    <pre class="diff" tabindex="0" aria-label="Text that changed">
${lines.slice(0, lines.length - more).map(lineOf)}</pre>
    ${
      more > 0 &&
      html`<button type="button" class="start" onClick=${() => setWhole(true)}>
        Show ${plural(more, 'more line')}
      </button>`
    }`
}

const tags = { added: 'ins', removed: 'del', position: 'span', unchanged: 'span' }
const lineOf = ({ kind, text }: Line, at: number) =>
  html`<${tags[kind]} key=${at} class=${kind === 'position' ? 'faint' : kind}>${`${text}\n`}<//>`
