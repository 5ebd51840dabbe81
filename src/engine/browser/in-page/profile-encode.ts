/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { EncodingLeaf, HeldValue, StorageTools } from './profile-tools.ts'

/**
 * Runs in the page: a value of IndexedDB as JSON. What JSON holds by itself stays as it is; the rest has the form of
 * Playwright's serialiser (utilityScriptSerializers.ts), and beyond it Blob and File, DataView and wrapped primitives.
 * Rejects for what cannot leave the browser, such as keys of Web Crypto.
 */
export async function encodeValue(value: unknown, tools: StorageTools): Promise<HeldValue> {
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
    return isTree ? encodeTree(given) : notPlain(tools.encodeLeaf(given, kind, { encode, reading, tools }))
  }

  function notPlain<T>(node: T): T {
    isPlain = false
    return node
  }

  function wordOf(given: unknown): object {
    return typeof given === 'bigint' ? { bi: given.toString() } : { v: Object.is(given, -0) ? '-0' : String(given) }
  }

  /** A tree is noted before its branches, because they may lead back to it. */
  function encodeTree(given: object): object {
    const id = seen.size + 1
    seen.set(given, id)
    if (Array.isArray(given)) return { a: Array.from(given, encode), id }
    if (given instanceof Set) return notPlain({ s: Array.from(given, encode), id })
    if (given instanceof Map)
      return notPlain({ m: Array.from(given, ([k, v]) => ({ k: encode(k), v: encode(v) })), id })
    // An assignment to this name, with which others decode, makes no property.
    if (Object.hasOwn(given, '__proto__')) isPlain = false
    return { o: Object.entries(given).map(([k, v]) => ({ k, v: encode(v) })), id }
  }
}

/** Runs in the page: what holds no other values, but the one inside a wrapped primitive. `kind` is the name of its class. */
export function encodeLeaf(given: object, kind: string, { encode, reading, tools }: EncodingLeaf): object {
  if (given instanceof Date) return { d: Number.isNaN(given.getTime()) ? null : given.toJSON() }
  if (given instanceof RegExp) return { r: { p: given.source, f: given.flags } }
  if (given instanceof Error) return { e: { n: given.name, m: given.message, s: given.stack ?? '' } }
  if (given instanceof ArrayBuffer) return { ab: { b: tools.toBase64(new Uint8Array(given)) } }
  if (ArrayBuffer.isView(given)) return encodeView(given)
  if (given instanceof Blob) return encodeBlob(given)
  if (/^(?:Boolean|Number|String|BigInt)$/.test(kind)) return { w: encode(given.valueOf()) }
  throw new TypeError(`${kind} cannot be kept`)

  /** Uint8ClampedArray is ui8c, BigInt64Array bi64, and so on. */
  function encodeView({ buffer, byteOffset, byteLength }: ArrayBufferView): object {
    const b = tools.toBase64(new Uint8Array(buffer, byteOffset, byteLength))
    if (kind === 'DataView') return { dv: { b } }
    const [, sort = '', bits = '', clamped] = /^(BigInt|BigUint|Int|Uint|Float)(\d+)(Clamped)?Array$/.exec(kind) ?? []
    const short = { BigInt: 'bi', BigUint: 'bui', Int: 'i', Uint: 'ui', Float: 'f' }[sort]
    return { ta: { b, k: `${short}${bits}${clamped ? 'c' : ''}` } }
  }

  function encodeBlob(blob: Blob): object {
    const file = blob instanceof File ? { name: blob.name, lastModified: blob.lastModified } : {}
    const content = { b: '', type: blob.type, ...file }
    reading.push(blob.arrayBuffer().then((bytes) => void (content.b = tools.toBase64(new Uint8Array(bytes)))))
    return { blob: content }
  }
}
