import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Exchange } from '../api.ts'
import { Tabs } from '../parts/parts.ts'
import { count } from '../parts/words.ts'

/** More would make the page slow; the REST call below brings all of it. */
const mostShown = 200_000

export type Run = Exchange & { ms: number; operation: string }
type Shown = 'text' | 'picture' | 'json'

/** The answer to a call, as what it is: markdown, a picture, or JSON. */
export function Outcome({ run }: { run: Run }): VNode {
  const { status, isOk, answer, ms } = run
  const [chosen, setChosen] = useState<Shown>()
  const tabs = tabsOf(answer)
  const now = tabs.find(([id]) => id === chosen)?.[0] ?? tabs[0]?.[0] ?? 'json'
  return html`<section aria-label="Answer" aria-live="polite">
    <p class="facts">
      <span class=${`state ${isOk ? 'good' : 'bad'}`}>${status === 0 ? 'no answer' : status}</span>
      <span class="faint">${count(ms)} ms</span>
      ${follow(run)}
    </p>
    ${!isOk && html`<${Refusal} answer=${answer} />`}
    ${tabs.length > 1 && html`<${Tabs} label="Show the answer as" tabs=${tabs} now=${now} choose=${setChosen} />`}
    ${views[now](answer)}
  </section>`
}

function tabsOf(answer: Run['answer']): (readonly [Shown, string])[] {
  const { markdown, screenshot } = recordOf(answer['data'])
  return [
    ...(typeof markdown === 'string' ? [['text', 'Markdown'] as const] : []),
    ...(typeof screenshot === 'string' ? [['picture', 'Picture'] as const] : []),
    ['json', 'JSON'],
  ]
}

const views: Readonly<Record<Shown, (answer: Run['answer']) => VNode>> = {
  text: ({ data }) => html`<pre class="markdown" tabindex="0">${cut(String(recordOf(data)['markdown']))}</pre>`,
  picture: ({ data }) => html`<img class="picture" src=${recordOf(data)['screenshot']} alt="Picture of the page" />`,
  json: (answer) => html`<pre class="answer" tabindex="0">${cut(JSON.stringify(answer, undefined, 2))}</pre>`,
}

const Refusal = ({ answer }: { answer: Run['answer'] }) =>
  html`<div class="fault-box" role="alert">
    <p class="fault">${String(answer['error'] ?? 'The server refused this.')}</p>
    <p>${String(answer['hint'] ?? '')}</p>
  </div>`

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const cut = (text: string) =>
  text.length <= mostShown ? text : `${text.slice(0, mostShown)}\n… ${count(text.length - mostShown)} characters more`

/** Where to go on from an answer. */
function follow({ operation, answer, isOk }: Run): VNode | false {
  if (!isOk) return false
  const { scrapeId } = recordOf(recordOf(answer['data'])['metadata'])
  if (typeof scrapeId === 'string') return html`<a href=${`#/pages/${scrapeId}`}>See the page</a>`
  const { id } = answer
  if (typeof id !== 'string') return false
  if (operation === 'browser_create') return html`<a href=${`#/sessions/${id}`}>Watch the session</a>`
  const isJob = ['crawl', 'batch_scrape', 'extract', 'agent', 'llmstxt'].includes(operation)
  return isJob && html`<a href=${`#/jobs/${operation}/${id}`}>Watch the job</a>`
}
