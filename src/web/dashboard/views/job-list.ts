import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, usePolled } from '../server-calls.ts'
import {
  activity,
  type Entry,
  hasPages,
  isJob,
  isRunning,
  type JobState,
  runningCrawls,
  stateOf,
  inputFor,
  playgroundHref,
  whyHref,
} from './job-data.ts'
import { Empty, Fault, Loading, Progress, State, Tabs, Tile, ago, count, kindName, plural, shortUrl } from '../parts.ts'

type Listed = { entry: Entry; state: JobState | undefined }
type Overview = { listed: readonly Listed[]; hasMore: boolean; active: number; waiting: number; credits: number }
type Queue = { activeJobsInQueue: number; waitingJobsInQueue: number }

const kinds = ['scrape', 'crawl', 'batch_scrape', 'search', 'map', 'extract', 'agent', 'llmstxt', 'browser', 'interact']

type Choice = { limit: number; kind: string; outcome: string }

async function look({ limit, kind, outcome }: Choice, signal: AbortSignal): Promise<Overview> {
  const [queue, { data: balance }, recent, running] = await Promise.all([
    call<Queue>('GET', '/v2/team/queue-status', { signal }),
    call<{ data: { usedCredits: number } }>('GET', '/v2/team/credit-usage', { signal }),
    activity({ limit, endpoint: kind, status: outcome }, signal),
    runningCrawls(signal),
  ])
  const older = running.filter(
    ({ id, endpoint }) =>
      outcome === '' && (kind === '' || kind === endpoint) && recent.every((each) => each.id !== id),
  )
  const listed = [...older, ...recent].map(async (entry): Promise<Listed> => {
    // One that cannot be read any more says nothing of the others.
    const state = isJob(entry) ? await stateOf(entry, signal).catch(() => undefined) : undefined
    return { entry, state }
  })
  return {
    listed: await Promise.all(listed),
    hasMore: recent.length === limit,
    active: queue.activeJobsInQueue,
    waiting: queue.waitingJobsInQueue,
    credits: balance.usedCredits,
  }
}

/** What the team did in the last 24 hours, what runs first. */
export function Jobs(): VNode {
  const [limit, setLimit] = useState(25)
  const [kind, setKind] = useState('')
  const [outcome, setOutcome] = useState('')
  const choice = { limit, kind, outcome }
  const { value, fault } = usePolled((signal) => look(choice, signal), 2000, `${limit} ${kind} ${outcome}`)
  const running = value?.listed.filter(({ state }) => isRunning(state)) ?? []
  const rest = value?.listed.filter(({ state }) => !isRunning(state)) ?? []
  return html`
    ${tiles(value, running.length)}
    <${Fault} of=${fault} />
    ${
      running.length > 0 &&
      html`<section>
        <h2>Running</h2>
        <ul class="rows">
          ${running.map(Row)}
        </ul>
      </section>`
    }
    <section>
      <div class="bar">
        <h2>Last 24 hours</h2>
        <div class="inline">
          <${KindChoice} now=${kind} choose=${setKind} />
          <${Tabs} label="Show calls that" tabs=${outcomes} now=${outcome} choose=${setOutcome} />
        </div>
      </div>
      ${!value && fault === undefined && html`<${Loading} />`}
      ${value && rest.length === 0 && nothing(choice, running.length)}
      <ul class="rows">
        ${rest.map(Row)}
      </ul>
      ${value?.hasMore && limit < most && html`<button type="button" onClick=${() => setLimit(most)}>Show more</button>`}
    </section>
  `
}

const outcomes = { '': 'All', failed: 'Failed' }

/** As many as one answer holds. */
const most = 100

const tiles = (value: Overview | undefined, running: number) =>
  html`<div class="tiles">
    <${Tile} name="Running jobs" value=${value ? count(running) : '–'} />
    <${Tile}
      name="Pages being read"
      value=${value ? count(value.active) : '–'}
      note=${value && value.waiting > 0 ? `${count(value.waiting)} waiting` : undefined}
    />
    <${Tile} name="Credits this month" value=${value ? count(value.credits) : '–'} />
  </div>`

const KindChoice = ({ now, choose }: { now: string; choose(kind: string): void }) =>
  html`<label class="inline">
    <span>Kind</span>
    <select
      value=${now}
      onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => choose(currentTarget.value)}
    >
      <option value="">all</option>
      ${kinds.map((each) => html`<option value=${each}>${kindName(each)}</option>`)}
    </select>
  </label>`

function nothing({ kind, outcome }: Choice, running: number): VNode {
  if (outcome === 'failed')
    return html`<${Empty} title="Nothing failed">Calls that fail are listed here with the reason.<//>`
  if (kind !== '') return html`<${Empty} title=${`No ${kindName(kind)} today`}>Choose “all” to see the rest.<//>`
  if (running > 0) return html`<${Empty} title="Nothing else today">What runs now is listed above.<//>`
  return html`<${Empty} title="Nothing has been read yet">
    <a href="#/playground/scrape">Scrape a page</a> to see how it looks, or
    <a href="#/playground/crawl">crawl a site</a>.
  <//>`
}

const Row = ({ entry, state }: Listed) =>
  html`<li key=${entry.id}>
    <a class="row" href=${hrefOf(entry)}>
      <span class="kind">${kindName(entry.endpoint)}</span>
      <span class=${isFailed(entry) ? 'two-lines' : 'target'}
        ><span>${targetOf(entry)}</span> ${isFailed(entry) && reasonOf(entry)}</span
      >
      <span class="row-state">${state ? stateText(entry, state) : endText(entry)}</span>
      <time class="faint" datetime=${entry.created_at} title=${entry.created_at}>${ago(entry.created_at)}</time>
    </a>
  </li>`

/** A browser that people open leads nowhere yet; what else has no address was not to be kept. */
function targetOf({ target, endpoint }: Entry): VNode | string {
  if (target !== null) return shortUrl(target)
  return html`<i class="faint">${['browser', 'interact'].includes(endpoint) ? 'live browser' : 'not kept'}</i>`
}

function stateText(entry: Entry, state: JobState): VNode {
  const { status, completed = 0, failed = 0, total = 0 } = state
  if (isRunning(state) && hasPages(entry))
    return html`<${Progress} done=${completed + failed} total=${total} /><span class="faint"
        >${count(completed + failed)} of ${count(total)}</span
      >`
  const faults = failed > 0 ? html` <span class="bad-text">${count(failed)} failed</span>` : ''
  return html`<${State}
      is=${status}
    />${hasPages(entry) && html`<span class="faint">${plural(completed, 'page')}</span>`}${faults}`
}

const isFailed = ({ status }: Entry) => status === 'failed'

const reasonOf = ({ error = 'It failed.', code }: Entry) =>
  html`<span>${code && html`<code class="faint">${code}</code> `}<span class="bad-text">${error}</span></span>`

/** Of a call that began no job, and of one that could not. */
const endText = (entry: Entry) =>
  html`<${State}
      is=${isFailed(entry) ? 'failed' : 'completed'}
    />${isFailed(entry) && html`<span class="link">Why?</span>`}`

function hrefOf(entry: Entry): string {
  const { id, endpoint } = entry
  if (isFailed(entry)) return whyHref(entry)
  if (isJob({ endpoint })) return `#/jobs/${endpoint}/${id}`
  if (endpoint === 'browser') return `#/sessions/${id}`
  return endpoint === 'scrape' ? `#/pages/${id}` : playgroundHref(endpoint, inputFor(entry))
}
