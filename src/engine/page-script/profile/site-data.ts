import type { DatabaseState, FileState, OriginState } from '../../../contracts/profile-state.ts'

/** Exports the origin private file system, without files that do not fit. Not available over plain http. */
export async function collectFiles(maxChars: number): Promise<{ text: string; tooLarge: number; unreadable: number }> {
  const texts: string[] = []
  const missed = { tooLarge: 0, unreadable: 0 }
  let room = maxChars
  if (isSecureContext) await walk(await navigator.storage.getDirectory(), '')
  return { text: `[${texts.join(',')}]`, ...missed }

  async function walk(folder: FileSystemDirectoryHandle, above: string): Promise<void> {
    for await (const [name, handle] of folder.entries()) {
      const path = above + name
      if (handle instanceof FileSystemFileHandle) {
        await take(handle, path).catch(() => void (missed.unreadable += 1))
        continue
      }
      keep({ path, type: 'directory' })
      await walk(handle as FileSystemDirectoryHandle, `${path}/`)
    }
  }

  async function take(handle: FileSystemFileHandle, path: string): Promise<void> {
    const file = await handle.getFile()
    // Base64 takes four characters for three bytes.
    if ((file.size / 3) * 4 > room) missed.tooLarge += 1
    else keep({ path, type: 'file', base64: toBase64(new Uint8Array(await file.arrayBuffer())) })
  }

  function keep(entry: FileState): void {
    const text = JSON.stringify(entry)
    texts.push(text)
    room -= text.length
  }
}

export async function restoreFiles(text: string): Promise<number> {
  const entries = JSON.parse(text) as FileState[]
  if (!isSecureContext) return entries.length
  const root = await navigator.storage.getDirectory()
  let failed = 0
  for (const entry of entries) await write(entry).catch(() => (failed += 1))
  return failed

  async function write({ path, type, base64 = '' }: FileState): Promise<void> {
    const names = path.split('/')
    const last = type === 'file' ? names.pop() : undefined
    let folder = root
    for (const name of names) folder = await folder.getDirectoryHandle(name, { create: true })
    if (last === undefined) return
    const handle = await folder.getFileHandle(last, { create: true })
    const stream = await handle.createWritable()
    await stream.write(fromBase64(base64))
    await stream.close()
  }
}

type Items = OriginState['localStorage']

/** Exports localStorage. Reads by index, because an item may have the name of a storage method. */
export function collectItems(): Items {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '')
  return names.map((name) => ({ name, value: localStorage.getItem(name) ?? '' }))
}

export function restoreItems(text: string): number {
  let failed = 0
  for (const { name, value } of JSON.parse(text) as Items) {
    try {
      localStorage.setItem(name, value)
    } catch {
      failed += 1
    }
  }
  return failed
}

export type CollectedDatabases = { text: string; tooLarge: number; unreadable: number; lostRecords: number }

/** Exports the IndexedDB databases of the origin. A database whose JSON does not fit is omitted entirely. */
export async function collectDatabases(maxChars: number): Promise<CollectedDatabases> {
  const texts: string[] = []
  const missed = { tooLarge: 0, unreadable: 0, lostRecords: 0 }
  let room = maxChars
  for (const { name } of await indexedDB.databases()) {
    const text = await databaseOf(name ?? '').catch(() => null)
    if (text === null) missed.unreadable += 1
    else if (text === undefined) missed.tooLarge += 1
    else texts.push(text)
    room -= text?.length ?? 0
  }
  return { ...missed, text: `[${texts.join(',')}]` }

  async function databaseOf(name: string): Promise<string | undefined> {
    const request = indexedDB.open(name)
    // The database was deleted after listing; opening it must not create it again.
    request.addEventListener('upgradeneeded', () => request.transaction?.abort())
    const db = await requestDone(request)
    db.addEventListener('versionchange', () => db.close())
    try {
      const stores: string[] = []
      let left = room
      for (const storeName of db.objectStoreNames) {
        const { text, lostRecords } = await readStore(db, storeName, left)
        if (text === undefined) return undefined
        missed.lostRecords += lostRecords
        stores.push(text)
        left -= text.length
      }
      return `{"name":${JSON.stringify(name)},"version":${db.version},"stores":[${stores.join(',')}]}`
    } finally {
      db.close()
    }
  }
}

export async function restoreDatabases(text: string): Promise<number> {
  const results = await Promise.allSettled((JSON.parse(text) as DatabaseState[]).map(restore))
  return results.filter(({ status }) => status === 'rejected').length
}

async function restore({ name, version, stores }: DatabaseState): Promise<void> {
  const request = indexedDB.open(name, version)
  request.addEventListener('upgradeneeded', () => define(request.result, stores))
  const db = await requestDone(request)
  try {
    for (const { name: storeName, records } of stores) if (records.length > 0) await fill(db, storeName, records)
  } finally {
    db.close()
  }
}

function define(db: IDBDatabase, stores: DatabaseState['stores']): void {
  for (const { name, autoIncrement, indexes, keyPath, keyPathArray } of stores) {
    const store = db.createObjectStore(name, { autoIncrement, keyPath: keyPathArray ?? keyPath ?? null })
    for (const index of indexes) {
      const { unique, multiEntry } = index
      store.createIndex(index.name, index.keyPathArray ?? index.keyPath ?? '', { unique, multiEntry })
    }
  }
}

function fill(db: IDBDatabase, name: string, records: DatabaseState['stores'][number]['records']): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(name, 'readwrite')
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('refused')))
    const store = transaction.objectStore(name)
    for (const record of records) {
      const value = 'valueEncoded' in record ? decodeValue(record.valueEncoded) : record.value
      const key = 'keyEncoded' in record ? decodeValue(record.keyEncoded) : record.key
      if (store.keyPath === null && key !== undefined) store.put(value, key as IDBValidKey)
      else store.put(value)
    }
  })
}

/** `text` is the JSON of a store; undefined if it exceeds the limit. */
type ReadStore = { text: string | undefined; lostRecords: number }

/** Exports an object store as JSON. Reads in small batches, so an oversized store does not fill the memory first. */
async function readStore(db: IDBDatabase, name: string, maxChars: number): Promise<ReadStore> {
  const batch = 100
  const { keyPath, autoIncrement, indexes } = outlineOf(db.transaction(name).objectStore(name))
  const facts = JSON.stringify({ name, ...pathOf(keyPath), autoIncrement, indexes })
  const records: string[] = []
  let room = maxChars - facts.length
  let lostRecords = 0
  let after: IDBKeyRange | undefined
  for (;;) {
    const store = db.transaction(name).objectStore(name)
    const requests = [store.getAllKeys(after, batch), store.getAll(after, batch)] as const
    const [keys, values] = await Promise.all([requestDone(requests[0]), requestDone(requests[1])])
    for (const [at, key] of keys.entries()) {
      const record = await recordOf(key, values[at]).catch(() => undefined)
      if (record === undefined) lostRecords += 1
      else records.push(record)
      room -= record?.length ?? 0
      if (room < 0) return { text: undefined, lostRecords }
    }
    if (keys.length < batch) return { text: `${facts.slice(0, -1)},"records":[${records.join(',')}]}`, lostRecords }
    after = IDBKeyRange.lowerBound(keys.at(-1), true)
  }

  function outlineOf(store: IDBObjectStore) {
    const all = Array.from(store.indexNames, (indexName) => {
      const { unique, multiEntry, keyPath: path } = store.index(indexName)
      return { name: indexName, ...pathOf(path), multiEntry, unique }
    })
    return { keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes: all }
  }

  /** A key that is part of the value is not stored twice. */
  async function recordOf(key: IDBValidKey, value: unknown): Promise<string> {
    const inside = await encodeValue(value)
    const outside = keyPath === null ? await encodeValue(key) : undefined
    return JSON.stringify({
      ...(outside && ('plain' in outside ? { key: outside.plain } : { keyEncoded: outside.encoded })),
      ...('plain' in inside ? { value: inside.plain } : { valueEncoded: inside.encoded }),
    })
  }
}

function pathOf(path: string | string[] | null): object {
  if (path === null) return {}
  return typeof path === 'string' ? { keyPath: path } : { keyPathArray: Array.from(path) }
}

function requestDone<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('refused')))
    request.addEventListener('blocked', () => reject(new Error('in use')))
  })
}

/** Newer browsers provide it natively (TC39 proposal "Uint8Array to/from base64"). */
type Native = { toBase64?(): string }

function toBase64(bytes: Uint8Array): string {
  const native = bytes as Native
  if (native.toBase64) return native.toBase64()
  let binary = ''
  // More arguments would overflow the stack.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> }
  if (native.fromBase64) return native.fromBase64(text)
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

type StoredValue = { plain: unknown } | { encoded: unknown }

type EncodingLeaf = {
  encode(input: unknown): unknown
  reading: Promise<void>[]
}

/** Encodes an IndexedDB value as JSON, mostly as Playwright does (utilityScriptSerializers.ts). Rejects for keys. */
async function encodeValue(value: unknown): Promise<StoredValue> {
  const seen = new Map<object, number>()
  const reading: Promise<void>[] = []
  let isPlain = true
  const encoded = encode(value)
  await Promise.all(reading)
  return isPlain ? { plain: value } : { encoded }

  function encode(input: unknown): unknown {
    if (typeof input === 'string' || typeof input === 'boolean') return input
    if (typeof input === 'number' && Number.isFinite(input) && !Object.is(input, -0)) return input
    if (input === null) return { v: 'null' }
    if (typeof input !== 'object') return notPlain(wordOf(input))
    const known = seen.get(input)
    if (known !== undefined) return notPlain({ ref: known })
    const kind = Object.prototype.toString.call(input).slice(8, -1)
    const isTree = kind === 'Array' || kind === 'Object' || kind === 'Map' || kind === 'Set'
    return isTree ? encodeTree(input) : notPlain(encodeLeaf(input, kind, { encode, reading }))
  }

  function notPlain<T>(node: T): T {
    isPlain = false
    return node
  }

  /** Registers an object before its properties, which may refer to it. */
  function encodeTree(input: object): object {
    const id = seen.size + 1
    seen.set(input, id)
    if (Array.isArray(input)) return { a: Array.from(input, encode), id }
    if (input instanceof Set) return notPlain({ s: Array.from(input, encode), id })
    if (input instanceof Map)
      return notPlain({ m: Array.from(input, ([k, v]) => ({ k: encode(k), v: encode(v) })), id })
    // Decoders that assign properties by name would not create this one.
    if (Object.hasOwn(input, '__proto__')) isPlain = false
    return { o: Object.entries(input).map(([k, v]) => ({ k, v: encode(v) })), id }
  }
}

function wordOf(input: unknown): object {
  return typeof input === 'bigint' ? { bi: input.toString() } : { v: Object.is(input, -0) ? '-0' : String(input) }
}

/** Encodes a value without references to others. `kind` is the name of its class. */
function encodeLeaf(input: object, kind: string, { encode, reading }: EncodingLeaf): object {
  if (input instanceof Date) return { d: Number.isNaN(input.getTime()) ? null : input.toJSON() }
  if (input instanceof RegExp) return { r: { p: input.source, f: input.flags } }
  if (input instanceof Error) return { e: { n: input.name, m: input.message, s: input.stack ?? '' } }
  if (input instanceof ArrayBuffer) return { ab: { b: toBase64(new Uint8Array(input)) } }
  if (ArrayBuffer.isView(input)) return encodeView(input)
  if (input instanceof Blob) return encodeBlob(input)
  if (/^(?:Boolean|Number|String|BigInt)$/.test(kind)) return { w: encode(input.valueOf()) }
  throw new TypeError(`${kind} cannot be stored`)

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
function decodeValue(encoded: unknown): unknown {
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
    else for (const { k, v } of (o ?? []) as Entry[]) setProperty(tree, k as string, decode(v))
    return tree
  }

  function blobOf({ b, type = '', name, lastModified }: Content): Blob {
    const parts = [fromBase64(b)]
    if (name === undefined) return new Blob(parts, { type })
    return new File(parts, name, { type, ...(lastModified !== undefined && { lastModified }) })
  }
}

function setProperty(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

function viewOf(short: string): new (buffer: ArrayBuffer) => unknown {
  const [, sort = '', bits = '', clamped] = /^(bi|bui|i|ui|f)(\d+)(c?)$/.exec(short) ?? []
  const long = { bi: 'BigInt', bui: 'BigUint', i: 'Int', ui: 'Uint', f: 'Float' }[sort]
  return (globalThis as never)[`${long}${bits}${clamped ? 'Clamped' : ''}Array`]
}
