import { isRecord, parseJsonObject } from '../../../util/json.ts'
import { type FaultKind, ModelFault } from './fault.ts'

type Answer = { status: number; headers: Readonly<Record<string, string | undefined>>; body: string }

const tooLong =
  /context[ _](?:length|window|size)|maximum context|(?:prompt|input) is too long|too many (?:input )?tokens/i
const noCredit = /insufficient_quota|insufficient_credits|credit balance|billing/i
/** Servers may fail with 500 where they cannot compile a schema, gateways with 404 where no provider takes one. */
const aboutSchema = /schema|grammar|response_format|support the requested param/i

/** The fault behind a status that is no success. */
export function faultOfStatus({ status, headers, body }: Answer): ModelFault {
  const { said, code } = errorIn(body)
  const facts = { status, code, said }
  const words = `${code ?? ''} ${said}`
  const kind = kindBySaid(status, words) ?? kindByStatus[status] ?? kindByClass(status)
  return new ModelFault(kind, kind === 'busy' ? { ...facts, pauseMs: pauseIn(headers) } : facts)
}

/** What some servers say by their words alone. */
function kindBySaid(status: number, words: string): FaultKind | undefined {
  if (status < 500 && noCredit.test(words)) return 'no credit'
  if (status < 500 && tooLong.test(words)) return 'input too long'
  return (status === 500 || status === 404) && aboutSchema.test(words) ? 'refused' : undefined
}

const kindByStatus: Readonly<Record<number, FaultKind>> = {
  401: 'bad key',
  402: 'no credit',
  403: 'bad key',
  404: 'not found',
  408: 'busy',
  413: 'input too long',
  429: 'busy',
  501: 'refused',
  503: 'busy',
  529: 'busy',
}

function kindByClass(status: number): FaultKind {
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'redirect'
}

/** The fault in an answer that says 200 and holds an error all the same, as gateways and streams do. */
export function faultInside(answer: unknown): ModelFault | undefined {
  if (!isRecord(answer) || !isRecord(answer['error'])) return undefined
  const { code, type } = answer['error']
  const isOverloaded = type === 'overloaded_error' || type === 'rate_limit_error'
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : isOverloaded ? 529 : 500
  return faultOfStatus({ status, headers: {}, body: JSON.stringify(answer) })
}

/** Long enough for what servers say, too short for all of a request they may quote. */
const maxSaid = 500

function errorIn(body: string): { said: string; code: string | undefined } {
  const answer = parseJsonObject(body)
  const error = answer?.['error'] ?? answer
  const { message, detail, code, type } = isRecord(error) ? error : {}
  const said = [message, detail, error].find((text) => typeof text === 'string') ?? body
  return { said: String(said).slice(0, maxSaid), code: wordOf(code) ?? wordOf(type) }
}

/** Only what is surely a word of the provider, and no text of a page. */
const wordOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[a-z][a-z0-9_.-]{1,59}$/i.test(code) ? code : undefined

/** Retry-After in ms: seconds or a date; `retry-after-ms` says it more exactly. */
function pauseIn(headers: Answer['headers']): number | undefined {
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (exact >= 0) return exact
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const seconds = Number(given)
  const ms = Number.isNaN(seconds) ? Date.parse(given) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
