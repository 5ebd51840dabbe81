import type { CallableOperation } from '../../../kernel/written-call.ts'
import type { AnyOperation } from '../../../kernel/operation.ts'
import type { JsonSchema } from '../../../kernel/json-schema.ts'
import { parseJson } from '../../../util/json.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

export type CataloguedOperation = CallableOperation & {
  title: string
  about: string
  effect: AnyOperation['effect']
  example: object
  schema: JsonSchema
}

export type FieldKind = 'text' | 'long' | 'number' | 'switch' | 'choice' | 'several' | 'list' | 'file' | 'json'
export type Field = {
  name: string
  kind: FieldKind
  options: readonly string[]
  about: string
  isRequired: boolean
  fallback: unknown
  /** Shown instead of the name. */
  label?: string
  example?: string
}

/** Maximum length of a text in a field of one line. */
const lineLength = 4096

/** Returns the form fields of a schema, in its order. A value without a suitable control is edited as JSON. */
export function fieldsOf(root: JsonSchema): Field[] {
  return Object.entries(root.properties ?? {}).map(([name, schema]) => {
    const choices = choicesOf(root, schema)
    return {
      name,
      kind: kindOf(root, choices),
      options: optionsOf(
        choices.flatMap((each) => (each.type === 'array' ? choicesOf(root, each.items ?? {}) : [each])),
      ),
      about: schema.description ?? '',
      isRequired: root.required?.includes(name) ?? false,
      fallback: schema.default,
    }
  })
}

/** Returns the alternatives of a value, without null: an empty field is omitted instead. */
function choicesOf(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const target = schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})
  const nested = target.anyOf ?? target.oneOf
  if (nested) return nested.flatMap((each) => choicesOf(root, each))
  const types = [target.type ?? []].flat()
  const all = types.length > 1 ? types.map((type) => ({ ...target, type })) : [target]
  return all.filter(({ type }) => type !== 'null')
}

function kindOf(root: JsonSchema, choices: readonly JsonSchema[]): FieldKind {
  const isEvery = (...types: string[]) => choices.every(({ type }) => typeof type === 'string' && types.includes(type))
  const [only] = choices
  if (!only) return 'json'
  if (isEvery('boolean')) return 'switch'
  if (isEvery('number', 'integer')) return 'number'
  if (isEvery('string')) return kindOfText(choices)
  if (choices.length > 1) return 'json'
  if (only.type === 'array') {
    const items = choicesOf(root, only.items ?? {})
    if (optionsOf(items).length > 0) return 'several'
    return items.some(isSimple) ? 'list' : 'json'
  }
  return only.properties?.['base64'] && only.properties['filename'] ? 'file' : 'json'
}

/** URLs (at most 16,384 characters) stay on one line. */
function kindOfText(choices: readonly JsonSchema[]): FieldKind {
  if (choices.every((each) => each.enum !== undefined || each.const !== undefined)) return 'choice'
  return choices.some(({ maxLength = 0 }) => maxLength > lineLength && maxLength !== 16_384) ? 'long' : 'text'
}

const isSimple = ({ type }: JsonSchema) => type === 'string' || type === 'number' || type === 'integer'

const optionsOf = (choices: readonly JsonSchema[]) =>
  choices.flatMap((each) => each.enum ?? (each.const === undefined ? [] : [each.const])).map(String)

/** Writes a list as text: one item per line, and items other than strings as JSON. */
export const toLines = (value: unknown) =>
  (Array.isArray(value) ? value : []).map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')

export function fromLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : lines.map(fromLine)
}

const fromLine = (line: string): unknown =>
  /^\s*[{[]|^\s*-?\d+(?:\.\d+)?\s*$/.test(line) ? (parseJson(line) ?? line) : line.trim()

type FieldProps = { field: Field; value: unknown; change(value: unknown): void; fault?: string | undefined }
type InputEvent = { currentTarget: HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement }

/** Form field with its label and description. An empty field is omitted from the input. */
export function FieldInput({ field, value, change, fault }: FieldProps): VNode {
  const id = `field-${field.name}`
  const isGroup = field.kind === 'several'
  const label = html`${field.label ?? labelOf(field.name)}${field.isRequired && html`<span class="faint"> required</span>`}`
  const inside = html`
    ${controls[field.kind]({ field, value, change, id, fault })}
    ${fault && html`<p id=${`${id}-fault`} class="fault" role="alert">${fault}</p>`}
    ${field.about && html`<p id=${`${id}-about`} class="faint">${field.about}</p>`}
  `
  return isGroup
    ? html`<fieldset class="field" title=${field.name}>
        <legend>${label}</legend>
        ${inside}
      </fieldset>`
    : html`<div class="field"><label for=${id} title=${field.name}>${label}</label>${inside}</div>`
}

/** Returns a name as words: “Only main content” for `onlyMainContent`. */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  const label = words.replace(
    /\b(url|id|html|json|pdf|tls|ttl|cdp)(s?)\b/g,
    (_, letters: string, s: string) => letters.toUpperCase() + s,
  )
  return label.charAt(0).toUpperCase() + label.slice(1)
}

type ControlProps = FieldProps & { id: string }

const common = ({ field, id, fault }: ControlProps) => ({
  id,
  required: field.isRequired,
  'aria-invalid': fault !== undefined,
  'aria-describedby': [fault && `${id}-fault`, field.about && `${id}-about`].filter(Boolean).join(' ') || undefined,
  placeholder: field.example ?? JSON.stringify(field.fallback),
})

const controls: Readonly<Record<Field['kind'], (props: ControlProps) => VNode>> = {
  text: (props) =>
    html`<input
        type="text"
        list=${`${props.id}-options`}
        ...${common(props)}
        value=${props.value ?? ''}
        onInput=${textOf(props)}
      />
      <datalist id=${`${props.id}-options`}>
        ${props.field.options.map((option) => html`<option value=${option}></option>`)}
      </datalist>`,
  long: (props) =>
    html`<textarea rows="4" ...${common(props)} value=${props.value ?? ''} onInput=${textOf(props)}></textarea>`,
  number: (props) =>
    html`<input
      type="number"
      step="any"
      ...${common(props)}
      value=${props.value ?? ''}
      onInput=${({ currentTarget: { value } }: InputEvent) => props.change(value === '' ? undefined : Number(value))}
    />`,
  switch: (props) => selectOf(props, ['true', 'false'], (text) => text === 'true'),
  choice: (props) => selectOf(props, props.field.options, (text) => text),
  several: (props) => html`<${Several} ...${props} />`,
  list: (props) =>
    html`<textarea
      rows="3"
      ...${common(props)}
      placeholder="One per line"
      value=${toLines(props.value)}
      onChange=${({ currentTarget: { value } }: InputEvent) => props.change(fromLines(value))}
    ></textarea>`,
  file: (props) => html`<input type="file" id=${props.id} onChange=${fileOf(props)} />`,
  json: (props) => html`<${JsonInput} ...${props} />`,
}

/** Check boxes for a list of named choices. Entries that are objects, such as a format with options, stay unchanged. */
function Several({ field, value, change }: ControlProps): VNode {
  const now: readonly unknown[] = Array.isArray(value) ? value : []
  function toggle(option: string): void {
    const next = now.includes(option) ? now.filter((each) => each !== option) : [...now, option]
    change(next.length > 0 ? next : undefined)
  }
  const others = now.filter((each) => typeof each !== 'string')
  return html`<div class="choices">
      ${field.options.map(
        (option) =>
          html`<label class="check" key=${option}>
            <input type="checkbox" checked=${now.includes(option)} onChange=${() => toggle(option)} />
            <span>${labelOf(option)}</span>
          </label>`,
      )}
    </div>
    ${others.length > 0 && html`<p class="faint">With options of their own, which JSON shows: ${others.map((each) => JSON.stringify(each)).join(', ')}</p>`}`
}

const textOf =
  ({ change }: ControlProps) =>
  ({ currentTarget: { value } }: InputEvent) =>
    change(value || undefined)

function selectOf(props: ControlProps, options: readonly string[], read: (text: string) => unknown): VNode {
  const { field, value, change } = props
  const fallback = field.fallback === undefined ? 'not set' : `default: ${String(field.fallback)}`
  return html`<select
    ...${common(props)}
    value=${value === undefined ? '' : String(value)}
    onChange=${({ currentTarget }: InputEvent) =>
      change(currentTarget.value === '' ? undefined : read(currentTarget.value))}
  >
    <option value="">${fallback}</option>
    ${options.map((option) => html`<option value=${option}>${option}</option>`)}
  </select>`
}

const fileOf =
  ({ change }: ControlProps) =>
  async ({ currentTarget }: InputEvent) => {
    const [file] = currentTarget.files ?? []
    if (!file) return change(undefined)
    const url = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader()
      reader.addEventListener('load', () => resolve(String(reader.result)))
      reader.addEventListener('error', () => reject(reader.error))
      reader.readAsDataURL(file)
    })
    change({ filename: file.name, contentType: file.type || undefined, base64: url.replace(/^[^,]*,/, '') })
  }

/** Keeps unfinished input as text, because it is not valid JSON until complete. */
function JsonInput(props: ControlProps): VNode {
  const [draft, setDraft] = useState<string>()
  const shown = draft ?? (props.value === undefined ? '' : JSON.stringify(props.value, undefined, 2))
  function write({ currentTarget: { value } }: InputEvent): void {
    const parsed = parseJson(value)
    const isDone = parsed !== undefined || value.trim() === ''
    setDraft(isDone ? undefined : value)
    if (isDone) props.change(parsed)
  }
  return html`<textarea
      rows="3"
      class="mono"
      ...${common(props)}
      placeholder="JSON"
      aria-invalid=${draft !== undefined}
      value=${shown}
      onChange=${write}
    ></textarea>
    ${draft !== undefined && html`<p class="fault" role="alert">This is not JSON yet, and is left out.</p>`}`
}
