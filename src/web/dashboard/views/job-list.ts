import { html } from 'htm/preact'
import type { VNode } from 'preact'
import {
  Empty,
  Progress,
  Rows,
  Select,
  State,
  Tabs,
  Tile,
  Time,
  count,
  kindName,
  later,
  plural,
  shortUrl,
} from '../parts.ts'
import { useChoice } from '../place.ts'
import {
  type Entry,
  hasPages,
  inputFor,
  isJob,
  isRunning,
  type JobList,
  type JobState,
  playgroundHref,
  useJobList,
  useJobState,
  whyHref,
} from './job-data.ts'

const Connect = later(async () => (await import('./connect-view.ts')).Connect)

const kinds = 'scrape crawl batch_scrape search map extract agent llmstxt browser interact monitor'.split(' ')
const outcomes = { '': 'All', failed: 'Failed' }
/** Maximum number of entries in a response. */
const maxEntries = '100'

/** Running jobs, and the calls of the last 24 hours. */
export function Jobs(): VNode {
  const [limit, setLimit] = useChoice<string>('limit', '25')
  const [kind, setKind] = useChoice<string>('kind', '')
  const [outcome, setOutcome] = useChoice<string>('status', '')
  const filter = { ...(kind && { endpoint: kind }), ...(outcome && { status: outcome }) }
  const { value, fault } = useJobList({ limit, ...filter }, 2000)
  const { running = [], hasMore } = value ?? {}
  return html`
    ${tiles(value)}
    ${
      running.length > 0 &&
      html`<section aria-label="Running">
        <h2>Running</h2>
        <${Rows} rows=${running} row=${row} />
      </section>`
    }
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
      <${Rows} fault=${fault} rows=${value?.recent} row=${row}>${nothing(kind, outcome, running.length)}<//>
      ${hasMore && limit !== maxEntries && html`<button type="button" onClick=${() => setLimit(maxEntries)}>Show more</button>`}
    </section>
  `
}

const tiles = ({ running, active, waiting = 0, credits }: Partial<JobList> = {}) =>
  html`<div class="tiles">
    <${Tile} name="Running jobs" value=${running?.length} />
    <${Tile} name="Pages being read" value=${active} note=${waiting > 0 && `${count(waiting)} waiting`} />
    <${Tile} name="Credits this month" value=${credits} note="1 a page, 2 a minute of a live browser" />
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

const row = (entry: Entry) => html`<${Row} key=${entry.id} entry=${entry} />`

/** One call. A call that started a job shows the state of the job. */
function Row({ entry }: { entry: Entry }): VNode {
  const isFailed = entry.status === 'failed'
  const ended = useJobState(entry.state || isFailed || !isJob(entry) ? undefined : entry).value
  const { state = ended, error = 'It failed.', code } = entry
  const reason = html`<span
    >${code && html`<code class="faint">${code}</code> `}<span class="bad-text">${error}</span></span
  >`
  return html`<li>
    <a class="row" href=${hrefOf(entry)}>
      <span class="kind">${kindName(entry.endpoint)}</span>
      <span class=${isFailed ? 'two-lines' : 'target'}><span>${targetOf(entry)}</span> ${isFailed && reason}</span>
      <span class="row-state">
        ${
          state
            ? stateText(entry, state)
            : html`<${State}
                  is=${isFailed ? 'failed' : 'completed'}
                />${isFailed && html`<span class="link">Why?</span>`}`
        }
      </span>
      <${Time} iso=${entry.created_at} />
    </a>
  </li>`
}

/** Subject of a call. Live browsers have no target; that of any other call is missing only if it may not be stored. */
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

function hrefOf(entry: Entry): string {
  const { id, endpoint } = entry
  if (entry.status === 'failed' && endpoint !== 'monitor') return whyHref(entry)
  if (isJob({ endpoint })) return `#/jobs/${endpoint}/${id}`
  if (endpoint === 'browser') return `#/sessions/${id}`
  if (endpoint === 'monitor') return `#/monitors/${entry.monitorId ?? ''}/${id}`
  return endpoint === 'scrape' ? `#/pages/${id}` : playgroundHref(endpoint, inputFor(entry))
}
