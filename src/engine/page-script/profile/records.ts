import { encodeValue } from './values.ts'

/** `text` is the JSON of a store; undefined when it is longer than allowed. */
type ReadStore = { text: string | undefined; lostRecords: number }

/**
 * An object store as JSON. It is read in small batches, so that one that is too large does not fill the memory first.
 */
export async function readStore(db: IDBDatabase, name: string, maxChars: number): Promise<ReadStore> {
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

export function requestDone<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('refused')))
    request.addEventListener('blocked', () => reject(new Error('in use')))
  })
}
