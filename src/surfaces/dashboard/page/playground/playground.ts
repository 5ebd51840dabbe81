import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { CataloguedOperation } from '../../catalogue.ts'
import { call, CallError, type Exchange, exchange } from '../api.ts'
import { Fault, Loading } from '../parts/parts.ts'
import { usePolled } from '../parts/polled.ts'
import { CallForm } from './call-form.ts'
import { Outcome, type Run } from './outcome.ts'
import { Snippets } from './snippet-tabs.ts'
import { type Input, objectIn, requestOf } from '../../../call-as/request.ts'

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
