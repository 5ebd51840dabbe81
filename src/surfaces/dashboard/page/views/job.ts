import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { activity, canCancel, cancel, hasPages, isRunning, type JobState, runningCrawls, stateOf } from '../jobs.ts'
import { Fault, Loading, Progress, State, Tabs } from '../parts/parts.ts'
import { usePolled } from '../parts/polled.ts'
import { count, duration, kindName, plural, shortUrl } from '../parts/words.ts'
import { JobErrors } from './job-errors.ts'
import { JobPages } from './job-pages.ts'

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
      ${isRunning(state) && canCancel(job) && html`<${Cancel} job=${job} cancelled=${refresh} />`}
    </div>
    <${Fault} of=${fault} />
    ${facts(job, state)} ${state.error && html`<p class="fault-box fault" role="alert">${state.error}</p>`}
    ${state.warning && html`<p class="note">${state.warning}</p>`}
    ${
      hasPages(job)
        ? html`<${Results} id=${id} state=${state} />`
        : html`<pre class="answer" tabindex="0">${JSON.stringify(state.data ?? null, undefined, 2)}</pre>`
    }
  `
}

function Cancel({ job, cancelled }: { job: JobProps; cancelled(): void }): VNode {
  const [fault, setFault] = useState<unknown>()
  return html`<button type="button" class="danger" onClick=${() => void cancel(job).then(cancelled, setFault)}>
      Cancel
    </button>
    <${Fault} of=${fault} />`
}

function Results({ id, state: { completed = 0, failed = 0 } }: { id: string; state: JobState }): VNode {
  const [tab, setTab] = useState<'pages' | 'errors'>('pages')
  const tabs = [
    ['pages', `Pages ${count(completed)}`],
    ['errors', `Errors ${count(failed)}`],
  ]
  return html`<${Tabs} label="Show" now=${tab} choose=${setTab} tabs=${tabs} /> ${
      tab === 'pages'
        ? html`<${JobPages} id=${id} count=${completed} />`
        : html`<${JobErrors} id=${id} failed=${failed} />`
    }`
}

async function nameOf({ id }: JobProps, signal: AbortSignal): Promise<string> {
  const listed = [...(await activity(100, '', signal)), ...(await runningCrawls(signal))]
  return listed.find((each) => each.id === id)?.target ?? id
}

function facts(
  job: JobProps,
  { status, completed = 0, failed = 0, total = 0, creditsUsed, duration: seconds }: JobState,
) {
  return html`<p class="facts">
    <${State} is=${status} />
    ${hasPages(job) && html`<${Progress} done=${completed + failed} total=${total} /> <span>${count(completed + failed)} of ${plural(total, 'page')}</span>`}
    ${creditsUsed !== undefined && html`<span class="faint">${plural(creditsUsed, 'credit')}</span>`}
    ${seconds !== undefined && html`<span class="faint">${duration(seconds)}</span>`}
  </p>`
}
