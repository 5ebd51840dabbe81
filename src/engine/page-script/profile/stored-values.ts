/** Newer browsers provide it natively (TC39 proposal "Uint8Array to/from base64"). */
type Native = { toBase64?(): string }

export function toBase64(bytes: Uint8Array): string {
  const native = bytes as Native
  if (native.toBase64) return native.toBase64()
  let binary = ''
  // More arguments would overflow the stack.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> }
  if (native.fromBase64) return native.fromBase64(text)
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export type StoredValue = { plain: unknown } | { encoded: unknown }

type EncodingLeaf = {
  encode(given: unknown): unknown
  reading: Promise<void>[]
}

/** Encodes an IndexedDB value as JSON, mostly as Playwright does (utilityScriptSerializers.ts). Rejects for keys. */
export async function encodeValue(value: unknown): Promise<StoredValue> {
  const seen = new Map<object, number>()
  const reading: Promise<void>[] = []
  let isPlain = true
  const encoded = encode(value)
  await Promise.all(reading)
  return isPlain ? { plain: value } : { encoded }

  function encode(given: unknown): unknown {
    if (typeof given === 'string' || typeof given === 'boolean') return given
    if (typeof given === 'number' && Number.isFinite(given) && !Object.is(given, -0)) return given
    if (given === null) return { v: 'null' }
    if (typeof given !== 'object') return notPlain(wordOf(given))
    const known = seen.get(given)
    if (known !== undefined) return notPlain({ ref: known })
    const kind = Object.prototype.toString.call(given).slice(8, -1)
    const isTree = kind === 'Array' || kind === 'Object' || kind === 'Map' || kind === 'Set'
    return isTree ? encodeTree(given) : notPlain(encodeLeaf(given, kind, { encode, reading }))
  }

  function notPlain<T>(node: T): T {
    isPlain = false
    return node
  }

  /** Registers an object before its properties, which may refer to it. */
  function encodeTree(given: object): object {
    const id = seen.size + 1
    seen.set(given, id)
    if (Array.isArray(given)) return { a: Array.from(given, encode), id }
    if (given instanceof Set) return notPlain({ s: Array.from(given, encode), id })
    if (given instanceof Map)
      return notPlain({ m: Array.from(given, ([k, v]) => ({ k: encode(k), v: encode(v) })), id })
    // Decoders that assign properties by name would not create this one.
    if (Object.hasOwn(given, '__proto__')) isPlain = false
    return { o: Object.entries(given).map(([k, v]) => ({ k, v: encode(v) })), id }
  }
}

function wordOf(given: unknown): object {
  return typeof given === 'bigint' ? { bi: given.toString() } : { v: Object.is(given, -0) ? '-0' : String(given) }
}

/** Encodes a value without references to others. `kind` is the name of its class. */
function encodeLeaf(given: object, kind: string, { encode, reading }: EncodingLeaf): object {
  if (given instanceof Date) return { d: Number.isNaN(given.getTime()) ? null : given.toJSON() }
  if (given instanceof RegExp) return { r: { p: given.source, f: given.flags } }
  if (given instanceof Error) return { e: { n: given.name, m: given.message, s: given.stack ?? '' } }
  if (given instanceof ArrayBuffer) return { ab: { b: toBase64(new Uint8Array(given)) } }
  if (ArrayBuffer.isView(given)) return encodeView(given)
  if (given instanceof Blob) return encodeBlob(given)
  if (/^(?:Boolean|Number|String|BigInt)$/.test(kind)) return { w: encode(given.valueOf()) }
  throw new TypeError(`${kind} cannot be kept`)

  /** Uint8ClampedArray is ui8c, BigInt64Array bi64, and so on. */
  function encodeView({ buffer, byteOffset, byteLength }: ArrayBufferView): object {
    const b = toBase64(new Uint8Array(buffer, byteOffset, byteLength))
    if (kind === 'DataView') return { dv: { b } }
    const [, sort = '', bits = '', clamped] = /^(BigInt|BigUint|Int|Uint|Float)(\d+)(Clamped)?Array$/.exec(kind) ?? []
    const short = { BigInt: 'bi', BigUint: 'bui', Int: 'i', Uint: 'ui', Float: 'f' }[sort]
    return { ta: { b, k: `${short}${bits}${clamped ? 'c' : ''}` } }
  }

  function encodeBlob(blob: Blob): object {
    const file = blob instanceof File ? { name: blob.name, lastModified: blob.lastModified } : {}
    const content = { b: '', type: blob.type, ...file }
    reading.push(blob.arrayBuffer().then((bytes) => void (content.b = toBase64(new Uint8Array(bytes)))))
    return { blob: content }
  }
}

/** Reverses `encodeValue`, and decodes values encoded by Playwright. */
export function decodeValue(encoded: unknown): unknown {
  type Entry = { k: unknown; v: unknown }
  type Content = { b: string; type?: string; name?: string; lastModified?: number }
  const refs = new Map<unknown, unknown>()
  const words: Record<string, unknown> = { null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }
  const leaves: Record<string, (content: never) => unknown> = {
    v: (word: string) => words[word],
    d: (text: string | null) => new Date(text ?? Number.NaN),
    bi: (digits: string) => BigInt(digits),
    r: ({ p, f }: { p: string; f: string }) => new RegExp(p, f),
    e: ({ n, m, s }: { n: string; m: string; s: string }) => Object.assign(new Error(m), { name: n, stack: s }),
    ab: ({ b }: Content) => fromBase64(b).buffer,
    dv: ({ b }: Content) => new DataView(fromBase64(b).buffer),
    ta: ({ b, k }: Content & { k: string }) => new (viewOf(k))(fromBase64(b).buffer),
    w: (inner: unknown) => Object(decode(inner)),
    blob: blobOf,
  }
  return decode(encoded)

  function decode(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    const parts = node as Record<string, unknown>
    if ('ref' in parts) return refs.get(parts['ref'])
    const leaf = Object.keys(leaves).find((name) => name in parts)
    return leaf === undefined ? decodeTree(parts) : leaves[leaf]?.(parts[leaf] as never)
  }

  /** Registers an object before decoding its properties, which may refer to it. */
  function decodeTree({ a, o, m, s, id }: Record<string, unknown>): unknown {
    const tree = a ? [] : m ? new Map<unknown, unknown>() : s ? new Set<unknown>() : {}
    refs.set(id, tree)
    if (Array.isArray(tree)) for (const item of a as unknown[]) tree.push(decode(item))
    else if (tree instanceof Map) for (const { k, v } of m as Entry[]) tree.set(decode(k), decode(v))
    else if (tree instanceof Set) for (const item of s as unknown[]) tree.add(decode(item))
    else for (const { k, v } of (o ?? []) as Entry[]) define(tree, k as string, decode(v))
    return tree
  }

  function blobOf({ b, type = '', name, lastModified }: Content): Blob {
    const parts = [fromBase64(b)]
    if (name === undefined) return new Blob(parts, { type })
    return new File(parts, name, { type, ...(lastModified !== undefined && { lastModified }) })
  }
}

function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

function viewOf(short: string): new (buffer: ArrayBuffer) => unknown {
  const [, sort = '', bits = '', clamped] = /^(bi|bui|i|ui|f)(\d+)(c?)$/.exec(short) ?? []
  const long = { bi: 'BigInt', bui: 'BigUint', i: 'Int', ui: 'Uint', f: 'Float' }[sort]
  return (globalThis as never)[`${long}${bits}${clamped ? 'Clamped' : ''}Array`]
}
