import { hash } from 'node:crypto'
import { isRecord } from '../../../util/json.ts'
import { bytes, type Condition, packed, type Row, type Statement, text } from './db/db.ts'

/** Large parts of a page that cached pages and results share, such as markdown and links, as JSON bytes. */
export type KeptText = { digest: Uint8Array; json: Uint8Array }

/** Minimum length of a shared text; smaller ones cost less inline than in their own row. */
const minText = 2000
const isText = (value: unknown): value is string => typeof value === 'string' && value.length >= minText
/** Minimum length of a shared list. A list is shared only together with a text. */
const minList = 20
const isLarge = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.length >= minList)

/**
 * A row with the values that its parts were created from, so the values need not be serialised and hashed again.
 * `uses`: expected number of further uses. After them the next row replaces this one, because long-lived texts make
 * garbage collection slower.
 */
type Known = { parts: readonly unknown[]; kept: KeptText; uses: number }

/**
 * Limits of the remembered rows. They are short, because a page is passed to the cache and, a moment later, to the
 * result of its visit.
 */
const maxRememberedBytes = 2 ** 22
const rememberedMs = 5000
let remembered: Known[] = []
let forgetting: NodeJS.Timeout | undefined

function remember(known: Known): Known {
  remembered = [...remembered.filter(({ uses }) => uses > 0), known]
  let total = remembered.reduce((sum, { kept }) => sum + kept.json.byteLength, 0)
  while (total > maxRememberedBytes) total -= remembered.shift()?.kept.json.byteLength ?? total
  // Frees the memory once current visits no longer need the texts.
  forgetting = forgetting?.refresh() ?? setTimeout(() => (remembered = []), rememberedMs).unref()
  return known
}

/**
 * Separates the parts of a row. In JSON, this character and the number of a part mark the hole that the part fills.
 * JSON itself never contains this character.
 */
const border = '\0'
/** Maximum number of parts, because the number of a part is one digit. */
const maxParts = 10
const holeLength = 2

function createRow(parts: readonly unknown[]): Known {
  const json = Buffer.from(parts.map((part) => JSON.stringify(part)).join(border))
  return remember({ parts, kept: { json, digest: hash('sha256', json, 'buffer') }, uses: 1 })
}

/**
 * Stores a text unless it exists. The row that refers to it must be written in the same transaction if the condition
 * holds: triggers delete the text with the last such row.
 */
export const keepText = ({ digest, json }: KeptText, condition: Condition): Statement => ({
  sql: `INSERT INTO kept_text (digest, json_zst) SELECT ?, ? WHERE ${condition.sql} ON CONFLICT (digest) DO NOTHING`,
  params: [digest, packed(json), ...condition.params],
  unless: { sql: 'SELECT 1 FROM kept_text WHERE digest = ?', params: [digest] },
})

/** SQL for the id of a text by its digest; null for a null digest. */
export const textId = '(SELECT id FROM kept_text WHERE digest = ?)'

/** Placeholder of a part while JSON is written or parsed. Random, so no document contains it. */
const marker = crypto.randomUUID()
const markers = new RegExp(`"${marker}(\\d)"`, 'g')
const holes = new RegExp(`${border}(\\d)`, 'g')

/**
 * Replaces a value, its fields and the fields of its `data` by what `by` returns; undefined leaves a value unchanged.
 */
function replaced(value: unknown, by: (value: unknown) => unknown): unknown {
  const own = by(value)
  if (own !== undefined || !isRecord(value)) return own ?? value
  const fields = Object.entries(value).map(([name, each]) => [
    name,
    name === 'data' ? replaced(each, by) : (by(each) ?? each),
  ])
  return Object.fromEntries(fields)
}

/** A value as JSON with holes, and the row that fills them. `size`: total size in bytes. */
export type Divided = { json: string; text: KeptText | undefined; size: number }

/** Moves the large parts of a value into a row of their own, if the value contains a long text. */
export function divided(value: unknown): Divided {
  const large: unknown[] = []
  replaced(value, (each) => void (isLarge(each) && large.push(each)))
  const known = rowOf(large)
  if (!known) return plain(JSON.stringify(value))
  const pieces = partsOf(known.kept.json)
  let filled = 0
  const rest = replaced(value, (each) => {
    const place = isLarge(each) ? known.parts.indexOf(each) : -1
    filled += pieces[place] ? pieces[place].byteLength - holeLength : 0
    return place === -1 ? undefined : `${marker}${place}`
  })
  const { json, size } = plain(JSON.stringify(rest).replaceAll(markers, `${border}$1`))
  return { json, text: known.kept, size: size + filled }
}

const plain = (json: string) => ({ json, text: undefined, size: Buffer.byteLength(json) })

/** Returns the row for the parts: the remembered row of the longest text, or a new row; undefined without a text. */
function rowOf(large: readonly unknown[]): Known | undefined {
  const texts = large.filter(isText).toSorted((one, other) => other.length - one.length)
  const [known] = texts.flatMap((content) => remembered.find(({ parts }) => parts.includes(content)) ?? [])
  if (!known) return texts.length > 0 ? createRow(large.slice(0, maxParts)) : undefined
  known.uses -= 1
  return known
}

function partsOf(json: Uint8Array): Uint8Array[] {
  const at = json.indexOf(border.charCodeAt(0))
  return at === -1 ? [json] : [json.subarray(0, at), ...partsOf(json.subarray(at + 1))]
}

/**
 * Returns the JSON of a divided value in pieces, without copying. Reads the columns `column` and `json_zst` of a row.
 */
export function piecesOf(row: Row, column: string): Uint8Array[] {
  const [first = new Uint8Array(), ...more] = partsOf(bytes(row[column]))
  const parts = more.length > 0 ? partsOf(bytes(row.json_zst)) : []
  return [first, ...more.flatMap((each) => [parts[Number(text(each.subarray(0, 1)))] ?? first, each.subarray(1)])]
}

/**
 * Parses a divided value. If the row has `text_digest`, its text is remembered, because it is expected to be written
 * again soon.
 */
export function restored(row: Row, column: string): unknown {
  const stored = text(row[column])
  if (!stored.includes(border)) return JSON.parse(stored)
  const json = bytes(row.json_zst)
  const pieces = partsOf(json)
  const parts: unknown[] = []
  const value = replaced(JSON.parse(stored.replaceAll(holes, `"${marker}$1"`)), (each) => {
    if (typeof each !== 'string' || !each.startsWith(marker)) return undefined
    const place = Number(each.slice(marker.length))
    return (parts[place] = JSON.parse(text(pieces[place])))
  })
  if (row.text_digest) remember({ parts, kept: { digest: bytes(row.text_digest), json }, uses: 2 })
  return value
}
