import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Pager } from '../../parts/pager.ts'
import { Empty, Fault, Loading, State } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { until } from '../../parts/words.ts'
import { type MonitorAnswer, monitorsAt, scheduleOf, summaryText } from './monitor-data.ts'

const window = 50

/** The monitors of the team: what each found last, and when it looks again. */
export function Monitors(): VNode {
  const [offset, setOffset] = useState(0)
  const { value, fault } = usePolled((signal) => monitorsAt(offset, window, signal), 2000, `${offset}`)
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
      ${value?.data.map(row)}
    </ul>
    <${Pager} offset=${offset} window=${window} total=${value?.pagination.total ?? 0} go=${setOffset} />
  `
}

const row = (monitor: MonitorAnswer) =>
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
