import { html } from 'htm/preact'
import type { VNode } from 'preact'
import type { CheckAnswer, MonitorAnswer, Summary } from '../../../../schema/monitor-schema.ts'
import {
  Awaited,
  Do,
  Empty,
  Fault,
  Outside,
  Pager,
  Rows,
  State,
  Time,
  ago,
  later,
  plural,
  toneOf,
  useOffset,
} from '../../parts.ts'
import { useTitle } from '../../place.ts'
import { call, useAnswer } from '../../server-calls.ts'

const LastChange = later(async () => (await import('./check-view.ts')).LastChange)
const EditMonitor = later(async () => (await import('./new-monitor.ts')).EditMonitor)

type Window<T> = { data: readonly T[]; pagination: { total: number } }
const monitorsShown = 50
const checksShown = 20
const shownAddresses = 5

export function Monitors(): VNode {
  const at = useOffset()
  const path = `/v2/monitor?limit=${monitorsShown}&offset=${at[0]}`
  const { value, fault } = useAnswer<Window<MonitorAnswer>>(path, 2000)
  return html`
    <div class="bar">
      <p class="faint">Pages that are checked on a schedule, and what changed on them.</p>
      <a class="button primary" href="#/monitors/new">New monitor</a>
    </div>
    <${Rows} label="Monitors" fault=${fault} rows=${value?.data} row=${monitorRow}>
      <${Empty} title="Nothing is watched yet">
        <a href="#/monitors/new">Name a page and how often to check it</a>, and its changes are listed here.
      <//>
    <//>
    <${Pager} at=${at} window=${monitorsShown} total=${value?.pagination.total} />
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
      <span class="row-state faint">${lastResultOf(monitor)}</span>
      <span class="faint row-end">${nextOf(monitor)}</span>
    </a>
  </li>`

/** Returns the schedule in the words of its owner, or as cron. */
const scheduleOf = ({ schedule: { text, cron, timezone } }: MonitorAnswer) =>
  `${text ?? cron}${timezone === 'UTC' ? '' : ` (${timezone})`}`

function lastResultOf({ lastCheckSummary: summary }: MonitorAnswer): VNode | string {
  if (summary === null) return 'not checked yet'
  const { changed, removed, error } = summary
  return html`<span class=${error > 0 ? 'bad-text' : changed + removed > 0 ? 'news' : ''}
    >${summaryText(summary)}</span
  >`
}

/** Summarises a check, with the most important counts first. */
function summaryText({ changed, new: fresh, removed, error, totalPages }: Summary): string {
  const parts = Object.entries({ changed, new: fresh, removed, 'in error': error })
    .filter(([, number]) => number > 0)
    .map(([word, number]) => `${number} ${word}`)
  if (totalPages === 0) return 'no page'
  const pages = plural(totalPages, 'page')
  return parts.length > 0 ? `${parts.join(', ')} of ${pages}` : `${pages} the same`
}

const nextOf = ({ status, nextRunAt }: MonitorAnswer) =>
  status === 'paused' || nextRunAt === null
    ? 'no next check'
    : html`<${Time} iso=${nextRunAt} says=${`next check ${ago(nextRunAt)}`} />`

/** One monitor: its targets, schedule and check results. */
export function Monitor({ id }: { id: string }): VNode {
  const at = useOffset()
  const path = `/v2/monitor/${id}`
  const { value, fault, refresh } = useAnswer<{ data: MonitorAnswer }>(path, 1500)
  const list = useAnswer<Window<CheckAnswer>>(`${path}/checks?limit=${checksShown}&offset=${at[0]}`, 1500)
  useTitle(value?.data.name ?? 'Monitor')
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { data: monitor } = value
  const { data: checks, pagination } = list.value ?? {}
  const changed = checks?.find(({ summary }) => summary.changed + summary.removed > 0)?.id
  return html`
    <div class="bar">
      <h2 class="page-title">${monitor.name}</h2>
      <${Acts} monitor=${monitor} changed=${refresh} />
    </div>
    <${Fault} of=${fault} />
    <p class="facts">
      <${State} is=${monitor.status} />
      <span>${scheduleOf(monitor)}</span>
      ${monitor.status === 'active' && nextOf(monitor)}
    </p>
    <${Addresses} monitor=${monitor} />
    <${EditMonitor} key=${`${monitor.name} ${scheduleOf(monitor)}`} monitor=${monitor} saved=${refresh} />
    ${changed && html`<${LastChange} id=${id} check=${changed} />`}
    <section>
      <h2>Checks</h2>
      <p class="strip" role="group" aria-label="Past checks, the newest last">${checks?.toReversed().map(mark)}</p>
      <${Rows} label="Checks" fault=${list.fault} rows=${checks} row=${checkRow}>
        <${Empty} title="No check yet">
          The first check starts on schedule, or now with “Run now”. It reports every page as new; later checks show
          what changed.
        <//>
      <//>
      <${Pager} at=${at} window=${checksShown} total=${pagination?.total} />
    </section>
  `
}

const checkHref = ({ monitorId, id }: CheckAnswer) => `#/monitors/${monitorId}/${id}`
const outcomeOf = ({ error, summary }: CheckAnswer) => error ?? summaryText(summary)

/** One check in the strip, with the text of its row. */
function mark(check: CheckAnswer): VNode {
  const { changed, new: fresh, removed, error } = check.summary
  const worst = check.error !== null || error > 0 ? 'error' : changed + removed > 0 ? 'changed' : fresh > 0 && 'new'
  const label = `${ago(check.createdAt)}: ${outcomeOf(check)}`
  return html`<a
    key=${check.id}
    class=${`state ${toneOf(worst || 'completed')}`}
    href=${checkHref(check)}
    title=${label}
    aria-label=${label}
  ></a>`
}

function Addresses({ monitor: { targets } }: { monitor: MonitorAnswer }): VNode {
  const all = targets.flatMap(({ urls, url }) => [urls, url].flat()).filter((each) => typeof each === 'string')
  const more = all.length - shownAddresses
  return html`<ul class="plain">
    ${all.slice(0, shownAddresses).map((url) => html`<li key=${url}><${Outside} url=${url} /></li>`)}
    ${more > 0 && html`<li class="faint">and ${plural(more, 'more address', 'more addresses')}</li>`}
  </ul>`
}

function Acts({ monitor, changed }: { monitor: MonitorAnswer; changed(): void }): VNode {
  const isPaused = monitor.status === 'paused'
  const isChecking = monitor.currentCheckId !== null
  const path = `/v2/monitor/${monitor.id}`
  const run = () => call('POST', `${path}/run`).then(changed)
  const toggle = () => call('PATCH', path, { body: { status: isPaused ? 'active' : 'paused' } }).then(changed)
  const remove = () => call('DELETE', path).then(() => void (location.hash = '#/monitors'))
  const question = {
    title: `Delete “${monitor.name}”?`,
    text: 'Its checks and their results are deleted too. This cannot be undone.',
  }
  return html`<div class="inline">
    <${Do} kind="primary" disabled=${isChecking} act=${run}>${isChecking ? 'Checking…' : 'Run now'}<//>
    <${Do} act=${toggle}>${isPaused ? 'Resume' : 'Pause'}<//>
    <${Do} kind="danger" act=${remove} question=${question}>Delete<//>
  </div>`
}

const checkRow = (check: CheckAnswer) =>
  html`<li key=${check.id}>
    <a class="row" href=${checkHref(check)}>
      <${State} is=${check.status} />
      <span class="target"
        >${['queued', 'running'].includes(check.status) ? 'reading the pages' : outcomeOf(check)}</span
      >
      <span class="row-state faint">${check.trigger === 'manual' ? 'by hand' : 'scheduled'}</span>
      <${Time} iso=${check.createdAt} />
    </a>
  </li>`
