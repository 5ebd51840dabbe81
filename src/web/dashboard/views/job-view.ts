import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState, useEffect, useRef } from 'preact/hooks'
import { entryOf, isJob, cancel, hasPages, isRunning, type JobState, stateOf, whyHref } from './job-data.ts'
import {
  later,
  Fault,
  Progress,
  State,
  Tabs,
  count,
  duration,
  kindName,
  plural,
  shortUrl,
  Empty,
  VirtualList,
  Outside,
  Awaited,
  Do,
} from '../parts.ts'
import { usePolled, call } from '../server-calls.ts'
import { useChoice, useTitle } from '../place.ts'

const CopyAs = later(async () => (await import('./call-texts.ts')).CopyAs)
const Outcome = later(async () => (await import('./job-answer.ts')).Outcome)

type JobProps = { endpoint: string; id: string }

/** Job with many pages: progress, pages and errors. */
export function Job({ endpoint, id }: JobProps): VNode {
  const job = { endpoint, id }
  const name = usePolled((signal) => entryOf(id, signal), 0, id).value?.target ?? id
  useTitle(`${kindName(endpoint)} ${shortUrl(name)}`)
  const [everyMs, setEveryMs] = useState(1000)
  const { value: state, fault, refresh } = usePolled((signal) => stateOf(job, signal), everyMs, id)
  if (state && !isRunning(state) && everyMs > 0) setEveryMs(0)
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

type Text = { markdown?: string; metadata: { title?: string; url?: string } }
const files = {
  jsonl: (page: Text) => `${JSON.stringify(page)}\n`,
  md: ({ markdown = '', metadata: { title = '', url = '' } }: Text) =>
    `# ${title}\n\n<${url}>\n\n${markdown}\n\n---\n\n`,
}

/** All pages of a crawl in one file. */
function Download({ job: { id, endpoint } }: { job: JobProps }): VNode {
  async function save(as: keyof typeof files): Promise<void> {
    const texts: string[] = []
    for (let isMore = true; isMore;) {
      const { data } = await call<{ data: Text[] }>('GET', `/v2/crawl/${id}?skip=${texts.length}`)
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

function Results({
  job: { id, endpoint },
  state: { completed = 0, failed = 0, refused = 0 },
}: {
  job: JobProps
  state: JobState
}): VNode {
  const [tab, setTab] = useChoice<'pages' | 'refused' | 'errors'>('show', 'pages')
  const tabs = {
    pages: `Pages ${count(completed)}`,
    ...(refused > 0 && { refused: `With an error status ${count(refused)}` }),
    errors: `Errors ${count(failed)}`,
  }
  return html`<${Tabs} label="Show" now=${tab} choose=${setTab} tabs=${tabs} /> ${
      tab === 'errors'
        ? html`<${JobErrors} id=${id} failed=${failed} endpoint=${endpoint} />`
        : html`<${JobPages}
            key=${tab}
            id=${id}
            endpoint=${endpoint}
            show=${tab}
            total=${tab === 'pages' ? completed : refused}
          />`
    }`
}

/** Progress of a running job, and the results of the pages of one that ended. */
function progress(job: JobProps, state: JobState): VNode {
  const { completed = 0, failed = 0, refused = 0, total = 0 } = state
  const done = completed + failed
  const unit = hasPages(job) ? 'page' : 'step'
  const far = html`<${Progress} done=${done} total=${total} /><span>${count(done)} of ${plural(total, unit)}</span>`
  return html`${isRunning(state) ? far : html`<span>${plural(completed - refused, unit)}</span>`}
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

/** Page of a crawl as a list row. */
export type PageRow = { url: string; title: string; status: number; scrapeId: string; characters: number }

const chunk = 100
/** Chunks out of view are dropped and fetched again when needed, so memory use does not grow with the crawl. */
const maxChunks = 8

type PagesProps = JobProps & { show: 'pages' | 'refused'; total: number }

/** Pages of a crawl, fetched as they scroll into view. */
function JobPages({ id, endpoint, show, total }: PagesProps): VNode {
  const loaded = useRef(new Map<number, readonly PageRow[]>())
  const asked = useRef(new Set<number>())
  const inSight = useRef(0)
  const [, setTurn] = useState(0)
  const [fault, setFault] = useState<unknown>()
  useEffect(() => loaded.current.clear(), [id])

  async function load(at: number): Promise<void> {
    const known = loaded.current.get(at)?.length ?? 0
    if (asked.current.has(at) || known >= Math.min(chunk, total - at * chunk)) return
    asked.current.add(at)
    try {
      const { rows } = await call<{ rows: PageRow[] }>('GET', `/dashboard/pages/${id}?skip=${at * chunk}&show=${show}`)
      loaded.current.set(at, rows)
      // Measured from the visible chunk, because responses may arrive after the user has scrolled on.
      forgetFarthest(loaded.current, inSight.current)
      setFault(undefined)
    } catch (failure) {
      setFault(failure)
    }
    asked.current.delete(at)
    setTurn((turn) => turn + 1)
  }
  const seen = (first: number, last: number) => {
    inSight.current = Math.floor(first / chunk)
    for (let at = Math.floor(first / chunk); at <= Math.floor(last / chunk); at++) void load(at)
  }
  if (total === 0) return html`<${Empty} title="No page yet">Pages appear here as they are read.<//>`
  // Only the list of all pages has a previous and a next one.
  const place = (at: number) => (show === 'pages' ? `/${id}/${endpoint}-${at}` : '')
  const rowAt = (at: number) => line(rowOf(at), place(at))
  const rowOf = (index: number) => loaded.current.get(Math.floor(index / chunk))?.[index % chunk]
  return html`<${Fault} of=${fault} />
    <${VirtualList} label="Pages" size=${total} rowHeight=${52} seen=${seen} row=${rowAt} />`
}

function forgetFarthest(loaded: Map<number, unknown>, from: number): void {
  if (loaded.size <= maxChunks) return
  const [farthest] = [...loaded.keys()].toSorted((one, other) => Math.abs(other - from) - Math.abs(one - from))
  if (farthest !== undefined) loaded.delete(farthest)
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

type PageError = { id: string; url: string; code: string; error: string }
type Errors = { errors: readonly PageError[]; robotsBlocked: readonly string[]; skipped?: Record<string, number> }

type JobErrorsProps = { endpoint: string; id: string; failed: number }

/** Failed pages and skipped URLs, with reasons. */
function JobErrors({ endpoint, id, failed }: JobErrorsProps): VNode {
  const ask = (signal: AbortSignal) => call<Errors>('GET', `/v2/crawl/${id}/errors`, { signal })
  const { value, fault } = usePolled(ask, 0, `${id} ${failed}`)
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { errors, robotsBlocked, skipped = {} } = value
  const reasons = Object.entries(skipped).filter(([, number]) => number > 0)
  return html`
    ${
      errors.length === 0
        ? html`<${Empty} title="No page failed">Whatever fails is listed here with its reason.<//>`
        : html`<${VirtualList}
            label="Errors"
            size=${errors.length}
            rowHeight=${68}
            row=${(at: number) => errorLine(errors[at], { endpoint, id })}
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

const errorLine = (row: PageError | undefined, job: { endpoint: string; id: string }) =>
  row &&
  html`<div class="error-line">
    <${Outside} url=${row.url} /><span>${row.error}</span
    ><span><code class="faint">${row.code}</code> <a href=${whyHref(job, row.url)}>Why?</a></span>
  </div>`

/** Reasons in responses are single words, such as camelCase. */
const reasonName = (reason: string) =>
  reason === 'robots'
    ? 'robots.txt'
    : reason
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase()
