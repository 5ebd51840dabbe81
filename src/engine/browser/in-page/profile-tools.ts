/** A value as JSON holds it, or encoded. */
export type HeldValue = { plain: unknown } | { encoded: unknown }

/**
 * What the functions that run in a page hand to each other, because there they see nothing but their arguments. Each
 * gets the tools themselves as its last argument where it needs them.
 */
export type StorageTools = {
  toBase64(bytes: Uint8Array): string
  fromBase64(text: string): Uint8Array<ArrayBuffer>
  encodeValue(value: unknown, tools: StorageTools): Promise<HeldValue>
  encodeLeaf(given: object, kind: string, rest: EncodingLeaf): object
  decodeValue(encoded: unknown, tools: StorageTools): unknown
  requestDone<T>(request: IDBRequest<T>): Promise<T>
  readStore(db: IDBDatabase, name: string, maxChars: number, tools: StorageTools): Promise<ReadStore>
}

export type EncodingLeaf = {
  encode(given: unknown): unknown
  /** Bytes are read asynchronously; what is still to come is noted here. */
  reading: Promise<void>[]
  tools: StorageTools
}
/** `text` is the JSON of a store; undefined when it is longer than allowed. */
export type ReadStore = { text: string | undefined; lostRecords: number }
