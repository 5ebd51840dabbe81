/**
 * An object as the bytes of JSON that it was stored as. Whoever only hands it on need not read it; written by
 * JSON.stringify it comes out the same.
 */
export class StoredJson {
  /** One after the other they are the JSON. */
  readonly pieces: readonly Uint8Array[]
  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }
  get byteLength(): number {
    return this.pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }
  read(): object {
    const parsed: unknown = JSON.parse(Buffer.concat(this.pieces).toString())
    if (typeof parsed !== 'object' || parsed === null) throw new Error('The stored JSON is no object.')
    return parsed
  }
  toJSON(): object {
    return this.read()
  }
}

/** Objects within objects in which stored ones are looked for, and lists of nothing else: no answer holds them deeper. */
const deepest = 2

const isStored = (value: unknown): value is StoredJson => value instanceof StoredJson
const isListOfStored = (value: unknown): value is StoredJson[] =>
  Array.isArray(value) && value.length > 0 && value.every(isStored)

/** What JSON.stringify makes of an object, as UTF-8, with stored objects copied as they are. */
export const jsonBytes = (value: object): Uint8Array<ArrayBuffer> => Buffer.concat(jsonPieces(value))

/** The same without a copy of what is stored. */
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
  write(value, deepest)
  return [...pieces, Buffer.from(written)]
}

function holdsStored(value: unknown, depth: number): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some(
    (each) => isStored(each) || isListOfStored(each) || (depth > 1 && holdsStored(each, depth - 1)),
  )
}
