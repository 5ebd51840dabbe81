import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { MonitorAnswer } from '../../../../schema/monitor-schema.ts'
import { Fault, Tabs } from '../../parts.ts'
import { call, CallError, useAct } from '../../server-calls.ts'
import { type Field, FieldInput } from '../call-fields.ts'
import { playgroundHref } from '../job-data.ts'

const empty = {
  addresses: '',
  schedule: 'daily at 9:00',
  name: '',
  fields: '',
  webhook: '',
}
const kinds = { pages: 'These pages', site: 'A whole site' }
export type MonitorDraft = typeof empty & { kind: keyof typeof kinds }

/** Short form for common monitors; the playground has all options. */
export function NewMonitor(): VNode {
  const [draft, setDraft] = useState<MonitorDraft>({ ...empty, kind: 'pages' })
  const [isFirstNow, setFirstNow] = useState(true)
  const { fault, isBusy, run } = useAct(async () => {
    location.hash = `#/monitors/${await create(draft, isFirstNow)}`
  })
  const set = (more: Partial<MonitorDraft>) => setDraft({ ...draft, ...more })
  return html`<form class="call narrow" onSubmit=${run}>
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
  const { fault, run } = useAct(async () => {
    const body = { name: draft.name.trim(), schedule: scheduleAt(draft.schedule, schedule.timezone) }
    await call('PATCH', `/v2/monitor/${id}`, { body })
    saved()
  })
  const set = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more })
  const fields = fieldsFor('pages').filter(({ name }) => name in draft)
  return html`<details>
    <summary>Edit</summary>
    <form class="call narrow more" onSubmit=${run}>
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

/** Fields of a form, each with its error from the server. */
function Fields({ fields, draft, set, fault }: FieldsProps): VNode {
  const details = fault instanceof CallError ? fault.details : []
  const faultOf = ({ name }: DraftField) =>
    details.find(({ path }) => (path[0] === 'targets' ? 'addresses' : path[0]) === name)
  return html`
    ${fields.map(
      (each) =>
        html`<${FieldInput}
          key=${each.name}
          field=${each}
          value=${draft[each.name]}
          fault=${faultOf(each)?.message}
          change=${(value = '') => set({ [each.name]: value })}
        />`,
    )}
    ${!fields.some(faultOf) && html`<${Fault} of=${fault} />`}
  `
}

/** Returns the id of the new monitor, even if its first check could not start: its page has a button for a check. */
async function create(draft: MonitorDraft, isFirstNow: boolean): Promise<string> {
  const body = monitorOfDraft(draft, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const { data } = await call<{ data: MonitorAnswer }>('POST', '/v2/monitor', { body })
  if (isFirstNow) await call('POST', `/v2/monitor/${data.id}/run`).catch(() => {})
  return data.id
}

type DraftField = Field & { name: keyof typeof empty }

const often = 'every 30 minutes,hourly,every 6 hours,daily at 9:00,weekdays at 9:00,every monday at 8am'.split(',')

function field(
  name: DraftField['name'],
  label: string,
  about: string,
  more: Partial<Omit<Field, 'name'>> = {},
): DraftField {
  return { name, label, about, kind: 'text', options: [], isRequired: false, fallback: undefined, ...more }
}

const address = { isRequired: true, example: 'https://example.com/prices' }
const fieldsFor = (kind: MonitorDraft['kind']): DraftField[] => [
  kind === 'pages'
    ? field('addresses', 'Addresses', 'One per line.', { ...address, kind: 'long' })
    : field('addresses', 'Start of the site', 'Up to 100 pages are found from here.', address),
  field('schedule', 'When', 'In words, or as the five fields of cron, in your time zone.', {
    options: often,
    isRequired: true,
  }),
  field('fields', 'Facts to compare', 'Left empty, the whole text is compared.', { example: 'price, stock' }),
  field('name', 'Name', 'Left empty, it is the first address.'),
  field('webhook', 'Webhook', 'Notified of changes. May be left empty.', { example: 'https://example.org/hook' }),
]

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

/** Matches cron, which starts with a digit or a star. Its later fields may contain letters, as in `0 9 * * MON`. */
const cron = /^[\d*]\S*(?:\s+\S+){4}$/

const scheduleAt = (schedule: string, timezone: string) => ({
  [cron.test(schedule.trim()) ? 'cron' : 'text']: schedule.trim(),
  timezone,
})

const words = (text: string, between: RegExp) => text.split(between).flatMap((each) => each.trim() || [])

function optionsFor(names: readonly string[]): object | undefined {
  if (names.length === 0) return undefined
  const properties = Object.fromEntries(names.map((each) => [each, { type: 'string' }]))
  const schema = { type: 'object', properties }
  return { formats: ['markdown', { type: 'changeTracking', modes: ['json'], schema }] }
}
