import { wordsOfName } from './names.ts'

/** What a schema says of one value, as far as the built-in extraction reads it. */
export type ValueRule = { type?: unknown; format?: unknown; enum?: unknown }

const maxText = 1000

/** A text of a page as a value of a type; undefined where it is none. */
export function coerce(value: string | number | boolean, rule: ValueRule): unknown {
  if (Array.isArray(rule.enum)) return rule.enum.find((each) => holds(String(value), String(each)))
  const types = [rule.type].flat()
  if (types.includes('integer')) return wholeNumber(value)
  if (types.includes('number')) return numberIn(value)
  if (types.includes('boolean')) return truth(value)
  if (rule.format === 'date' || rule.format === 'date-time') return dateIn(String(value), rule.format)
  const text = String(value)
  if (rule.format === 'uri' || rule.format === 'url') return URL.canParse(text) ? text : undefined
  if (rule.format === 'email') return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(text)?.[0]
  return text.length > maxText ? undefined : text
}

const holds = (text: string, word: string) => ` ${wordsOfName(text)} `.includes(` ${wordsOfName(word)} `)

function wholeNumber(value: unknown): number | undefined {
  const number = numberIn(value)
  return number === undefined ? undefined : Math.round(number)
}

/** `1.299,00 €`, `$1,299.00` and `1299` are one number. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const [digits] =
    /-?\d[\d.,]*/.exec(
      String(value)
        .normalize('NFKC')
        .replace(/[\s'’]/g, ''),
    ) ?? []
  if (digits === undefined) return undefined
  const isComma = /,\d{1,2}$/.test(digits) && !/\.\d{1,2}$/.test(digits)
  const isGrouped = /^-?\d{1,3}(?:\.\d{3})+$/.test(digits)
  const plain = isComma || isGrouped ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  const number = Number(plain.replace(/\.$/, ''))
  return Number.isFinite(number) ? number : undefined
}

function truth(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = String(value)
  if (/out ?of ?stock|sold ?out|discontinued|unavailable|^(?:false|no|0)$/i.test(text)) return false
  if (/\b(?:not|no longer|never)\b.{0,20}(?:in ?stock|available)/i.test(text)) return false
  return /in ?stock|available|pre ?order|^(?:true|yes|1)$/i.test(text) ? true : undefined
}

function dateIn(text: string, format: 'date' | 'date-time'): string | undefined {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  if (day !== undefined && format === 'date') return day
  // Without a year the engine makes one up: "Issue 5" would be a day of 2001.
  if (!/(?<!\d)\d{4}(?!\d)/.test(text)) return undefined
  const at = new Date(day === text ? text : spelledOut(text))
  if (Number.isNaN(at.getTime())) return undefined
  if (format === 'date-time' && /^\d{4}-\d\d-\d\dT\d/.test(text)) return text
  const hasZone = day === text || /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\)?$/i.test(text)
  // Written without a zone, it is a day of no zone, whatever that of the machine is.
  const local = hasZone && format === 'date-time' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return format === 'date-time' ? local.toISOString() : local.toISOString().slice(0, 10)
}

/** 3rd as 3, and a day of East Asia as all read it. */
const spelledOut = (text: string) =>
  text
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
    .replace(/^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일].*$/s, '$1/$2/$3')
