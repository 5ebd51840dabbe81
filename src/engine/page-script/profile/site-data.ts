import type { DatabaseState, FileState, OriginState } from '../../../contracts/profile-state.ts'
import { decodeValue, encodeValue, fromBase64, toBase64 } from './stored-values.ts'

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
  const made = await Promise.allSettled((JSON.parse(text) as DatabaseState[]).map(restore))
  return made.filter(({ status }) => status === 'rejected').length
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
    const held = await encodeValue(value)
    const outside = keyPath === null ? await encodeValue(key) : undefined
    return JSON.stringify({
      ...(outside && ('plain' in outside ? { key: outside.plain } : { keyEncoded: outside.encoded })),
      ...('plain' in held ? { value: held.plain } : { valueEncoded: held.encoded }),
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
