import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { isRecord } from '../../../util/json.ts'
import { CodeBox, Outside, Table, shortUrl, Empty, plural } from '../parts.ts'
import { isRunning, type JobState } from './job-data.ts'

const isScalar = (value: unknown) => !isRecord(value) && !Array.isArray(value)
const maxRows = 200

export function shown(value: unknown): ComponentChildren {
  if (value === null || value === undefined) return html`<i class="faint">none</i>`
  if (typeof value === 'string') return /^https?:/i.test(value) ? html`<${Outside} url=${value} />` : value
  return JSON.stringify(value)
}

/** Data as tables: an object has a row for each scalar field, and a list of objects a row for each entry. */
export function DataTable({ data }: { data: unknown }): VNode {
  if (Array.isArray(data) && data.length > 0 && data.every(isRecord)) return listTable(data)
  if (!isRecord(data)) return html`<${CodeBox} label="Data" text=${JSON.stringify(data, undefined, 2)} />`
  const fields = Object.entries(data)
  const flat = fields.filter(([, value]) => isScalar(value))
  return html`
    ${flat.length > 0 && html`<${Table} label="Data" head=${['Field', 'Value']} rows=${flat.map(([name, value]) => [name, shown(value)])} />`}
    ${fields
      .filter(([, value]) => !isScalar(value))
      .map(
        ([name, value]) =>
          html`<section>
            <h3>${name}</h3>
            <${DataTable} data=${value} />
          </section>`,
      )}
  `
}

function listTable(entries: readonly Record<string, unknown>[]): VNode {
  const columns = [...new Set(entries.flatMap((each) => Object.keys(each)))]
  const rows = entries.slice(0, maxRows).map((each) => columns.map((name) => shown(each[name])))
  return html`<${Table} label="Data" head=${columns} rows=${rows} />${moreThan(maxRows, entries)}`
}

type Hit = { url?: string; imageUrl?: string; title?: string; description?: string; snippet?: string; date?: string }

export const Cards = ({ groups }: { groups: readonly [name: string, results: readonly Hit[]][] }) =>
  html`${groups.map(
    ([name, results]) =>
      html`<section key=${name} class="found" aria-label=${name}>
        ${results.map(
          ({ url = '', imageUrl, title, description, snippet, date }) =>
            html`<article key=${url} class="found-page">
              <h3><${Outside} url=${imageUrl ?? url}>${title || shortUrl(url)}<//></h3>
              <p class="faint">${shortUrl(url)}${date && ` · ${date}`}</p>
              ${(description ?? snippet) && html`<p>${description ?? snippet}</p>`}
            </article>`,
        )}
      </section>`,
  )}`

/** Result of a job with many steps, and the pages that support it. */
export function Outcome({ state }: { state: JobState }): VNode {
  const { data, sources = {}, evidence = [], conflicts = [], notFound = [], pages = [] } = state
  if (data === undefined || data === null) return nothing(state)
  const quotes = evidence.map(
    ({ field, url, quote }) => html`<li><code>${field}</code> <q>${quote}</q> <${Outside} url=${url} /></li>`,
  )
  const views = conflicts.flatMap(({ about, statements }) =>
    statements.map(({ says, url }) => html`<li><b>${about}</b>: ${says} <${Outside} url=${url} /></li>`),
  )
  return html`
    <section aria-label="Answer">
      <h2>Answer</h2>
      ${answerOf(data)}
    </section>
    ${notFound.length > 0 && html`<p class="note">Not found on any page: ${notFound.join(', ')}.</p>`}
    ${list('Where pages contradict each other', views)} ${list('Sources', Object.entries(sources).map(sourceOf))}
    ${list('In the words of the pages', quotes)}
    ${list('Pages read', pages.map(pageOf), `${plural(pages.length, 'page')}`)}
  `
}

function nothing(state: JobState): VNode {
  if (isRunning(state)) return html`<${Empty} title="At work">The answer appears here.<//>`
  return html`<${Empty} title="No answer">The job ended without one.<//>`
}

/** Shows an answer, or the texts of an llms.txt job, as text, and other data as tables. */
function answerOf(data: unknown): VNode {
  const texts = isRecord(data)
    ? Object.entries(data).filter(([, value]) => typeof value === 'string' && value !== '')
    : []
  const isText = isRecord(data) && texts.length === Object.keys(data).length
  const [only] = texts
  if (isText && texts.length === 1 && only?.[0] === 'answer') return html`<p class="card answer-text">${only[1]}</p>`
  if (isText && texts.some(([name]) => name.startsWith('llms')))
    return html`${texts.map(
      ([name, text]) =>
        html`<h3>${names[name] ?? name}</h3>
          <${CodeBox} label=${name} text=${String(text)} />`,
    )}`
  return html`<${DataTable} data=${data} />
    <details>
      <summary>The same as JSON</summary>
      <${CodeBox} label="Data" text=${JSON.stringify(data, undefined, 2)} />
    </details>`
}

const names: Readonly<Record<string, string>> = { llmstxt: 'llms.txt', llmsfulltxt: 'llms-full.txt' }

function list(title: string, items: readonly ComponentChildren[], note = ''): VNode | false {
  if (items.length === 0) return false
  return html`<section>
    <h2>${title}${note && html` <span class="faint">${note}</span>`}</h2>
    <ul class="sources">
      ${items.slice(0, maxRows)}
    </ul>
    ${moreThan(maxRows, items)}
  </section>`
}

const moreThan = (most: number, items: readonly unknown[]) =>
  items.length > most && html`<p class="faint">and ${plural(items.length - most, 'more', 'more')}</p>`

const sourceOf = ([field, urls]: [string, readonly string[]]) =>
  html`<li><code>${field}</code> ${urls.map((url) => html`<span><${Outside} url=${url} /> </span>`)}</li>`

const pageOf = ({ url, title, error }: NonNullable<JobState['pages']>[number]) =>
  html`<li>
    ${title && html`<b>${title}</b>`} <${Outside} url=${url} /> ${error && html`<span class="bad-text">${error}</span>`}
  </li>`
