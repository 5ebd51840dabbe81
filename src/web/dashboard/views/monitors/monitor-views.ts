import { call, usePolled } from '../../server-calls.ts'
import { later, plural, Pager, Empty, Fault, State, until, Ask, Outside, Time, ago, Awaited, Do } from '../../parts.ts'
import { useChoice, useTitle } from '../../place.ts'
import {
  type CheckAnswer,
  checksAt,
  isUnderWay,
  type MonitorAnswer,
  monitorOf,
  monitorsAt,
  addressesOf,
  scheduleOf,
  summaryText,
  type Window,
} from './monitor-data.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'

/** First row of a list that is shown page by page. */
function useOffset(): [number, (offset: number) => void] {
  const [from, setFrom] = useChoice<string>('from', '0')
  return [Number(from), (offset) => setFrom(String(offset))]
}

const monitorsShown = 50

/** Monitors of the team, with their last results and next checks. */
export function Monitors(): VNode {
  const [offset, setOffset] = useOffset()
  const { value, fault } = usePolled((signal) => monitorsAt(offset, monitorsShown, signal), 2000, `${offset}`)
  return html`
    <div class="bar">
      <p class="faint">Pages that are checked on a schedule, and what changed on them.</p>
      <a class="button primary" href="#/monitors/new">New monitor</a>
    </div>
    <${Awaited} value=${value} fault=${fault} />
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
  status === 'paused' || nextRunAt === null
    ? 'no next check'
    : html`<${Time} iso=${nextRunAt} says=${`next check ${until(nextRunAt)}`} />`

const checksShown = 20
const shownAddresses = 5

type Seen = { monitor: MonitorAnswer; checks: Window<CheckAnswer> }

async function look(id: string, offset: number, signal: AbortSignal): Promise<Seen> {
  const [monitor, checks] = await Promise.all([monitorOf(id, signal), checksAt(id, offset, checksShown, signal)])
  return { monitor, checks }
}

/** One monitor: its targets, schedule and check results. */
export function Monitor({ id }: { id: string }): VNode {
  const [offset, setOffset] = useOffset()
  const { value, fault, refresh } = usePolled((signal) => look(id, offset, signal), 1500, `${id} ${offset}`)
  useTitle(value?.monitor.name ?? 'Monitor')
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { monitor, checks } = value
  const changed = checks.data.find(({ summary }) => summary.changed + summary.removed > 0)?.id
  return html`
    <div class="bar">
      <h2 class="page-title">${monitor.name}</h2>
      <${Acts} monitor=${monitor} changed=${refresh} />
    </div>
    <${Fault} of=${fault} />
    <p class="facts">
      <${State} is=${monitor.status} />
      <span>${scheduleOf(monitor)}</span>
      ${monitor.status === 'active' && monitor.nextRunAt !== null && html`<${Time} iso=${monitor.nextRunAt} says=${`next check ${until(monitor.nextRunAt)}`} />`}
    </p>
    <${Addresses} monitor=${monitor} />
    <${EditMonitor} key=${`${monitor.name} ${scheduleOf(monitor)}`} monitor=${monitor} saved=${refresh} />
    ${changed && html`<${LastChange} id=${id} check=${changed} />`}
    <section>
      <h2>Checks</h2>
      <p class="strip" role="group" aria-label="Past checks, the newest last">${checks.data.toReversed().map(mark)}</p>
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

const LastChange = later(async () => (await import('./check-view.ts')).LastChange)
const EditMonitor = later(async () => (await import('./new-monitor.ts')).EditMonitor)

/** One check in the strip; its words are those of its row. */
function mark(check: CheckAnswer): VNode {
  const { changed, new: fresh, removed, error } = check.summary
  const tone = check.error !== null || error > 0 ? 'bad' : changed + removed > 0 ? 'warn' : fresh > 0 ? 'busy' : 'good'
  const says = `${ago(check.createdAt)}: ${check.error ?? summaryText(check.summary)}`
  return html`<a
    key=${check.id}
    class=${`state ${tone}`}
    href=${`#/monitors/${check.monitorId}/${check.id}`}
    title=${says}
    aria-label=${says}
  ></a>`
}

function Addresses({ monitor }: { monitor: MonitorAnswer }): VNode {
  const all = addressesOf(monitor)
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
  return html`<div class="inline">
    <${Do} kind="primary" disabled=${isChecking} act=${run}>${isChecking ? 'Checking…' : 'Run now'}<//>
    <${Do} act=${toggle}>${isPaused ? 'Resume' : 'Pause'}<//>
    <${Ask} verb="Delete" title=${`Delete “${monitor.name}”?`} agree=${remove}>
      Its checks and what they found are deleted with it. This cannot be unchanged.
    <//>
  </div>`
}

const checkRow = (check: CheckAnswer) =>
  html`<li key=${check.id}>
    <a class="row check-row" href=${`#/monitors/${check.monitorId}/${check.id}`}>
      <${State} is=${check.status} />
      <span class="target"
        >${isUnderWay(check) ? 'looking at the pages' : (check.error ?? summaryText(check.summary))}</span
      >
      <span class="row-state faint">${check.trigger === 'manual' ? 'by hand' : 'scheduled'}</span>
      <${Time} iso=${check.createdAt} />
    </a>
  </li>`
