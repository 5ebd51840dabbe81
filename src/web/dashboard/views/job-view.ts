import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState, useEffect, useRef } from 'preact/hooks'
import {
  activity,
  isJob,
  cancel,
  hasPages,
  isRunning,
  type JobState,
  runningCrawls,
  stateOf,
  whyHref,
} from './job-data.ts'
import {
  later,
  Fault,
  Loading,
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
} from '../parts.ts'
import { usePolled, call } from '../server-calls.ts'

const CopyAs = later(async () => (await import('./call-texts.ts')).CopyAs)
const Outcome = later(async () => (await import('./job-answer.ts')).Outcome)

type JobProps = { endpoint: string; id: string }

/** A job of many pages: how far it is, what it read, and what went wrong. */
export function Job({ endpoint, id }: JobProps): VNode {
  const job = { endpoint, id }
  const name = usePolled((signal) => nameOf(job, signal), 0, id)
  const [everyMs, setEveryMs] = useState(1000)
  const { value: state, fault, refresh } = usePolled((signal) => stateOf(job, signal), everyMs, id)
  if (state && !isRunning(state) && everyMs > 0) setEveryMs(0)
  if (!state) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  return html`
    <div class="bar">
      <p class="where"><span class="kind">${kindName(endpoint)}</span> ${shortUrl(name.value ?? id)}</p>
      <div class="inline">
        <${CopyAs} id=${id} />
        ${isRunning(state) && isJob(job) && html`<${Cancel} job=${job} cancelled=${refresh} />`}
      </div>
    </div>
    <${Fault} of=${fault} />
    ${facts(job, state)}
    ${state.error && html`<p class="fault-box fault" role="alert">${state.error} <a href=${whyHref(job)}>Why?</a></p>`}
    ${state.warning && html`<p class="note">${state.warning}</p>`}
    ${hasPages(job) ? html`<${Results} job=${job} state=${state} />` : html`<${Outcome} state=${state} />`}
  `
}

function Cancel({ job, cancelled }: { job: JobProps; cancelled(): void }): VNode {
  const [fault, setFault] = useState<unknown>()
  return html`<button type="button" class="danger" onClick=${() => void cancel(job).then(cancelled, setFault)}>
      Cancel
    </button>
    <${Fault} of=${fault} />`
}

function Results({
  job: { id, endpoint },
  state: { completed = 0, failed = 0 },
}: {
  job: JobProps
  state: JobState
}): VNode {
  const [tab, setTab] = useState<'pages' | 'errors'>('pages')
  const tabs = { pages: `Pages ${count(completed)}`, errors: `Errors ${count(failed)}` }
  return html`<${Tabs} label="Show" now=${tab} choose=${setTab} tabs=${tabs} /> ${
      tab === 'pages'
        ? html`<${JobPages} id=${id} total=${completed} />`
        : html`<${JobErrors} id=${id} failed=${failed} endpoint=${endpoint} />`
    }`
}

async function nameOf({ id }: JobProps, signal: AbortSignal): Promise<string> {
  const listed = [
    ...(await activity({ limit: 100, endpoint: '', status: '' }, signal)),
    ...(await runningCrawls(signal)),
  ]
  return listed.find((each) => each.id === id)?.target ?? id
}

function facts(job: JobProps, state: JobState) {
  const { status, completed = 0, failed = 0, total = 0, creditsUsed, duration: seconds } = state
  return html`<p class="facts">
    <${State} is=${status} />
    ${
      total > 0 &&
      html`<${Progress} done=${completed + failed} total=${total} />
        <span>${count(completed + failed)} of ${plural(total, hasPages(job) ? 'page' : 'step')}</span>`
    }
    ${isRunning(state) && state.doing && html`<span role="status">${state.doing}</span>`}
    ${creditsUsed !== undefined && html`<span class="faint">${plural(creditsUsed, 'credit')}</span>`}
    ${seconds !== undefined && html`<span class="faint">${duration(seconds)}</span>`}
  </p>`
}

/** A page of a crawl in a table. */
export type PageRow = { url: string; title: string; status: number; scrapeId: string; characters: number }

const chunk = 100
/** What is out of sight is asked for again when it comes back, so that a long crawl takes no more room than a short one. */
const mostChunks = 8

/** The pages of a crawl, read from the server as they come into sight. */
function JobPages({ id, total }: { id: string; total: number }): VNode {
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
      const { rows } = await call<{ rows: PageRow[] }>('GET', `/dashboard/pages/${id}?skip=${at * chunk}`)
      loaded.current.set(at, rows)
      // Not from this one: what was asked for before the last scroll may come after it.
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
  const rowOf = (index: number) => loaded.current.get(Math.floor(index / chunk))?.[index % chunk]
  return html`<${Fault} of=${fault} />
    <${VirtualList} label="Pages" size=${total} rowHeight=${52} seen=${seen} row=${(at: number) => line(rowOf(at))} />`
}

function forgetFarthest(loaded: Map<number, unknown>, from: number): void {
  if (loaded.size <= mostChunks) return
  const [farthest] = [...loaded.keys()].toSorted((one, other) => Math.abs(other - from) - Math.abs(one - from))
  if (farthest !== undefined) loaded.delete(farthest)
}

function line(row: PageRow | undefined): VNode {
  if (!row) return html`<span class="page-line faint">…</span>`
  const { url, title, status, scrapeId, characters } = row
  return html`<a class="page-line" href=${`#/pages/${scrapeId}`}>
    <span class=${`code ${status >= 400 ? 'bad-text' : 'faint'}`}>${status || '–'}</span>
    <span class="page-name"><span>${title || shortUrl(url)}</span><span class="faint">${shortUrl(url)}</span></span>
    <span class="size faint">${count(characters)} characters</span>
  </a>`
}

type PageError = { id: string; url: string; code: string; error: string }
type Errors = { errors: readonly PageError[]; robotsBlocked: readonly string[]; skipped?: Record<string, number> }

type JobErrorsProps = { endpoint: string; id: string; failed: number }

/** Pages that failed with their reasons, and what the job left out and why. */
function JobErrors({ endpoint, id, failed }: JobErrorsProps): VNode {
  const ask = (signal: AbortSignal) => call<Errors>('GET', `/v2/crawl/${id}/errors`, { signal })
  const { value, fault } = usePolled(ask, 0, `${id} ${failed}`)
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
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

/** The names in the answer are written as one word. */
const reasonName = (reason: string) =>
  reason === 'robots'
    ? 'robots.txt'
    : reason
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase()
