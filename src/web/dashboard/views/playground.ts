import { isJob } from './job-data.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { call, CallError, type Exchange, exchange, usePolled } from '../server-calls.ts'
import { Fault, Loading, Tabs, count } from '../parts.ts'
import { Snippets } from './call-texts.ts'
import { type Input, objectIn, requestOf } from '../../../kernel/written-call.ts'
import { type CataloguedOperation, FieldInput, type Field, fieldsOf } from './call-fields.ts'

type Catalogue = { operations: readonly CataloguedOperation[] }

/** Runs any operation from a form made of its schema, and shows how programs make the same call. */
export function Playground({ name, input }: { name: string; input: string }): VNode {
  const { value, fault } = usePolled((signal) => call<Catalogue>('GET', '/dashboard/operations', { signal }), 0, '')
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  const { operations } = value
  const chosen = operations.find((each) => each.name === name) ?? operations.find((each) => each.name === 'scrape')
  if (!chosen) return html`<${Fault} of="The server has no operations." />`
  return html`
    <div class="bar">
      <label class="inline">
        <span>Operation</span>
        <select
          value=${chosen.name}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
            location.hash = `#/playground/${currentTarget.value}`
          }}
        >
          ${operations.map((each) => html`<option value=${each.name}>${each.name}</option>`)}
        </select>
      </label>
    </div>
    <p class="faint about">${chosen.about}</p>
    <${Bench} operation=${chosen} given=${objectIn(input)} key=${`${chosen.name} ${input}`} />
  `
}

/** A call that was stopped leaves nothing to show. */
function unanswered(fault: unknown): Exchange | undefined {
  if (!(fault instanceof CallError)) return undefined
  return { status: 0, isOk: false, answer: { error: fault.message, hint: fault.hint } }
}

function Bench({ operation, given }: { operation: CataloguedOperation; given: Input | undefined }): VNode {
  const [input, setInput] = useState<Input>(given ?? { ...operation.example })
  const [run, setRun] = useState<Run>()
  const running = useRef<AbortController>(undefined)
  const [isBusy, setBusy] = useState(false)
  async function start(): Promise<void> {
    const gone = new AbortController()
    running.current = gone
    setBusy(true)
    const { method, path, body } = requestOf(operation, input)
    const begun = performance.now()
    const made = await exchange(method, path, { body, signal: gone.signal }).catch(unanswered)
    setBusy(false)
    setRun(made && { ...made, ms: Math.round(performance.now() - begun), operation: operation.name })
  }
  return html`<div class="bench">
    <${CallForm}
      operation=${operation}
      input=${input}
      change=${setInput}
      start=${start}
      stop=${isBusy ? () => running.current?.abort() : undefined}
    />
    <div class="bench-side">
      ${run && html`<${Outcome} run=${run} />`}
      <${Snippets} operation=${operation} input=${input} />
    </div>
  </div>`
}

type FormProps = {
  operation: CataloguedOperation
  input: Input
  change(input: Input): void
  start(): void
  /** There while the call runs. */
  stop: (() => void) | undefined
}

/** The input as a form, or as the JSON that it stands for. */
export function CallForm(props: FormProps): VNode {
  const { input, change, start, stop } = props
  const [mode, setMode] = useState<'form' | 'json'>('form')
  const [draft, setDraft] = useState<string>()
  function write(text: string): void {
    const read = objectIn(text)
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
            ${draft !== undefined && html`<p class="fault">This is no JSON object yet.</p>`}`
    }
    <div class="bar">
      <button type="submit" class="primary" disabled=${stop !== undefined || (mode === 'json' && draft !== undefined)}>
        ${stop ? 'Running…' : 'Run'}
      </button>
      ${stop && html`<button type="button" onClick=${stop}>Stop</button>`}
    </div>
  </form>`
}

/** What a call needs and what the example has come first; the rest is there when asked for. */
function Fields({ operation, input, change }: FormProps): VNode {
  const fields = fieldsOf(operation.schema)
  const isFirst = ({ name, isRequired }: Field) => isRequired || name in operation.example
  const rest = fields.filter((field) => !isFirst(field))
  const show = (field: Field) =>
    html`<${FieldInput}
      key=${field.name}
      field=${field}
      value=${input[field.name]}
      change=${(value: unknown) => change(withField(input, field.name, value))}
    />`
  return html`
    ${fields.length === 0 && html`<p class="faint">It takes no input.</p>`} ${fields.filter(isFirst).map(show)}
    ${
      rest.length > 0 &&
      html`<details>
        <summary>${rest.length} more ${rest.length === 1 ? 'option' : 'options'}</summary>
        <div class="more">${rest.map(show)}</div>
      </details>`
    }
  `
}

function withField(input: Input, name: string, value: unknown): Input {
  const { [name]: _, ...rest } = input
  return value === undefined ? rest : { ...input, [name]: value }
}

/** More would make the page slow; the REST call below brings all of it. */
const mostShown = 200_000

export type Run = Exchange & { ms: number; operation: string }
type Shown = 'text' | 'picture' | 'json'

/** The answer to a call, as what it is: markdown, a picture, or JSON. */
export function Outcome({ run }: { run: Run }): VNode {
  const { status, isOk, answer, ms } = run
  const [chosen, setChosen] = useState<Shown>()
  const tabs = tabsOf(answer)
  const shown = (['text', 'picture', 'json'] as const).filter((id) => id in tabs)
  const now = shown.find((id) => id === chosen) ?? shown[0] ?? 'json'
  return html`<section aria-label="Answer" aria-live="polite">
    <p class="facts">
      <span class=${`state ${isOk ? 'good' : 'bad'}`}>${status === 0 ? 'no answer' : status}</span>
      <span class="faint">${count(ms)} ms</span>
      ${follow(run)}
    </p>
    ${!isOk && html`<${Refusal} answer=${answer} />`}
    ${shown.length > 1 && html`<${Tabs} label="Show the answer as" tabs=${tabs} now=${now} choose=${setChosen} />`}
    ${views[now](answer)}
  </section>`
}

function tabsOf(answer: Run['answer']): Partial<Record<Shown, string>> {
  const { markdown, screenshot } = recordOf(answer['data'])
  return {
    ...(typeof markdown === 'string' && { text: 'Markdown' }),
    ...(typeof screenshot === 'string' && { picture: 'Picture' }),
    json: 'JSON',
  }
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
  return isJob({ endpoint: operation }) && html`<a href=${`#/jobs/${operation}/${id}`}>Watch the job</a>`
}
