import { parse } from 'tldts'
import type { PiiEntity } from '../../../schema/scrape/scrape-options.ts'
import { financialIn, secretsIn } from './find-numbers.ts'
import type { FindSpans, Span } from './placeholder.ts'

/** Signs that part the fields of addresses are left out, though a name could have them. */
const local = "[\\p{L}\\p{N}.!#$%'*+^_`{|}~-]{1,64}"
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?'
const email = new RegExp(`(?<=${local})[@＠](${label}(?:\\.${label})+)`, 'gu')
const localPart = new RegExp(`${local}$`, 'u')
/** Names that only private networks and examples use (RFC 2606, RFC 6762). */
const reserved = /\.(?:test|example|invalid|local|internal|lan|localhost)$/i

/** Files such as `logo@2x.png` and packages such as `name@1.2.3.tgz` end in no public name. */
const isHost = (host: string): boolean =>
  reserved.test(host) || (parse(host).isIcann === true && !/^\d+(?:\.\d+)?x\./.test(host))

/** A host ends before what follows it without a space, such as the next sentence or the ending of a file. */
function hostIn(text: string): string | undefined {
  if (!text.includes('.')) return undefined
  return isHost(text) ? text : hostIn(text.slice(0, text.lastIndexOf('.')))
}

function emailsIn(text: string): Span[] {
  if (!/[@＠]/.test(text)) return []
  return [...text.matchAll(email)].flatMap(({ 1: following = '', index }): Span[] => {
    const before = localPart.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? ''
    const [name, host] = [before.replace(/^[.'`]+/, ''), hostIn(following)]
    return name === '' || host === undefined
      ? []
      : [{ start: index - name.length, end: index + 1 + host.length, kind: 'EMAIL' }]
  })
}

export type Finders = {
  entities: ReadonlySet<PiiEntity>
  /** Also replaces text that may, but need not, identify a person. */
  isEager: boolean
  phones: FindSpans
  /** Names and addresses that a model found, verbatim. */
  named: readonly { text: string; kind: PiiEntity }[]
}

/** One space stands for any run of white space between the words of a name. */
function namedIn(text: string, named: Finders['named']): Span[] {
  return named.flatMap(({ text: wanted, kind }) => {
    const words = wanted.split(/\s+/).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'giu')
    return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length, kind }))
  })
}

/** Finds all places, in order and without overlaps; of two that overlap the longer one is kept. */
export function createSpanFinder({ entities, isEager, phones, named }: Finders): FindSpans {
  const wants = (kind: PiiEntity) => entities.has(kind)
  return (given) => {
    const text = asciiDigits(given)
    const hasDigits = /\d/.test(text)
    const found = [
      ...(wants('EMAIL') ? emailsIn(text) : []),
      ...(wants('FINANCIAL') && hasDigits ? financialIn(text) : []),
      ...(wants('SECRET') ? secretsIn(text, isEager) : []),
      ...(wants('PHONE') && hasDigits ? phones(text) : []),
      ...namedIn(text, named),
    ]
    return withoutOverlaps(found)
  }
}

function withoutOverlaps(spans: Span[]): Span[] {
  const kept: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = kept.at(-1)
    if (!last || span.start >= last.end) kept.push(span)
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end }
  }
  return kept
}

/** The text with digits, spaces and dashes of all scripts as ASCII, of the same length. */
function asciiDigits(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text
  return text
    .replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]/g, (digit) => String(digitOf(digit)))
    .replaceAll(/[\u00A0\u2000-\u200A\u202F\u3000]/g, ' ')
    .replaceAll(/[\u2010-\u2015\u2212\uFF0D\u30FC]/g, '-')
    .replaceAll('＋', '+')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
}

/** First digits of the scripts above. */
const zeros = [0x0660, 0x06f0, 0x0966, 0xff10]
const digitOf = (digit: string) => {
  const code = digit.charCodeAt(0)
  return code - zeros.findLast((zero) => zero <= code)!
}
