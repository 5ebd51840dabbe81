import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Input, requestOf } from '../../../kernel/written-call.ts'
import { parseJsonObject } from '../../../util/json.ts'
import { Awaited, Fault, Select, Table, Tabs, count, later, plural } from '../parts.ts'
import { replaceAddress, useTitle } from '../place.ts'
import { CallError, type Exchange, exchange, useAnswer } from '../server-calls.ts'
import { type CataloguedOperation, FieldInput, type Field, fieldsOf } from './call-fields.ts'
import { Snippets } from './call-texts.ts'
import { Cards, DataTable } from './data-views.ts'
import { isJob, playgroundHref } from './job-data.ts'
import { cut, Markdown } from './markdown-view.ts'

const Job = later(async () => (await import('./job-view.ts')).Job)

const useCatalogue = () => useAnswer<{ operations: readonly CataloguedOperation[] }>('/dashboard/operations')

/** Runs any operation from a form generated from its schema, and shows code for the same call. */
export function Playground({ name = 'scrape', input = '' }: { name?: string; input?: string }): VNode {
  const { value, fault } = useCatalogue()
  useTitle(`Playground: ${name}`)
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { operations } = value
  const chosen = operations.find((each) => each.name === name) ?? operations.find((each) => each.name === 'scrape')
  if (!chosen) return html`<${Fault} of="The server has no operations." />`
  return html`
    <div class="bar">
      <${Select}
        label="Operation"
        now=${chosen.name}
        choose=${(next: string) => (location.hash = `#/playground/${next}`)}
      >
        ${byTask(operations).map(
          ([task, group]) =>
            html`<optgroup key=${task} label=${task}>
              ${group.map((each) => html`<option key=${each.name} value=${each.name}>${each.title}</option>`)}
            </optgroup>`,
        )}
      <//>
    </div>
    <p class="faint about">${chosen.about}</p>
    <${Bench} operation=${chosen} given=${parseJsonObject(input)} key=${`${chosen.name} ${input}`} />
  `
}

/** Tasks, each with the first word of the paths of its operations. */
const tasks: Readonly<Record<string, readonly string[]>> = {
  'Read pages': ['scrape', 'batch', 'parse'],
  'Find pages': ['search', 'map'],
  'Read whole sites': ['crawl', 'llmstxt'],
  'Get answers and data': ['extract', 'agent'],
  'Live browsers': ['browser', 'interact'],
  'Watch pages for changes': ['monitor'],
  'Find out what is wrong': ['support'],
  'Manage teams and keys': ['admin'],
}
const otherTask = 'Account and limits'

/** Groups operations by task. The main operations of a task come first: they have the shortest paths. */
function byTask(operations: readonly CataloguedOperation[]): [string, CataloguedOperation[]][] {
  const sorted = operations.toSorted((one, other) => one.template.length - other.template.length)
  const groups = Object.groupBy(sorted, ({ template }) => {
    const part = template.split('/')[2] ?? ''
    return Object.keys(tasks).find((task) => tasks[task]?.includes(part)) ?? otherTask
  })
  const names = [...Object.keys(tasks), otherTask]
  return names.flatMap((task) => (groups[task] ? [[task, groups[task]]] : []))
}

/** Returns an exchange without a response; undefined for a call that the user stopped. */
const unanswered = (fault: unknown): Exchange | undefined =>
  fault instanceof CallError
    ? { status: 0, isOk: false, answer: { error: fault.message, hint: fault.hint } }
    : undefined

function Bench({ operation, given }: { operation: CataloguedOperation; given: Input | undefined }): VNode {
  const [input, setInput] = useState<Input>(given ?? { ...operation.example })
  const [run, setRun] = useState<Run>()
  function change(next: Input): void {
    setInput(next)
    const address = playgroundHref(operation.name, next)
    if (address.length < maxAddress) replaceAddress(address)
  }
  const running = useRef<AbortController>(undefined)
  const [isBusy, setBusy] = useState(false)
  async function start(): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    const { method, path, body } = requestOf(operation, input)
    const startedAt = performance.now()
    const result = await exchange(method, path, { body, signal: controller.signal }).catch(unanswered)
    setBusy(false)
    setRun(result && { ...result, ms: Math.round(performance.now() - startedAt), operation: operation.name })
  }
  return html`<div class="bench">
    <${CallForm}
      operation=${operation}
      input=${input}
      change=${change}
      faults=${faultsOf(run)}
      start=${start}
      stop=${isBusy ? () => running.current?.abort() : undefined}
    />
    <div class="bench-side">
      ${run && html`<${Outcome} run=${run} />`}
      <${Snippets} operation=${operation} input=${input} />
    </div>
  </div>`
}

/** Maximum length of an address. A longer input, such as a file, is not stored in the address. */
const maxAddress = 8000

/** Returns the faults that the server reported, by field. */
function faultsOf(run: Run | undefined): Readonly<Record<string, string>> {
  const details = run?.isOk === false ? run.answer['details'] : []
  const faults = (Array.isArray(details) ? details : []).map(recordOf)
  return Object.fromEntries(faults.map(({ path, message }) => [/^\w*/.exec(String(path))?.[0] ?? '', String(message)]))
}

type FormProps = {
  operation: CataloguedOperation
  input: Input
  change(input: Input): void
  faults: Readonly<Record<string, string>>
  start(): void
  /** Set while the call runs. */
  stop: (() => void) | undefined
}

function CallForm(props: FormProps): VNode {
  const { input, change, start, stop } = props
  const [mode, setMode] = useState<'form' | 'json'>('form')
  const [draft, setDraft] = useState<string>()
  function write(text: string): void {
    const read = parseJsonObject(text)
    setDraft(read ? undefined : text)
    if (read) change(read)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (!stop) start()
  }
  return html`<form class="call" onSubmit=${submit}>
    <${Tabs} label="Write the input as" tabs=${{ form: 'Form', json: 'JSON' }} now=${mode} choose=${setMode} />
    ${
      mode === 'form'
        ? html`<${Fields} ...${props} />`
        : html`<textarea
              class="mono"
              rows="14"
              aria-label="Input as JSON"
              aria-invalid=${draft !== undefined}
              spellcheck=${false}
              value=${draft ?? JSON.stringify(input, undefined, 2)}
              onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => write(currentTarget.value)}
            ></textarea>
            ${draft !== undefined && html`<p class="fault">This is not a JSON object yet.</p>`}`
    }
    <div class="bar">
      <button type="submit" class="primary" disabled=${stop !== undefined || (mode === 'json' && draft !== undefined)}>
        ${stop ? 'Running…' : 'Run'}
      </button>
      ${stop && html`<button type="button" onClick=${stop}>Stop</button>`}
    </div>
  </form>`
}

/** Required fields and those of the example come first; the rest is collapsed. */
function Fields({ operation, input, change, faults }: FormProps): VNode {
  const fields = fieldsOf(operation.schema)
  const isFirst = ({ name, isRequired }: Field) => isRequired || name in operation.example
  const rest = fields.filter((field) => !isFirst(field))
  const show = (field: Field) =>
    html`<${FieldInput}
      key=${field.name}
      field=${field}
      value=${input[field.name]}
      fault=${faults[field.name]}
      change=${(value: unknown) => change({ ...input, [field.name]: value })}
    />`
  return html`
    ${fields.length === 0 && html`<p class="faint">This operation takes no input.</p>`}
    ${fields.filter(isFirst).map(show)}
    ${
      rest.length > 0 &&
      html`<details open=${rest.some(({ name }) => name in faults)}>
        <summary>${rest.length} more ${rest.length === 1 ? 'option' : 'options'}</summary>
        <div class="more">${rest.map(show)}</div>
      </details>`
    }
  `
}

type Run = Exchange & { ms: number; operation: string }
type Answer = Run['answer']

/** Response to a call: its data, or the same as JSON. */
function Outcome({ run }: { run: Run }): VNode {
  const { status, isOk, answer, ms } = run
  const [chosen, setChosen] = useState('')
  const asJson = html`<pre class="answer" tabindex="0">${cut(JSON.stringify(answer, undefined, 2))}</pre>`
  const kinds: Record<string, VNode> = { ...(isOk && kindsOf(run)), JSON: asJson }
  const names = Object.keys(kinds)
  const now = chosen in kinds ? chosen : (names[0] ?? '')
  const tabs = Object.fromEntries(names.map((name) => [name, name]))
  const { error = 'The server refused this.', code = '', hint = '' } = answer
  return html`<section aria-label="Answer" aria-live="polite">
    <p class="facts">
      <span class=${`state ${isOk ? 'good' : 'bad'}`}>${status === 0 ? 'no answer' : status}</span>
      <span class="faint">${[`${count(ms)} ms`, ...factsIn(answer)].join(' · ')}</span>
      ${follow(run)}
    </p>
    ${!isOk && html`<${Fault} of=${new CallError(String(error), String(code), String(hint))} />`}
    ${names.length > 1 && html`<${Tabs} label="Show the answer as" tabs=${tabs} now=${now} choose=${setChosen} />`}
    ${kinds[now]}
  </section>`
}

/** Ways to show an answer other than as JSON, the best first. */
function kindsOf({ answer, operation }: Run): Record<string, VNode> {
  const { id, data, links, answer: text } = answer
  if (isJob({ endpoint: operation }) && typeof id === 'string')
    return { Result: html`<${Job} endpoint=${operation} id=${id} />` }
  const { markdown, screenshot, json, links: pageLinks = links, web, news, images } = recordOf(data)
  const groups = Object.entries({ web, news, images }).filter(([, results]) => Array.isArray(results))
  const list = Array.isArray(data) ? data : pageLinks
  return {
    ...(groups.length > 0 && { Results: html`<${Cards} groups=${groups} />` }),
    ...(typeof text === 'string' && { Answer: html`<${Markdown} text=${text} />` }),
    ...(typeof markdown === 'string' && { Markdown: html`<${Markdown} text=${markdown} />` }),
    ...(typeof screenshot === 'string' && {
      Picture: html`<img class="picture" src=${screenshot} alt="Picture of the page" />`,
    }),
    ...(json !== undefined && { Data: html`<${DataTable} data=${json} />` }),
    ...(Array.isArray(list) && list.length > 0 && { List: html`<${DataTable} data=${list.map(asRow)} />` }),
  }
}

const asRow = (entry: unknown) => (typeof entry === 'object' ? entry : { value: entry })

/** Returns the source of an answer and its price. */
function factsIn({ data, creditsUsed }: Answer): string[] {
  const { cacheState, proxyUsed, creditsUsed: ofPage } = recordOf(recordOf(data)['metadata'])
  const credits = Number(creditsUsed ?? ofPage)
  return [
    cacheState === 'hit' ? 'from the cache' : cacheState === 'miss' ? 'read from the site' : '',
    proxyUsed === 'stealth' ? 'by the enhanced proxy' : '',
    Number.isNaN(credits) ? '' : plural(credits, 'credit'),
  ].filter((each) => each !== '')
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Link from a response to its page, session or job. */
function follow({ operation, answer, isOk }: Run): VNode | false {
  if (!isOk) return false
  const { scrapeId } = recordOf(recordOf(answer['data'])['metadata'])
  if (typeof scrapeId === 'string') return html`<a href=${`#/pages/${scrapeId}`}>See the page</a>`
  const { id } = answer
  if (typeof id !== 'string') return false
  if (operation === 'browser_create') return html`<a href=${`#/sessions/${id}`}>Watch the session</a>`
  return isJob({ endpoint: operation }) && html`<a href=${`#/jobs/${operation}/${id}`}>Watch the job</a>`
}

/** List of all routes with their fields. */
export function Api(): VNode {
  const { value, fault } = useCatalogue()
  if (!value) return html`<${Awaited} fault=${fault} />`
  return html`
    <p class="faint">
      For programs: <a href="/openapi.json">openapi.json</a>. Agents use the same operations over MCP.
    </p>
    ${byTask(value.operations).map(
      ([task, group]) =>
        html`<section key=${task}>
          <h2>${task}</h2>
          ${group.map(operationOf)}
        </section>`,
    )}
  `
}

function operationOf({ name, title, about, method, template, schema }: CataloguedOperation): VNode {
  const rows = fieldsOf(schema).map((field) => [
    html`<code>${field.name}</code>`,
    field.isRequired ? 'required' : (JSON.stringify(field.fallback) ?? ''),
    field.about,
  ])
  return html`<details key=${name} class="card">
    <summary><b>${title}</b> <code class="faint">${method} ${template}</code></summary>
    <p>${about} <a href=${`#/playground/${name}`}>Try it</a></p>
    ${
      rows.length > 0 &&
      html`<${Table} label=${`Fields of ${title}`} head=${['Field', 'Default', 'Meaning']} rows=${rows} />`
    }
  </details>`
}
