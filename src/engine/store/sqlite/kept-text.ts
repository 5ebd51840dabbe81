import { hash } from 'node:crypto'
import { bytes, type Condition, type Packed, packed, type Row, type Statement } from './db/db.ts'

/** A text that pages of the cache and results have in common, as the bytes of JSON: those of many pages wait outside of the heap. */
export type KeptText = { digest: Uint8Array; json: Uint8Array; packed: Packed }

/** A shorter one costs less where it stands than a row of its own. */
const leastShared = 2000
const isShared = (value: unknown): value is string => typeof value === 'string' && value.length >= leastShared

/** A page is told to the cache and to the result of its visit a moment later: of that many characters the digests are known. */
const maxRemembered = 2 ** 20
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
  // No text is held for longer than the pages that are being visited need it.
  forgetting = forgetting?.refresh() ?? setTimeout(() => remembered.splice(0), rememberedMs).unref()
  return kept
}

/**
 * Writes a text unless it is there already. The row that refers to it must be written in the same transaction if the
 * condition holds: triggers count such rows, and delete the text with the last of them.
 */
export const keepText = (text: KeptText, condition: Condition): Statement => ({
  sql: `INSERT INTO kept_text (digest, json_zst) SELECT ?, ? WHERE ${condition.sql} ON CONFLICT (digest) DO NOTHING`,
  params: [text.digest, text.packed, ...condition.params],
  unless: { sql: 'SELECT 1 FROM kept_text WHERE digest = ?', params: [text.digest] },
})

/** SQL for the id of a text, by its digest; null where the digest is. */
export const textId = '(SELECT id FROM kept_text WHERE digest = ?)'

/** Stands in the stored JSON where the text goes: JSON never holds this character. */
const hole = '\0'
/** No document holds it: nobody has seen it. */
const marker = crypto.randomUUID()

/** `size`: of all of it, in bytes. */
export type Divided = { json: string; text: KeptText | undefined; size: number }

/** A value as JSON, without its longest text if that is long enough to be shared: itself, a field of it, or one of its `data`. */
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

/** What was divided, whole again, as the bytes of JSON. Of a row with the columns `column` and `json_zst`. */
export function joined(row: Row, column: string): Uint8Array {
  const [first = new Uint8Array(), ...more] = piecesOf(row, column)
  return more.length === 0 ? first : Buffer.concat([first, ...more])
}

/** The same in pieces, none of which is copied. */
export function piecesOf(row: Row, column: string): Uint8Array[] {
  const stored = bytes(row[column])
  const at = stored.indexOf(hole.charCodeAt(0))
  return at === -1 ? [stored] : [stored.subarray(0, at), bytes(row.json_zst), stored.subarray(at + 1)]
}
