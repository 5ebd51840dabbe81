import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../server-calls.ts'
import { Fault, Tabs } from '../parts.ts'
import type { MonitorAnswer } from './monitor-views.ts'

const empty: MonitorDraft = {
  kind: 'pages',
  addresses: '',
  schedule: 'daily at 9:00',
  name: '',
  fields: '',
  webhook: '',
}
const kinds = { pages: 'These pages', site: 'A whole site' }

/** A small form for what most monitors are; the playground has all there is. */
export function NewMonitor(): VNode {
  const [draft, setDraft] = useState(empty)
  const [isFirstNow, setFirstNow] = useState(true)
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  async function make(event: Event): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFault(undefined)
    try {
      location.hash = `#/monitors/${await create(draft, isFirstNow)}`
    } catch (failure) {
      setFault(failure)
      setBusy(false)
    }
  }
  const set = (more: Partial<MonitorDraft>) => setDraft({ ...draft, ...more })
  return html`<form class="call narrow" onSubmit=${make}>
    <${Tabs}
      label="What to watch"
      tabs=${kinds}
      now=${draft.kind}
      choose=${(kind: MonitorDraft['kind']) => set({ kind })}
    />
    ${fieldsFor(draft.kind).map((field) => html`<${TextField} key=${field.name} ...${field} value=${draft[field.name]} set=${set} />`)}
    <label class="check">
      <input type="checkbox" checked=${isFirstNow} onChange=${() => setFirstNow(!isFirstNow)} />
      <span>Check once now, so that there is something to compare with</span>
    </label>
    <${Fault} of=${fault} />
    <div class="inline">
      <button type="submit" class="primary" disabled=${isBusy}>${isBusy ? 'Creating…' : 'Create'}</button>
      <a class="button" href="#/monitors">Cancel</a>
      <a href="#/playground/monitor_create">All options</a>
    </div>
  </form>`
}

/** The id of the new monitor. It exists also where its first check could not begin; its page has a button for that. */
async function create(draft: MonitorDraft, isFirstNow: boolean): Promise<string> {
  const body = monitorOfDraft(draft, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const { data } = await call<{ data: MonitorAnswer }>('POST', '/v2/monitor', { body })
  if (isFirstNow) await call('POST', `/v2/monitor/${data.id}/run`).catch(() => {})
  return data.id
}

type FieldFacts = {
  name: Exclude<keyof MonitorDraft, 'kind'>
  label: string
  about: string
  example?: string
  choices?: readonly string[]
  isRequired?: true
  isLong?: boolean
}

const often = [
  'every 30 minutes',
  'hourly',
  'every 6 hours',
  'daily at 9:00',
  'weekdays at 9:00',
  'every monday at 8am',
]

const fieldsFor = (kind: MonitorDraft['kind']): FieldFacts[] => [
  kind === 'pages'
    ? { ...addressField, label: 'Addresses', about: 'One per line.', isLong: true }
    : { ...addressField, label: 'Start of the site', about: 'Up to 100 pages are found from here.' },
  {
    name: 'schedule',
    label: 'When',
    about: 'In words, or as the five fields of cron, in your time zone.',
    choices: often,
    isRequired: true,
  },
  {
    name: 'fields',
    label: 'Facts to compare',
    about: 'Left empty, the whole text is compared.',
    example: 'price, stock',
  },
  { name: 'name', label: 'Name', about: 'Left empty, it is the first address.' },
  {
    name: 'webhook',
    label: 'Webhook',
    about: 'Is told what changed. May be left empty.',
    example: 'https://example.org/hook',
  },
]
const addressField = { name: 'addresses', example: 'https://example.com/prices', isRequired: true } as const

type TextFieldProps = FieldFacts & { value: string; set(more: Partial<MonitorDraft>): void }

function TextField({ name, label, about, example, choices, isRequired, isLong, value, set }: TextFieldProps): VNode {
  const id = `draft-${name}`
  const common = {
    id,
    value,
    required: isRequired,
    placeholder: example,
    'aria-describedby': `${id}-about`,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [name]: currentTarget.value }),
  }
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${
      isLong
        ? html`<textarea rows="3" ...${common}></textarea>`
        : html`<input ...${common} list=${choices && `${id}-choices`} autocomplete="off" />`
    }
    ${choices && html`<datalist id=${`${id}-choices`}>${choices.map((each) => html`<option value=${each}></option>`)}</datalist>`}
    <p id=${`${id}-about`} class="faint">${about}</p>
  </div>`
}

/** What the form for a new monitor holds. */
export type MonitorDraft = {
  kind: 'pages' | 'site'
  addresses: string
  schedule: string
  name: string
  fields: string
  webhook: string
}

const cron = /^\S+(?:\s+\S+){4}$/

/** The body of the call that creates it. */
export function monitorOfDraft({ kind, addresses, schedule, name, fields, webhook }: MonitorDraft, timezone: string) {
  const urls = words(addresses, /\s+/)
  const when = schedule.trim()
  const scrapeOptions = optionsFor(words(fields, /[,\n]/))
  const target = kind === 'pages' ? { type: 'scrape', urls } : { type: 'crawl', url: urls[0] ?? '' }
  return {
    schedule: { ...(isCron(when) ? { cron: when } : { text: when }), timezone },
    targets: [{ ...target, ...(scrapeOptions && { scrapeOptions }) }],
    ...(name.trim() && { name: name.trim() }),
    ...(webhook.trim() && { webhook: { url: webhook.trim() } }),
  }
}

/** Words have letters where cron has figures, stars and marks; `0 9 * * MON` starts with neither. */
const isCron = (when: string) => cron.test(when) && /^[\d*]/.test(when)

const words = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((each) => each.trim())
    .filter((each) => each !== '')

function optionsFor(names: readonly string[]): object | undefined {
  if (names.length === 0) return undefined
  const properties = Object.fromEntries(names.map((each) => [each, { type: 'string' }]))
  const schema = { type: 'object', properties }
  return { formats: ['markdown', { type: 'changeTracking', modes: ['json'], schema }] }
}
