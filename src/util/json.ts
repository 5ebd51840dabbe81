/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON object; returns undefined if the text is anything else. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the objects in a list; an empty list if the value is not a list. */
export const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Looks up a name that a caller sent. Ignores names that every object inherits, such as `constructor`. */
export const ownValue = <T>(from: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(from, name) ? from[name] : undefined

/** Size of a JSON text. `values` is the number of commas. */
export type JsonAmount = { depth: number; containers: number; keys: number; values: number }

/** Default limits, far above what any request without a long list needs. */
const usualAmount: JsonAmount = { depth: 64, containers: 10_000, keys: 10_000, values: 30_000 }
/** Limits of a request with a long list of strings, which is parsed fast. */
export const longListAmount: JsonAmount = { ...usualAmount, values: 130_000 }

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Describes the first exceeded limit, or returns undefined. Call it before parsing: a megabyte of empty objects takes a
 * hundred times as long to parse as a megabyte of text, and thirty times its memory. The text need not be valid.
 */
export function jsonExcess(bytes: Uint8Array, most: JsonAmount = usualAmount): string | undefined {
  const { depth, containers, keys, values } = amountOf(bytes)
  if (depth > most.depth) return `nested more than ${most.depth} levels deep`
  if (containers > most.containers) return `more than ${most.containers} objects and lists`
  if (keys > most.keys) return `more than ${most.keys} fields`
  return values > most.values ? `more than ${most.values} values` : undefined
}

function amountOf(bytes: Uint8Array): JsonAmount {
  const counts = new Uint32Array(256)
  let [depth, most] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    counts[byte]! += 1
    if (byte === quote) at = stringEnd(bytes, at + 1)
    else if (byte === openList || byte === openMap) most = Math.max(most, (depth += 1))
    else if (byte === closeList || byte === closeMap) depth -= 1
  }
  const of = (byte: number) => counts[byte] ?? 0
  return { depth: most, containers: of(openList) + of(openMap), keys: of(colon), values: of(comma) }
}

/** Returns the position of the quote that ends the string, or the end of the text. */
function stringEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/** An object as JSON bytes from the database, which `jsonPieces` writes without parsing. JSON.stringify parses it. */
export class StoredJson {
  /** Chunks that form the JSON when concatenated. */
  readonly pieces: readonly Uint8Array[]
  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }
  get byteLength(): number {
    return this.pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }
  read(): object {
    const parsed: unknown = JSON.parse(Buffer.concat(this.pieces).toString())
    if (typeof parsed !== 'object' || parsed === null) throw new Error('The stored JSON is not an object.')
    return parsed
  }
  toJSON(): object {
    return this.read()
  }
}

/** Maximum depth at which a response contains stored objects. */
const maxDepth = 2

const isStored = (value: unknown): value is StoredJson => value instanceof StoredJson
const isListOfStored = (value: unknown): value is StoredJson[] =>
  Array.isArray(value) && value.length > 0 && value.every(isStored)

/** Writes a response as chunks of JSON, without parsing or copying the stored objects in it. */
export function jsonPieces(value: object): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let written = ''
  const flush = (next: StoredJson) => {
    pieces.push(Buffer.from(written), ...next.pieces)
    written = ''
  }
  function write(part: unknown, depth: number): void {
    if (isStored(part)) flush(part)
    else if (isListOfStored(part)) writeList(part)
    else if (depth > 0 && holdsStored(part, depth)) writeObject(part, depth - 1)
    else written += JSON.stringify(part)
  }
  function writeList(list: readonly StoredJson[]): void {
    list.forEach((each, at) => {
      written += at === 0 ? '[' : ','
      flush(each)
    })
    written += ']'
  }
  function writeObject(object: object, depth: number): void {
    const fields = Object.entries(object).filter(([, each]) => each !== undefined)
    fields.forEach(([name, each], at) => {
      written += `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`
      write(each, depth)
    })
    written += '}'
  }
  write(value, maxDepth)
  return [...pieces, Buffer.from(written)]
}

function holdsStored(value: unknown, depth: number): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some(
    (each) => isStored(each) || isListOfStored(each) || (depth > 1 && holdsStored(each, depth - 1)),
  )
}
