import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { durationText } from '../../../util/amounts.ts'
import type { JobErrors as Errors } from '../../../schema/crawl-schema.ts'
import type { Document } from '../../../schema/scrape/document.ts'
import {
  Awaited,
  count,
  Do,
  Empty,
  Fault,
  kindName,
  later,
  Outside,
  plural,
  Progress,
  shortUrl,
  State,
  Tabs,
} from '../parts.ts'
import { useChoice, useTitle } from '../place.ts'
import { call, useAnswer } from '../server-calls.ts'
import {
  cancel,
  entryIn,
  hasPages,
  isJob,
  isRunning,
  type JobState,
  useJobList,
  useJobState,
  whyHref,
} from './job-data.ts'

const CopyAs = later(async () => (await import('./call-texts.ts')).CopyAs)
const Outcome = later(async () => (await import('./data-views.ts')).Outcome)

type JobProps = { endpoint: string; id: string }

/** A job: its progress, and its pages and errors, or its result. */
export function Job(job: JobProps): VNode {
  const { endpoint, id } = job
  const name = entryIn(useJobList({}, 0).value, id)?.target ?? id
  useTitle(`${kindName(endpoint)} ${shortUrl(name)}`)
  const { value: state, fault, refresh } = useJobState(job)
  if (!state) return html`<${Awaited} fault=${fault} />`
  return html`
    <div class="bar">
      <p class="where"><span class="kind">${kindName(endpoint)}</span> ${shortUrl(name)}</p>
      <div class="inline">
        ${hasPages(job) && html`<${Download} job=${job} />`}
        <${CopyAs} id=${id} />
        ${isRunning(state) && isJob(job) && html`<${Do} kind="danger" act=${() => cancel(job).then(refresh)}>Cancel<//>`}
      </div>
    </div>
    <${Fault} of=${fault} />
    ${facts(job, state)}
    ${state.error && html`<p class="fault-box fault" role="alert">${state.error} <a href=${whyHref(job)}>Why?</a></p>`}
    ${state.warning && html`<p class="note">${state.warning}</p>`}
    ${hasPages(job) ? html`<${Results} job=${job} state=${state} />` : html`<${Outcome} state=${state} />`}
  `
}

const files = {
  jsonl: (page: Document) => `${JSON.stringify(page)}\n`,
  md: ({ markdown = '', metadata: { title = '', url = '' } }: Document) =>
    `# ${title}\n\n<${url}>\n\n${markdown}\n\n---\n\n`,
}

/** Saves all pages of a crawl or batch as one file. */
function Download({ job: { id, endpoint } }: { job: JobProps }): VNode {
  async function save(as: keyof typeof files): Promise<void> {
    const texts: string[] = []
    for (let isMore = true; isMore;) {
      const { data } = await call<{ data: Document[] }>('GET', `/v2/crawl/${id}?skip=${texts.length}`)
      texts.push(...data.map(files[as]))
      isMore = data.length > 0
    }
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob(texts))
    link.download = `${endpoint}-${id}.${as}`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return html`<span class="faint">Download</span>
    <${Do} act=${() => save('jsonl')}>JSONL<//>
    <${Do} act=${() => save('md')}>Markdown<//>`
}

function Results({ job, state }: { job: JobProps; state: JobState }): VNode {
  const { completed = 0, failed = 0, refused = 0 } = state
  const [tab, setTab] = useChoice<'pages' | 'refused' | 'errors'>('show', 'pages')
  const tabs = {
    pages: `Pages ${count(completed)}`,
    ...(refused > 0 && { refused: `With an error status ${count(refused)}` }),
    errors: `Errors ${count(failed)}`,
  }
  const total = tab === 'pages' ? completed : refused
  return html`<${Tabs} label="Show" now=${tab} choose=${setTab} tabs=${tabs} /> ${
      tab === 'errors'
        ? html`<${JobErrors} job=${job} restMs=${isRunning(state) ? 2000 : 0} />`
        : html`<${JobPages} key=${tab} job=${job} show=${tab} total=${total} />`
    }`
}

/** Progress of a running job, and the results of the pages of one that ended. */
function progress(job: JobProps, state: JobState): VNode {
  const { completed = 0, failed = 0, refused = 0, total = 0 } = state
  const done = completed + failed
  const unit = hasPages(job) ? 'page' : 'step'
  const bar = html`<${Progress} done=${done} total=${total} /><span>${count(done)} of ${plural(total, unit)}</span>`
  return html`${isRunning(state) ? bar : html`<span>${plural(completed - refused, unit)}</span>`}
  ${refused > 0 && html`<span class="bad-text">${plural(refused, 'page')} with an error status</span>`}
  ${failed > 0 && html`<span class="bad-text">${count(failed)} failed</span>`}`
}

function facts(job: JobProps, state: JobState) {
  const { status, total = 0, creditsUsed, duration: seconds } = state
  return html`<p class="facts">
    <${State} is=${status} />
    ${hasPages(job) || total > 0 ? progress(job, state) : ''}
    ${isRunning(state) && state.doing && html`<span role="status">${state.doing}</span>`}
    ${creditsUsed !== undefined && html`<span class="faint">${plural(creditsUsed, 'credit')}</span>`}
    ${seconds !== undefined && html`<span class="faint">${duration(seconds)}</span>`}
  </p>`
}

const duration = (seconds: number) =>
  seconds < 60 ? `${count(Math.round(seconds * 10) / 10)} s` : durationText(seconds * 1000)

/** Page of a crawl as a list row. */
export type PageRow = { url: string; title: string; status: number; scrapeId: string; characters: number }

/** Rows of one response. Each response starts at a multiple of `step`, so it contains all rows in view. */
const [window, step] = [100, 50]

type PagesProps = { job: JobProps; show: 'pages' | 'refused'; total: number }

/** Pages of a crawl. Only rows near the view are stored, so memory use does not grow with the crawl. */
function JobPages({ job: { id, endpoint }, show, total }: PagesProps): VNode {
  const [first, setFirst] = useState(0)
  const seen = (top: number) => setFirst(Math.floor(top / step) * step)
  // The limit changes with the number of rows, so a response that was not full is requested again.
  const end = Math.min(total, first + window)
  const path = `/dashboard/pages/${id}?skip=${first}&limit=${end - first}&show=${show}`
  const { value, fault } = useAnswer<{ rows: readonly PageRow[] }>(total === 0 ? undefined : path)
  const shown = useRef<{ first: number; rows: readonly PageRow[] }>({ first: 0, rows: [] })
  if (value) shown.current = { first, rows: value.rows }
  if (total === 0) return html`<${Empty} title="No page yet">Pages appear here as they are read.<//>`
  // Links to the previous and the next page exist only in the list of all pages.
  const place = (at: number) => (show === 'pages' ? `/${id}/${endpoint}-${at}` : '')
  const rowAt = (at: number) => line(shown.current.rows[at - shown.current.first], place(at))
  return html`<${Fault} of=${fault} />
    <${VirtualList} label="Pages" size=${total} rowHeight=${52} seen=${seen} row=${rowAt} />`
}

function line(row: PageRow | undefined, place: string): VNode {
  if (!row) return html`<span class="page-line faint">…</span>`
  const { url, title, status, scrapeId, characters } = row
  return html`<a class="page-line" href=${`#/pages/${scrapeId}${place}`}>
    <span class=${`code ${status >= 400 ? 'bad-text' : 'faint'}`}>${status || '–'}</span>
    <span class="page-name"><span>${title || shortUrl(url)}</span><span class="faint">${shortUrl(url)}</span></span>
    <span class="size faint">${count(characters)} characters</span>
  </a>`
}

type ListProps = {
  label: string
  size: number
  rowHeight: number
  /** Reports the visible rows, so they can be loaded. */
  seen?(first: number, last: number): void
  row(index: number): VNode
}

/** Rows above and below the view that are in the document as well. */
const spare = 8

/** List of any length. Only the rows in view, and some around them, are in the document. */
function VirtualList({ label, size, rowHeight, seen, row }: ListProps): VNode {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const measure = () => {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {}
    setView({ top: scrollTop, height: clientHeight })
  }
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(size - 1, Math.ceil((view.top + view.height) / rowHeight) + spare)
  useEffect(() => seen?.(first, last), [first, last, size])
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return html`<div class="list" role="list" aria-label=${label} tabindex="0" ref=${box} onScroll=${measure}>
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

/** Failed pages and skipped URLs, with reasons. */
function JobErrors({ job, restMs }: { job: JobProps; restMs: number }): VNode {
  const { value, fault } = useAnswer<Errors>(`/v2/crawl/${job.id}/errors`, restMs)
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { errors, robotsBlocked, skipped } = value
  const reasons = Object.entries(skipped).filter(([, number]) => number > 0)
  return html`
    ${
      errors.length === 0
        ? html`<${Empty} title="No page failed">Failed calls are listed here with the reason.<//>`
        : html`<${VirtualList}
            label="Errors"
            size=${errors.length}
            rowHeight=${68}
            row=${(at: number) => errorLine(errors[at], job)}
          />`
    }
    ${
      reasons.length > 0 &&
      html`<section>
        <h2>Left out</h2>
        <p class="faint">Addresses that were found, but are not part of this crawl, by reason.</p>
        <ul class="chips">
          ${reasons.map(([reason, number]) => html`<li>${reasonName(reason)} <b>${count(number)}</b></li>`)}
        </ul>
      </section>`
    }
    ${
      robotsBlocked.length > 0 &&
      html`<details>
        <summary>${plural(robotsBlocked.length, 'address', 'addresses')} forbidden by robots.txt</summary>
        <ul>
          ${robotsBlocked.slice(0, 500).map((url) => html`<li><${Outside} url=${url} /></li>`)}
        </ul>
      </details>`
    }
  `
}

const errorLine = (row: Errors['errors'][number] | undefined, job: JobProps) =>
  row &&
  html`<div class="error-line">
    <${Outside} url=${row.url} /><span>${row.error}</span
    ><span><code class="faint">${row.code}</code> <a href=${whyHref(job, row.url)}>Why?</a></span>
  </div>`

/** Returns the name of a reason as words: `outOfScope` is “out of scope”. */
const reasonName = (reason: string) =>
  reason === 'robots'
    ? 'robots.txt'
    : reason
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase()
