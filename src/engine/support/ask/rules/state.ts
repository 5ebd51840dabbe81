import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { GrantedPermission } from '../../../../contracts/account-ports.ts'
import type { Refusal } from '../../../../contracts/job-ports.ts'
import { errors } from '../../../../kernel/error-table.ts'
import type { ErrorCode } from '../../../../kernel/error.ts'
import { BatchInput, CrawlInput, MapInput } from '../../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../../schema/scrape/scrape-options.ts'
import { SearchInput } from '../../../../schema/search-schema.ts'
import { CreateInput, InteractInput } from '../../../../schema/session-schema.ts'
import { rank } from '../../../../util/rank.ts'
import type { Diagnosis, JobCase, StateRule } from '../case.ts'
import { complains, type Question } from '../question.ts'

/** Options that require a permission. */
const permissionOf: Readonly<Record<string, GrantedPermission>> = {
  zeroDataRetention: 'zeroDataRetention',
  ignoreRobotsTxt: 'ignoreRobotsTxt',
  robotsUserAgent: 'robotsUserAgent',
  enterprise: 'searchEnterprise',
}

/** Rules about the state of the team and the machine. */
export const stateRules: readonly StateRule[] = [
  {
    id: 'credits',
    codes: ['INSUFFICIENT_CREDITS'],
    asks: /credit|402|quota|billing|payment|insufficient/i,
    finds: ({ credits: { used, limit } }) =>
      limit !== undefined && used >= limit
        ? {
            says: `The team has used ${used} of its ${limit} credits of this month, so calls that cost credits are refused with INSUFFICIENT_CREDITS. Wait for the next month, or ask the operator to raise GOSSAMER_MONTHLY_CREDITS.`,
          }
        : undefined,
  },
  {
    id: 'concurrency',
    codes: ['QUEUE_FULL'],
    asks: /429|concurren|too many|queue|parallel|at the same time|slots?\b|waiting/i,
    finds: ({ load: { active, waiting, max } }) =>
      active >= max || waiting > 0
        ? {
            says: `The team may run ${max} calls of this kind at the same time; ${active} run now and ${waiting} wait, so further ones wait or are refused with QUEUE_FULL. Send fewer at once, or ask the operator to raise GOSSAMER_MAX_CONCURRENCY.`,
          }
        : undefined,
  },
  {
    id: 'permission',
    codes: ['PERMISSION_REQUIRED'],
    asks: /permission|enabled|operator|403|zeroDataRetention|ignoreRobotsTxt|robotsUserAgent|enterprise/i,
    finds: ({ permissions }, { namesField }) => {
      const option = Object.keys(permissionOf).find(namesField)
      const permission = option === undefined ? undefined : permissionOf[option]
      if (option === undefined || permission === undefined || permissions.includes(permission)) return undefined
      return {
        says: `${option} works only where the operator has enabled it, and your team has no permission for it, so such calls are refused with PERMISSION_REQUIRED. Leave it out, or ask the operator to add ${permission} to the permissions of the team (GOSSAMER_PERMISSIONS).`,
        parameters: { [option]: option === 'zeroDataRetention' || option === 'ignoreRobotsTxt' ? false : null },
      }
    },
  },
  {
    id: 'disk-full',
    codes: ['STORAGE_FULL'],
    asks: /507|disk|storage|space|stuck|store/i,
    finds: ({ isStorageFull }) =>
      isStorageFull
        ? { says: `${errors.STORAGE_FULL.message} Jobs wait for free space. ${errors.STORAGE_FULL.hint}` }
        : undefined,
  },
  {
    id: 'session-ended',
    codes: ['SESSION_GONE'],
    asks: /session|live browser|browser_|410|interact/i,
    finds: ({ endedSessions }, { named: { ids } }) => {
      const named = endedSessions.find(({ id }) => ids.includes(id))
      const session = named ?? endedSessions[0]
      if (!session) return undefined
      const why = session.wasOutOfTime
        ? 'its ttl had expired'
        : 'it was closed, or nothing used it for the time of activityTtl'
      return {
        says: `The browser session ${session.id} ended at ${new Date(session.endedAt).toISOString()}: ${why}. Calls for it fail with SESSION_GONE; open a new one with browser_create, with a longer ttl or activityTtl if it should last.`,
      }
    },
  },
  {
    id: 'model-unset',
    asks: /\b(?:model|llm|openai|anthropic|ollama|gpt|claude)\b/i,
    finds: ({ hasModel }) => (hasModel ? undefined : ofCode('MODEL_UNAVAILABLE')),
  },
  {
    id: 'browser-missing',
    asks: /browser|screenshot|chrom|javascript/i,
    finds: ({ hasBrowser }) => (hasBrowser ? undefined : ofCode('BROWSER_UNAVAILABLE')),
  },
  {
    id: 'search-thin',
    asks: /search.*(?:no|few|empty|block|fail|poor|bad|result)|(?:no|few|empty|poor|bad).*search/i,
    finds: ({ searchesWholeWeb }) =>
      searchesWholeWeb
        ? undefined
        : {
            says: 'No search provider with a key or an address of its own is set here, so searches depend on public results pages, which block and limit automated visitors. Ask the operator to set GOSSAMER_SEARXNG_URL or a key such as GOSSAMER_BRAVE_KEY.',
          },
  },
]

/** Explains an error code named in a question. */
export function ofCode(code: ErrorCode): Diagnosis {
  const { message, hint } = errors[code]
  return { says: `${code} means: ${message} ${hint}` }
}

export type RefusedFinding = {
  rule: string
  code: string
  operation: string
  at: number
  score: number
  diagnosis: Diagnosis
}

const dayMs = 86_400_000
const asks =
  /refus|reject|error|invalid|denied|not (?:allow|accept|permit|work)|fail|won['’]?t|can(?:not|['’]t)|does ?n.t|why|\b4\d\d\b|bad request|complain|turned down/i
/** Maximum number of faults and values in an answer. */
const maxShown = 3

/** Returns findings about the refused calls that the question names or complains about. */
export const refusalsFor = (question: Question, refusals: readonly Refusal[], now: number): RefusedFinding[] =>
  refusals.flatMap((refusal) => {
    const { at, operation, code } = refusal
    const signs = [names(refusal, question), asks.test(question.words) || complains(question.words)].filter(Boolean)
    const score = 2 * signs.length - (now - at) / dayMs
    return signs.length === 0
      ? []
      : [{ rule: `refused ${operation}`, code, operation, at, score, diagnosis: { says: saysOf(refusal) } }]
  })

/** True if a question names the refused call by its status, its error or one of its options, such as `maxAge`. */
export function names({ code, status, given, faults }: Refusal, { numbers, codes, namesField }: Question): boolean {
  const fields = [...Object.keys(given), ...faults.map(({ path }) => path.split(/[.[]/)[0] ?? '')]
  return (
    numbers.has(status) ||
    codes.includes(code as ErrorCode) ||
    fields.some((field) => /[A-Z]/.test(field) && namesField(field))
  )
}

const errorOf = (code: string) => (Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined)
const hintOf = (code: string) => errorOf(code)?.hint ?? ''

function saysOf({ at, operation, code, status, message, faults, given }: Refusal): string {
  const when = new Date(at).toISOString().slice(11, 16)
  const about = faults
    .slice(0, maxShown)
    .map((fault) => `${fault.path === '' ? '' : `${fault.path}: `}${asSentence(fault.message)}`)
  const text = about.length > 0 ? about.join(' ') : asSentence(message || (errorOf(code)?.message ?? ''))
  return `A call of ${operation} at ${when} UTC was refused with ${code} (${status}). ${text}${sentOf(given, faults)} ${hintOf(code)}`.trim()
}

/** Describes the values that a call was sent: those of faulty fields if there are any, otherwise the first few. */
function sentOf(given: Refusal['given'], faults: Refusal['faults']): string {
  const named = Object.entries(given).filter(
    ([name]) =>
      faults.length === 0 ||
      faults.some(({ path, message }) => path.split(/[.[]/)[0] === name || message.includes(name)),
  )
  return named.length === 0
    ? ''
    : ` It was sent ${named
        .slice(0, maxShown)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}.`
}

/** Adds a full stop unless the text ends a sentence. */
const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** An option of a job, from the schema of its kind. */
type Option = { name: string; about: string; default: unknown }

const inputs: Readonly<Record<string, z.ZodType>> = {
  scrape: ScrapeInput,
  crawl: CrawlInput,
  batch_scrape: BatchInput,
  search: SearchInput,
  map: MapInput,
  browser: CreateInput,
  browser_create: CreateInput,
  interact: InteractInput,
}
type Schema = { properties?: Record<string, Field> }
type Field = { description?: string; default?: unknown; type?: string }

const tables = new Map<string, readonly Option[]>()

/** Returns the options of a kind of job; empty without a schema. */
function optionsOf(endpoint: string): readonly Option[] {
  const known = tables.get(endpoint)
  if (known) return known
  const input = inputs[endpoint]
  const { properties = {} } = input
    ? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as Schema)
    : {}
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {}
  const options = Object.entries(properties).map(([name, field]) => {
    // A stored input contains parsed defaults, so the default is parsed too.
    const read = shape[name]?.safeParse(undefined).data
    return optionOf(name, field, read)
  })
  tables.set(endpoint, options)
  return options
}

function optionOf(name: string, { description = '', default: byDefault, type }: Field, read: unknown): Option {
  const [, documented] = /\bDefault:? (true|false|\d+|[a-z]+)\b/.exec(description) ?? []
  const known = read ?? byDefault ?? (documented === undefined ? undefined : (plainValue(documented) ?? documented))
  return { name, about: description, default: type === 'boolean' ? (known ?? false) : known }
}

const plainValue = (text: string) =>
  text === 'true' ? true : text === 'false' ? false : /^\d+$/.test(text) ? Number(text) : undefined

/** Fields that are not options: the subject, the output and the origin of a job. */
const notOptions = new Set([
  'url',
  'urls',
  'query',
  'prompt',
  'formats',
  'webhook',
  'origin',
  'integration',
  'code',
  'jobId',
])
/** True if the caller set a field of a job to a value other than its default. */
export function isSet({ endpoint, input, request }: JobCase, name: string): boolean {
  const value = (input ?? request ?? {})[name]
  if (notOptions.has(name) || value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return false
  const option = optionsOf(endpoint).find((each) => each.name === name)
  return option !== undefined && !isDeepStrictEqual(value, option.default)
}

const maxSettings = 3

/** Describes the options that a request set, those closest to the question first; empty if it set none. */
export function settingsOf(job: JobCase, words: string): string {
  const given = job.input ?? job.request ?? {}
  const set = optionsOf(job.endpoint).filter(({ name }) => isSet(job, name))
  const texts = set.map(
    ({ name, about }) => `${name} to ${JSON.stringify(given[name]).slice(0, 100)} (${about.replace(/\.$/, '')})`,
  )
  const fits = rank(texts, words)
  const nearest = texts.map((text, at) => ({ text, score: fits[at]?.score ?? 0 })).toSorted((a, b) => b.score - a.score)
  const shown = nearest.slice(0, maxSettings).map(({ text }) => text)
  return shown.length === 0 ? '' : `Its request set ${shown.join(', ')}. `
}
