import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { activity, canCancel, cancel, hasPages, isRunning, type JobState, runningCrawls, stateOf } from './job-state.ts'
import { whyHref } from './links.ts'
import { later } from '../../parts/later.ts'
import { Fault, Loading, Progress, State, Tabs } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { count, duration, kindName, plural, shortUrl } from '../../parts/words.ts'
import { JobErrors } from './job-errors.ts'
import { JobPages } from './job-pages.ts'

const CopyAs = later(async () => (await import('../../parts/copy-as.ts')).CopyAs)
const Outcome = later(async () => (await import('./outcome.ts')).Outcome)

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
        ${isRunning(state) && canCancel(job) && html`<${Cancel} job=${job} cancelled=${refresh} />`}
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
  const tabs = [
    ['pages', `Pages ${count(completed)}`],
    ['errors', `Errors ${count(failed)}`],
  ]
  return html`<${Tabs} label="Show" now=${tab} choose=${setTab} tabs=${tabs} /> ${
      tab === 'pages'
        ? html`<${JobPages} id=${id} count=${completed} />`
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
