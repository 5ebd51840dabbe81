import type { Refusal } from '../../../contracts/job-ports.ts'
import { errors } from '../../../kernel/error-table.ts'
import type { ErrorCode } from '../../../kernel/error.ts'
import { shareOf, complains, type Question } from './question.ts'
import type { Diagnosis } from './case.ts'
import { effectWords } from './options-of-schema.ts'

export type RefusedFinding = { rule: string; code: string; operation: string; score: number; diagnosis: Diagnosis }

const dayMs = 86_400_000
/** People mostly ask about what just happened. */
const justNowMs = 600_000
const asks =
  /refus|reject|error|invalid|denied|not (?:allow|accept|permit|work)|fail|won['’]?t|can(?:not|['’]t)|does ?n.t|why|\b4\d\d\b|bad request|complain|turned down/i
/** Maximum score for words of the question that match the refusal. */
const maxAbout = 3
/**
 * Below this score the question is about something else, however recent the refusal; it is lower if the question names
 * the kind of job.
 */
const minAbout = { ofKind: 0.4, ofAny: 1 }
const maxTold = 3

/** Returns findings for refused calls that the question may be about. */
export function refusalsFor(
  question: Question,
  refusals: readonly Refusal[],
  { now, isOfKind }: { now: number; isOfKind: boolean },
): RefusedFinding[] {
  return refusals.flatMap((refusal) => {
    const about = aboutness(refusal, question)
    if (about < (isOfKind ? minAbout.ofKind : minAbout.ofAny)) return []
    const { operation, code } = refusal
    const score = about + circumstances(refusal, question, now)
    return [{ rule: `refused ${operation}`, code, operation, score, diagnosis: { says: saysOf(refusal) } }]
  })
}

/** True if a question names the refused call by its status, its error or one of its fields. */
export function names({ code, status, given, faults }: Refusal, { numbers, codes, namesField }: Question): boolean {
  const fields = [...Object.keys(given), ...faults.map(({ path }) => path.split(/[.[]/)[0] ?? '')]
  return numbers.has(status) || codes.includes(code as ErrorCode) || fields.some(namesField)
}

/** Scores how specifically the question refers to this refusal. */
const aboutness = (refusal: Refusal, question: Question): number =>
  (names(refusal, question) ? 1.5 : 0) + maxAbout * shareOf(question.words, textOf(refusal))

function circumstances({ at, operation }: Refusal, { words, aside }: Question, now: number): number {
  const parts = [
    1.5,
    asks.test(words) || complains(words) ? 1.5 : asks.test(aside) ? 0.75 : 0,
    operation.split('_').some((word) => new RegExp(word, 'i').test(words)) ? 0.5 : 0,
    now - at < justNowMs ? 0.5 : 0,
    -(now - at) / dayMs,
  ]
  return parts.reduce((sum, part) => sum + part, 0)
}

/**
 * Returns the text of a refusal, with the schema's descriptions of the faulty fields: people describe what they wanted,
 * not field names.
 */
function textOf({ operation, code, message, faults, given }: Refusal): string {
  const told = faults.map(({ path, message: fault }) => `${path} ${fault}`).join(' ')
  const fields = faults.flatMap(({ path, message: fault }) => [
    path,
    ...Object.keys(given).filter((name) => fault.includes(name)),
  ])
  const text = `${operation} ${codeWords(code)} ${message} ${hintOf(code)} ${told} ${effectWords(operation, fields)}`
  return text.replaceAll(/\s+/g, ' ')
}

const codeWords = (code: string) => code.toLowerCase().replaceAll('_', ' ')
const known = (code: string) => (Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined)
const hintOf = (code: string) => known(code)?.hint ?? ''

function saysOf({ at, operation, code, status, message, faults, given }: Refusal): string {
  const when = new Date(at).toISOString().slice(11, 16)
  const about = faults
    .slice(0, maxTold)
    .map((fault) => `${fault.path === '' ? '' : `${fault.path}: `}${ended(fault.message)}`)
  const text = about.length > 0 ? about.join(' ') : ended(message || (known(code)?.message ?? ''))
  return `A call of ${operation} at ${when} UTC was refused with ${code} (${status}). ${text}${sentOf(given, faults)} ${hintOf(code)}`.trim()
}

/** Returns the relevant values: those of faulty fields, or a few of all. */
function sentOf(given: Refusal['given'], faults: Refusal['faults']): string {
  const named = Object.entries(given).filter(
    ([name]) =>
      faults.length === 0 ||
      faults.some(({ path, message }) => path.split(/[.[]/)[0] === name || message.includes(name)),
  )
  return named.length === 0
    ? ''
    : ` It was sent ${named
        .slice(0, maxTold)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}.`
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
