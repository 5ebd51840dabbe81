import { hash } from 'node:crypto'
import { bytes, type Condition, type Packed, packed, type Row, type Statement } from './db/db.ts'

/** A text shared by cached pages and results, as JSON bytes, so pending texts of many pages are outside the heap. */
export type KeptText = { digest: Uint8Array; json: Uint8Array; packed: Packed }

/** Below this length a text costs less inline than in its own row. */
const minShared = 2000
const isShared = (value: unknown): value is string => typeof value === 'string' && value.length >= minShared

/**
 * Maximum characters whose digests are remembered: a page is passed to the cache and, a moment later, to the result of
 * its visit, and both write a group of pages at a time.
 */
const maxRemembered = 2 ** 22
const rememberedMs = 5000
const remembered: { content: string; kept: KeptText }[] = []
let forgetting: NodeJS.Timeout | undefined

function keptText(content: string): KeptText {
  const known = remembered.find((each) => each.content === content)
  if (known) return known.kept
  const json = Buffer.from(JSON.stringify(content))
  const kept = { digest: hash('sha256', json, 'buffer'), json, packed: packed(json) }
  remembered.push({ content, kept })
  let length = remembered.reduce((sum, each) => sum + each.content.length, 0)
  while (length > maxRemembered) length -= remembered.shift()?.content.length ?? length
  // Texts are not kept longer than current visits need them.
  forgetting = forgetting?.refresh() ?? setTimeout(() => remembered.splice(0), rememberedMs).unref()
  return kept
}

/**
 * Stores a text unless it exists. The row that refers to it must be written in the same transaction if the condition
 * holds: triggers count such rows, and delete the text with the last of them.
 */
export const keepText = (text: KeptText, condition: Condition): Statement => ({
  sql: `INSERT INTO kept_text (digest, json_zst) SELECT ?, ? WHERE ${condition.sql} ON CONFLICT (digest) DO NOTHING`,
  params: [text.digest, text.packed, ...condition.params],
  unless: { sql: 'SELECT 1 FROM kept_text WHERE digest = ?', params: [text.digest] },
})

/** SQL for the id of a text by its digest; null for a null digest. */
export const textId = '(SELECT id FROM kept_text WHERE digest = ?)'

/** Placeholder for the text in the stored JSON; JSON never contains this character. */
const hole = '\0'
/** Random, so no document contains it. */
const marker = crypto.randomUUID()

/** `size`: total size in bytes. */
export type Divided = { json: string; text: KeptText | undefined; size: number }

/**
 * Splits a value into JSON and its longest text, if that is long enough to be shared: the value itself, one of its
 * fields, or a field of its `data`.
 */
export function divided(value: unknown): Divided {
  const found = isShared(value) ? { content: value, rest: marker } : withoutLongest(value)
  const json = JSON.stringify(found ? found.rest : value)
  if (!found) return { json, text: undefined, size: Buffer.byteLength(json) }
  const shared = keptText(found.content)
  const rest = json.replace(`"${marker}"`, hole)
  return { json: rest, text: shared, size: Buffer.byteLength(rest) - hole.length + shared.json.byteLength }
}

function withoutLongest(value: unknown): { content: string; rest: object } | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const [longest] = Object.entries(value)
    .filter((entry): entry is [string, string] => isShared(entry[1]))
    .toSorted(([, one], [, other]) => other.length - one.length)
  if (longest) return { content: longest[1], rest: { ...value, [longest[0]]: marker } }
  const inner = 'data' in value ? withoutLongest(value.data) : undefined
  return inner && { content: inner.content, rest: { ...value, data: inner.rest } }
}

/** Joins the parts of a divided value as JSON bytes. Reads the columns `column` and `json_zst` of a row. */
export function joined(row: Row, column: string): Uint8Array {
  const [first = new Uint8Array(), ...more] = piecesOf(row, column)
  return more.length === 0 ? first : Buffer.concat([first, ...more])
}

/** Same as `joined`, but as separate pieces without copying. */
export function piecesOf(row: Row, column: string): Uint8Array[] {
  const stored = bytes(row[column])
  const at = stored.indexOf(hole.charCodeAt(0))
  return at === -1 ? [stored] : [stored.subarray(0, at), bytes(row.json_zst), stored.subarray(at + 1)]
}
