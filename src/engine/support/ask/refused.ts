import type { Refusal } from '../../../contracts/job-ports.ts'
import { errors } from '../../../kernel/error-table.ts'
import type { ErrorCode } from '../../../kernel/error.ts'
import { complains, type Question } from './question.ts'
import type { Diagnosis } from './case.ts'

export type RefusedFinding = { rule: string; code: string; operation: string; score: number; diagnosis: Diagnosis }

const dayMs = 86_400_000
const asks =
  /refus|reject|error|invalid|denied|not (?:allow|accept|permit|work)|fail|won['’]?t|can(?:not|['’]t)|does ?n.t|why|\b4\d\d\b|bad request|complain|turned down/i
const maxTold = 3

/** Returns findings for those of the refused calls that the question names or complains of. */
export const refusalsFor = (question: Question, refusals: readonly Refusal[], now: number): RefusedFinding[] =>
  refusals.flatMap((refusal) => {
    const { at, operation, code } = refusal
    const signs = [names(refusal, question), asks.test(question.words) || complains(question.words)].filter(Boolean)
    const score = 2 * signs.length - (now - at) / dayMs
    return signs.length === 0
      ? []
      : [{ rule: `refused ${operation}`, code, operation, score, diagnosis: { says: saysOf(refusal) } }]
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
