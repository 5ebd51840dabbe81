import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CataloguedOperation } from '../../catalogue.ts'
import { Tabs } from '../parts/parts.ts'
import { FieldInput } from './field-input.ts'
import { type Field, fieldsOf } from './fields.ts'
import { type Input, objectIn } from '../../../call-as/request.ts'

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
  const modes = [
    ['form', 'Form'],
    ['json', 'JSON'],
  ]
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
    <${Tabs} label="Write the input as" tabs=${modes} now=${mode} choose=${setMode} />
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
