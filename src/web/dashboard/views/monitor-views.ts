import { call, usePolled } from '../server-calls.ts'
import { plural, Pager, Empty, Fault, Loading, State, until, Ask, Outside, ago } from '../parts.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

type PageStatus = 'changed' | 'new' | 'removed' | 'error' | 'same'
type Summary = Readonly<Record<PageStatus | 'totalPages', number>>
export type MonitorAnswer = {
  id: string
  name: string
  status: string
  schedule: { cron: string; text?: string; timezone: string }
  nextRunAt: string | null
  /** The check that is running. */
  currentCheckId: string | null
  targets: readonly Readonly<Record<string, unknown>>[]
  lastCheckSummary: Summary | null
}
export type CheckAnswer = {
  id: string
  monitorId: string
  status: string
  trigger: string
  actualCredits: number
  summary: Summary
  error: string | null
  warning?: string
  createdAt: string
}
type CheckedPage = {
  id: string
  url: string
  status: PageStatus
  currentScrapeId: string | null
  error: string | null
  diff: { text?: string; json?: Readonly<Record<string, unknown>> } | null
  snapshot: { json: unknown } | null
}
export type CheckDetail = CheckAnswer & { pages: readonly CheckedPage[] }
export type Window<T> = { data: readonly T[]; pagination: { total: number } }

const listed = (path: string, offset: number, limit: number) => `${path}?limit=${limit}&offset=${offset}`

export const monitorsAt = (offset: number, limit: number, signal: AbortSignal) =>
  call<Window<MonitorAnswer>>('GET', listed('/v2/monitor', offset, limit), { signal })

export const checksAt = (id: string, offset: number, limit: number, signal: AbortSignal) =>
  call<Window<CheckAnswer>>('GET', listed(`/v2/monitor/${id}/checks`, offset, limit), { signal })

export const monitorOf = async (id: string, signal: AbortSignal) =>
  (await call<{ data: MonitorAnswer }>('GET', `/v2/monitor/${id}`, { signal })).data

type CheckQuery = { status: string; skip: number; limit: number }

export async function checkOf(id: string, check: string, { status, skip, limit }: CheckQuery, signal: AbortSignal) {
  const query = new URLSearchParams({ skip: String(skip), limit: String(limit), ...(status !== '' && { status }) })
  return (await call<{ data: CheckDetail }>('GET', `/v2/monitor/${id}/checks/${check}?${query}`, { signal })).data
}

/** Addresses that a monitor looks at. */
export const addressesOf = ({ targets }: Pick<MonitorAnswer, 'targets'>): string[] =>
  targets.flatMap(({ urls, url }) => [urls, url].flat()).filter((each) => typeof each === 'string')

/** When a monitor checks, as its owner wrote it. */
export const scheduleOf = ({ schedule: { text, cron, timezone } }: Pick<MonitorAnswer, 'schedule'>) =>
  `${text ?? cron}${timezone === 'UTC' ? '' : ` (${timezone})`}`

/** What a check found, with what matters first. */
export function summaryText(summary: Summary): string {
  const { changed, new: fresh, removed, error, totalPages } = summary
  const parts = [
    [changed, 'changed'],
    [fresh, 'new'],
    [removed, 'removed'],
    [error, 'in error'],
  ] as const
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  if (totalPages === 0) return 'no page'
  return said.length > 0
    ? `${said.join(', ')} of ${plural(totalPages, 'page')}`
    : `${plural(totalPages, 'page')} the same`
}

export const isUnderWay = ({ status }: Pick<CheckAnswer, 'status'>) => status === 'queued' || status === 'running'

const monitorsShown = 50

/** The monitors of the team: what each found last, and when it looks again. */
export function Monitors(): VNode {
  const [offset, setOffset] = useState(0)
  const { value, fault } = usePolled((signal) => monitorsAt(offset, monitorsShown, signal), 2000, `${offset}`)
  return html`
    <div class="bar">
      <p class="faint">Pages that are checked on a schedule, and what changed on them.</p>
      <a class="button primary" href="#/monitors/new">New monitor</a>
    </div>
    <${Fault} of=${fault} />
    ${!value && fault === undefined && html`<${Loading} />`}
    ${
      value?.pagination.total === 0 &&
      html`<${Empty} title="Nothing is watched yet">
        <a href="#/monitors/new">Name a page and how often to look</a>, and what changes on it is kept here.
      <//>`
    }
    <ul class="rows" aria-label="Monitors">
      ${value?.data.map(monitorRow)}
    </ul>
    <${Pager} offset=${offset} window=${monitorsShown} total=${value?.pagination.total ?? 0} go=${setOffset} />
  `
}

const monitorRow = (monitor: MonitorAnswer) =>
  html`<li key=${monitor.id}>
    <a class="row monitor-row" href=${`#/monitors/${monitor.id}`}>
      <${State} is=${monitor.currentCheckId === null ? monitor.status : 'checking'} />
      <span class="two-lines">
        <span>${monitor.name}</span>
        <span class="faint">${scheduleOf(monitor)}</span>
      </span>
      <span class="row-state faint">${found(monitor)}</span>
      <span class="faint row-end">${nextOf(monitor)}</span>
    </a>
  </li>`

function found({ lastCheckSummary: summary }: MonitorAnswer): VNode | string {
  if (summary === null) return 'not checked yet'
  const { changed, removed, error } = summary
  return html`<span class=${error > 0 ? 'bad-text' : changed + removed > 0 ? 'news' : ''}
    >${summaryText(summary)}</span
  >`
}

const nextOf = ({ status, nextRunAt }: MonitorAnswer) =>
  status === 'paused' || nextRunAt === null ? '–' : until(nextRunAt)

const checksShown = 20
const shownAddresses = 5

type Seen = { monitor: MonitorAnswer; checks: Window<CheckAnswer> }

async function look(id: string, offset: number, signal: AbortSignal): Promise<Seen> {
  const [monitor, checks] = await Promise.all([monitorOf(id, signal), checksAt(id, offset, checksShown, signal)])
  return { monitor, checks }
}

/** One monitor: what it looks at, when, and what its checks found. */
export function Monitor({ id }: { id: string }): VNode {
  const [offset, setOffset] = useState(0)
  const { value, fault, refresh } = usePolled((signal) => look(id, offset, signal), 1500, `${id} ${offset}`)
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  const { monitor, checks } = value
  return html`
    <div class="bar">
      <h2 class="page-title">${monitor.name}</h2>
      <${Acts} monitor=${monitor} done=${refresh} />
    </div>
    <${Fault} of=${fault} />
    <p class="facts">
      <${State} is=${monitor.status} />
      <span>${scheduleOf(monitor)}</span>
      ${monitor.status === 'active' && monitor.nextRunAt !== null && html`<span class="faint">next check ${until(monitor.nextRunAt)}</span>`}
    </p>
    <${Addresses} monitor=${monitor} />
    <section>
      <h2>Checks</h2>
      ${
        checks.pagination.total === 0 &&
        html`<${Empty} title="No check yet">
          The first one comes with the schedule, or at once with “Run now”. It finds every page new; later ones say what
          changed.
        <//>`
      }
      <ul class="rows" aria-label="Checks">
        ${checks.data.map(checkRow)}
      </ul>
      <${Pager} offset=${offset} window=${checksShown} total=${checks.pagination.total} go=${setOffset} />
    </section>
  `
}

function Addresses({ monitor }: { monitor: MonitorAnswer }): VNode {
  const all = addressesOf(monitor)
  const more = all.length - shownAddresses
  return html`<ul class="plain">
    ${all.slice(0, shownAddresses).map((url) => html`<li key=${url}><${Outside} url=${url} /></li>`)}
    ${more > 0 && html`<li class="faint">and ${plural(more, 'more address', 'more addresses')}</li>`}
  </ul>`
}

function Acts({ monitor, done }: { monitor: MonitorAnswer; done(): void }): VNode {
  const [fault, setFault] = useState<unknown>()
  const isPaused = monitor.status === 'paused'
  const path = `/v2/monitor/${monitor.id}`
  function act(work: Promise<unknown>, then: () => void = done): void {
    setFault(undefined)
    void work.then(then, setFault)
  }
  const toggle = () => act(call('PATCH', path, { body: { status: isPaused ? 'active' : 'paused' } }))
  const remove = () => act(call('DELETE', path), () => void (location.hash = '#/monitors'))
  return html`<div class="inline">
      <button
        type="button"
        class="primary"
        disabled=${monitor.currentCheckId !== null}
        onClick=${() => act(call('POST', `${path}/run`))}
      >
        ${monitor.currentCheckId === null ? 'Run now' : 'Checking…'}
      </button>
      <button type="button" onClick=${toggle}>${isPaused ? 'Resume' : 'Pause'}</button>
      <${Ask} verb="Delete" title=${`Delete “${monitor.name}”?`} agree=${remove}>
        Its checks and what they found are deleted with it. This cannot be undone.
      <//>
    </div>
    <${Fault} of=${fault} />`
}

const checkRow = (check: CheckAnswer) =>
  html`<li key=${check.id}>
    <a class="row check-row" href=${`#/monitors/${check.monitorId}/${check.id}`}>
      <${State} is=${check.status} />
      <span class="target"
        >${isUnderWay(check) ? 'looking at the pages' : (check.error ?? summaryText(check.summary))}</span
      >
      <span class="row-state faint">${check.trigger === 'manual' ? 'by hand' : 'scheduled'}</span>
      <time class="faint" datetime=${check.createdAt} title=${check.createdAt}>${ago(check.createdAt)}</time>
    </a>
  </li>`
