import type { CallableOperation } from '../../../kernel/written-call.ts'
import type { AnyOperation } from '../../../kernel/operation.ts'
import type { JsonSchema } from '../../../kernel/json-schema.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

/** An operation as the playground knows it. */
export type CataloguedOperation = CallableOperation & {
  title: string
  about: string
  effect: AnyOperation['effect']
  example: object
  schema: JsonSchema
}

export type FieldKind = 'text' | 'long' | 'number' | 'switch' | 'choice' | 'list' | 'file' | 'json'
/** An input field of an operation as a form shows it. */
export type Field = {
  name: string
  kind: FieldKind
  options: readonly string[]
  about: string
  isRequired: boolean
  fallback: unknown
}

/** Texts that may be longer are written on several lines. */
const lineLength = 4096

/** Fields of a form for a schema, in its order. What has no form of its own is written as JSON. */
export function fieldsOf(root: JsonSchema): Field[] {
  return Object.entries(root.properties ?? {}).map(([name, schema]) => {
    const choices = choicesOf(root, schema)
    return {
      name,
      kind: kindOf(root, choices),
      options: optionsOf(choices),
      about: schema.description ?? '',
      isRequired: root.required?.includes(name) ?? false,
      fallback: schema.default,
    }
  })
}

/** What a value may be, without null: a field that may be null is left out instead. */
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
  if (only.type === 'array') return choicesOf(root, only.items ?? {}).some(isSimple) ? 'list' : 'json'
  return only.properties?.['base64'] && only.properties['filename'] ? 'file' : 'json'
}

function kindOfText(choices: readonly JsonSchema[]): FieldKind {
  if (choices.every((each) => each.enum !== undefined || each.const !== undefined)) return 'choice'
  return choices.some(({ maxLength = 0 }) => maxLength > lineLength && maxLength !== 16_384) ? 'long' : 'text'
}

const isSimple = ({ type }: JsonSchema) => type === 'string' || type === 'number' || type === 'integer'

const optionsOf = (choices: readonly JsonSchema[]) =>
  choices.flatMap((each) => each.enum ?? (each.const === undefined ? [] : [each.const])).map(String)

/** A line each; what is no text is written as JSON. */
export const toLines = (value: unknown) =>
  (Array.isArray(value) ? value : []).map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')

export function fromLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : lines.map(fromLine)
}

function fromLine(line: string): unknown {
  if (!/^\s*[{[]|^\s*-?\d+(?:\.\d+)?\s*$/.test(line)) return line.trim()
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

type FieldProps = { field: Field; value: unknown; change(value: unknown): void }
type Control = HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement
type InputEvent = { currentTarget: Control }

/** A field of the form with its label and what it is for. An empty one is left out of the input. */
export function FieldInput({ field, value, change }: FieldProps): VNode {
  const id = `field-${field.name}`
  return html`<div class="field">
    <label for=${id}>${field.name}${field.isRequired && html`<span class="faint"> required</span>`}</label>
    ${controls[field.kind]({ field, value, change, id })}
    ${field.about && html`<p id=${`${id}-about`} class="faint">${field.about}</p>`}
  </div>`
}

type ControlProps = FieldProps & { id: string }

const common = ({ field, id }: ControlProps) => ({
  id,
  required: field.isRequired,
  'aria-describedby': field.about ? `${id}-about` : undefined,
  placeholder: field.fallback === undefined ? undefined : String(JSON.stringify(field.fallback)),
})
const orNothing = (text: string) => (text === '' ? undefined : text)

const controls: Readonly<Record<Field['kind'], (props: ControlProps) => VNode>> = {
  text: (props) => html`<input type="text" ...${common(props)} value=${props.value ?? ''} onInput=${textOf(props)} />`,
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
  switch: (props) => chosen(props, ['true', 'false'], (text) => text === 'true'),
  choice: (props) => chosen(props, props.field.options, (text) => text),
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

const textOf =
  ({ change }: ControlProps) =>
  ({ currentTarget: { value } }: InputEvent) =>
    change(orNothing(value))

function chosen(props: ControlProps, options: readonly string[], read: (text: string) => unknown): VNode {
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

/** What is being written is no JSON most of the time, so it is kept as text until it is. */
function JsonInput(props: ControlProps): VNode {
  const [draft, setDraft] = useState<string>()
  const shown = draft ?? (props.value === undefined ? '' : JSON.stringify(props.value, undefined, 2))
  function write({ currentTarget: { value } }: InputEvent): void {
    try {
      props.change(value.trim() === '' ? undefined : JSON.parse(value))
      setDraft(undefined)
    } catch {
      setDraft(value)
    }
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
