import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useChoice } from '../place.ts'
import { usePolled } from '../server-calls.ts'
import {
  type Entry,
  hasPages,
  isJob,
  isRunning,
  jobList,
  type JobList,
  type JobState,
  stateOf,
  inputFor,
  playgroundHref,
  whyHref,
} from './job-data.ts'
import {
  Empty,
  Awaited,
  Progress,
  State,
  Tabs,
  Tile,
  Time,
  count,
  kindName,
  later,
  plural,
  shortUrl,
  Select,
} from '../parts.ts'

const Connect = later(async () => (await import('./connect-view.ts')).Connect)

type Listed = { entry: Entry; state: JobState | undefined }

const kinds = 'scrape crawl batch_scrape search map extract agent llmstxt browser interact monitor'.split(' ')

async function look(wanted: Readonly<Record<string, string>>, signal: AbortSignal) {
  const list = await jobList(wanted, signal)
  const rest = list.recent.map(async (entry): Promise<Listed> => {
    // A job that cannot be read must not hide the others.
    const state = isJob(entry) ? await stateOf(entry, signal).catch(() => undefined) : undefined
    return { entry, state }
  })
  return { list, rest: await Promise.all(rest) }
}

/** Running jobs, and the calls of the last 24 hours. */
export function Jobs(): VNode {
  const [limit, setLimit] = useChoice<string>('limit', '25')
  const [kind, setKind] = useChoice<string>('kind', '')
  const [outcome, setOutcome] = useChoice<string>('status', '')
  const wanted = { limit, ...withoutEmpty({ endpoint: kind, status: outcome }) }
  const { value, fault } = usePolled((signal) => look(wanted, signal), 2000, JSON.stringify(wanted))
  const { running = [], hasMore } = value?.list ?? {}
  const isCut = hasMore && limit !== most
  return html`
    ${tiles(value?.list)} ${running.length > 0 && html`<${Running} entries=${running} />`}
    <section>
      <div class="bar">
        <h2>Last 24 hours</h2>
        <div class="inline">
          <${Select} label="Kind" now=${kind} choose=${setKind}>
            <option value="">all</option>
            ${kinds.map((each) => html`<option value=${each}>${kindName(each)}</option>`)}
          <//>
          <${Tabs} label="Show calls that" tabs=${outcomes} now=${outcome} choose=${setOutcome} />
        </div>
      </div>
      <${Awaited} value=${value} fault=${fault} />
      ${value?.rest.length === 0 && nothing(kind, outcome, running.length)}
      <ul class="rows">
        ${value?.rest.map(Row)}
      </ul>
      ${isCut && html`<button type="button" onClick=${() => setLimit(most)}>Show more</button>`}
    </section>
  `
}

const withoutEmpty = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

const Running = ({ entries }: { entries: readonly Entry[] }) =>
  html`<section aria-label="Running">
    <h2>Running</h2>
    <ul class="rows">
      ${entries.map((entry) => html`<${Row} key=${entry.id} entry=${entry} state=${entry.state} />`)}
    </ul>
  </section>`

const outcomes = { '': 'All', failed: 'Failed' }

/** Maximum number of entries in a response. */
const most = '100'

const tiles = (value: JobList | undefined) =>
  html`<div class="tiles">
    <${Tile} name="Running jobs" value=${value ? count(value.running.length) : '–'} />
    <${Tile}
      name="Pages being read"
      value=${value ? count(value.active) : '–'}
      note=${value && value.waiting > 0 ? `${count(value.waiting)} waiting` : undefined}
    />
    <${Tile}
      name="Credits this month"
      value=${value ? count(value.credits) : '–'}
      note="1 a page, 2 a minute of a live browser"
    />
  </div>`

function nothing(kind: string, outcome: string, running: number): VNode {
  if (outcome === 'failed')
    return html`<${Empty} title="Nothing failed">Calls that fail are listed here with the reason.<//>`
  if (kind !== '') return html`<${Empty} title=${`No ${kindName(kind)} today`}>Choose “all” to see the rest.<//>`
  if (running > 0) return html`<${Empty} title="Nothing else today">What runs now is listed above.<//>`
  return html`<h3>Nothing has been read yet</h3>
    <p class="faint">Connect an agent, or <a href="#/playground/scrape">scrape a page</a> here to see how it looks.</p>
    <${Connect} />`
}

const Row = ({ entry, state }: Listed) =>
  html`<li key=${entry.id}>
    <a class="row" href=${hrefOf(entry)}>
      <span class="kind">${kindName(entry.endpoint)}</span>
      <span class=${isFailed(entry) ? 'two-lines' : 'target'}
        ><span>${targetOf(entry)}</span> ${isFailed(entry) && reasonOf(entry)}</span
      >
      <span class="row-state">${state ? stateText(entry, state) : endText(entry)}</span>
      <${Time} iso=${entry.created_at} />
    </a>
  </li>`

/** Browser sessions start without a target; other entries without one were not to be stored. */
function targetOf({ target, endpoint }: Entry): VNode | string {
  if (target !== null) return shortUrl(target)
  return html`<i class="faint">${['browser', 'interact'].includes(endpoint) ? 'live browser' : 'not kept'}</i>`
}

function stateText(entry: Entry, state: JobState): VNode {
  const { status, completed = 0, failed = 0, total = 0, refused = 0, doing } = state
  if (isRunning(state) && (total > 0 || doing))
    return html`<span class="faint">${doing}</span
      >${total > 0 && html`<${Progress} done=${completed + failed} total=${total} />`}
      <span class="faint">${total > 0 && `${count(completed + failed)} of ${count(total)}`}</span>`
  const faults = [refused > 0 && `${count(refused)} with an error`, failed > 0 && `${count(failed)} failed`]
  return html`<${State} is=${status} />
    ${hasPages(entry) && html`<span class="faint">${plural(completed - refused, 'page')}</span>`}
    ${faults.map((each) => each && html`<span class="bad-text">${each}</span>`)}`
}

const isFailed = ({ status }: Entry) => status === 'failed'

const reasonOf = ({ error = 'It failed.', code }: Entry) =>
  html`<span>${code && html`<code class="faint">${code}</code> `}<span class="bad-text">${error}</span></span>`

/** State of a call that started no job, or whose job cannot be read. */
const endText = (entry: Entry) =>
  html`<${State}
      is=${isFailed(entry) ? 'failed' : 'completed'}
    />${isFailed(entry) && html`<span class="link">Why?</span>`}`

function hrefOf(entry: Entry): string {
  const { id, endpoint } = entry
  if (isFailed(entry) && endpoint !== 'monitor') return whyHref(entry)
  if (isJob({ endpoint })) return `#/jobs/${endpoint}/${id}`
  if (endpoint === 'browser') return `#/sessions/${id}`
  if (endpoint === 'monitor') return `#/monitors/${entry.monitorId ?? ''}/${id}`
  return endpoint === 'scrape' ? `#/pages/${id}` : playgroundHref(endpoint, inputFor(entry))
}
