import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Ask } from '../../parts/ask.ts'
import { Pager } from '../../parts/pager.ts'
import { Empty, Fault, Loading, Outside, State } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { ago, plural, until } from '../../parts/words.ts'
import {
  addressesOf,
  type CheckAnswer,
  checksAt,
  isUnderWay,
  type MonitorAnswer,
  monitorOf,
  scheduleOf,
  summaryText,
  type Window,
} from './monitor-data.ts'

const window = 20
const shownAddresses = 5

type Seen = { monitor: MonitorAnswer; checks: Window<CheckAnswer> }

async function look(id: string, offset: number, signal: AbortSignal): Promise<Seen> {
  const [monitor, checks] = await Promise.all([monitorOf(id, signal), checksAt(id, offset, window, signal)])
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
        ${checks.data.map(row)}
      </ul>
      <${Pager} offset=${offset} window=${window} total=${checks.pagination.total} go=${setOffset} />
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

const row = (check: CheckAnswer) =>
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
