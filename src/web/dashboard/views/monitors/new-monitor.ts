import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { playgroundHref } from '../job-data.ts'
import { call, CallError } from '../../server-calls.ts'
import { Fault, Tabs } from '../../parts.ts'
import type { MonitorAnswer } from './monitor-data.ts'
import { type Field, FieldInput } from '../call-fields.ts'

const empty: MonitorDraft = {
  kind: 'pages',
  addresses: '',
  schedule: 'daily at 9:00',
  name: '',
  fields: '',
  webhook: '',
}
const kinds = { pages: 'These pages', site: 'A whole site' }

/** Short form for common monitors; the playground has all options. */
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
    <${Fields} fields=${fieldsFor(draft.kind)} draft=${draft} set=${set} fault=${fault} />
    <label class="check">
      <input type="checkbox" checked=${isFirstNow} onChange=${() => setFirstNow(!isFirstNow)} />
      <span>Check once now, so that there is something to compare with</span>
    </label>
    <div class="inline">
      <button type="submit" class="primary" disabled=${isBusy}>${isBusy ? 'Creating…' : 'Create'}</button>
      <a class="button" href="#/monitors">Cancel</a>
      <a href="#/playground/monitor_create">All options</a>
    </div>
  </form>`
}

/** Changes the name and the schedule of a monitor; the rest is changed in the playground. */
export function EditMonitor({ monitor, saved }: { monitor: MonitorAnswer; saved(): void }): VNode {
  const { id, schedule } = monitor
  const [draft, setDraft] = useState({ name: monitor.name, schedule: schedule.text ?? schedule.cron })
  const [fault, setFault] = useState<unknown>()
  function save(event: Event): void {
    event.preventDefault()
    const body = { name: draft.name.trim(), schedule: scheduleAt(draft.schedule, schedule.timezone) }
    call('PATCH', `/v2/monitor/${id}`, { body }).then(saved, setFault)
  }
  const set = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more })
  const fields = fieldsFor('pages').filter(({ name }) => name in draft)
  return html`<details>
    <summary>Edit</summary>
    <form class="call narrow more" onSubmit=${save}>
      <${Fields} fields=${fields} draft=${draft} set=${set} fault=${fault} />
      <div class="inline">
        <button type="submit" class="primary">Save</button>
        <a href=${playgroundHref('monitor_update', { id })}>All options</a>
      </div>
    </form>
  </details>`
}

type FieldsProps = {
  fields: readonly DraftField[]
  draft: Readonly<Partial<MonitorDraft>>
  set(more: Partial<MonitorDraft>): void
  fault: unknown
}

/** Fields of a form, with what the server found wrong with each. */
function Fields({ fields, draft, set, fault }: FieldsProps): VNode {
  const details = fault instanceof CallError ? fault.details : []
  const faultOf = ({ name }: DraftField) =>
    details.find(({ path }) => (path[0] === 'targets' ? 'addresses' : path[0]) === name)
  return html`
    ${fields.map(
      (field) =>
        html`<${FieldInput}
          key=${field.name}
          field=${field}
          value=${draft[field.name]}
          fault=${faultOf(field)?.message}
          change=${(value = '') => set({ [field.name]: value })}
        />`,
    )}
    ${!fields.some(faultOf) && html`<${Fault} of=${fault} />`}
  `
}

/** Returns the id of the new monitor, even if its first check could not start: its page has a button for that. */
async function create(draft: MonitorDraft, isFirstNow: boolean): Promise<string> {
  const body = monitorOfDraft(draft, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const { data } = await call<{ data: MonitorAnswer }>('POST', '/v2/monitor', { body })
  if (isFirstNow) await call('POST', `/v2/monitor/${data.id}/run`).catch(() => {})
  return data.id
}

type DraftField = Field & { name: Exclude<keyof MonitorDraft, 'kind'> }

const often = 'every 30 minutes,hourly,every 6 hours,daily at 9:00,weekdays at 9:00,every monday at 8am'.split(',')
const plain = { kind: 'text', options: [], isRequired: false, fallback: undefined } as const
const address = { ...plain, name: 'addresses', example: 'https://example.com/prices', isRequired: true } as const

const fieldsFor = (kind: MonitorDraft['kind']): DraftField[] => [
  kind === 'pages'
    ? { ...address, label: 'Addresses', about: 'One per line.', kind: 'long' }
    : { ...address, label: 'Start of the site', about: 'Up to 100 pages are found from here.' },
  {
    ...plain,
    name: 'schedule',
    label: 'When',
    about: 'In words, or as the five fields of cron, in your time zone.',
    options: often,
    isRequired: true,
  },
  {
    ...plain,
    name: 'fields',
    label: 'Facts to compare',
    about: 'Left empty, the whole text is compared.',
    example: 'price, stock',
  },
  { ...plain, name: 'name', label: 'Name', about: 'Left empty, it is the first address.' },
  {
    ...plain,
    name: 'webhook',
    label: 'Webhook',
    about: 'Notified of changes. May be left empty.',
    example: 'https://example.org/hook',
  },
]

/** Values of the form for a new monitor. */
export type MonitorDraft = {
  kind: 'pages' | 'site'
  addresses: string
  schedule: string
  name: string
  fields: string
  webhook: string
}

const cron = /^\S+(?:\s+\S+){4}$/

/** Request body that creates the monitor. */
export function monitorOfDraft({ kind, addresses, schedule, name, fields, webhook }: MonitorDraft, timezone: string) {
  const urls = words(addresses, /\s+/)
  const scrapeOptions = optionsFor(words(fields, /[,\n]/))
  const target = kind === 'pages' ? { type: 'scrape', urls } : { type: 'crawl', url: urls[0] ?? '' }
  return {
    schedule: scheduleAt(schedule, timezone),
    targets: [{ ...target, ...(scrapeOptions && { scrapeOptions }) }],
    ...(name.trim() && { name: name.trim() }),
    ...(webhook.trim() && { webhook: { url: webhook.trim() } }),
  }
}

function scheduleAt(schedule: string, timezone: string) {
  const when = schedule.trim()
  return { ...(isCron(when) ? { cron: when } : { text: when }), timezone }
}

/** Words start with a letter, cron with a digit or star. Later fields may contain letters: `0 9 * * MON`. */
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
