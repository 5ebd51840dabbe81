/**
 * Large contents that lie outside of the database, each under a key of its own that is never written twice. Every call ends within
 * seconds: it fails with OBJECT_STORE_UNAVAILABLE where the store is gone or refuses.
 */
export type Objects = {
  put(key: string, content: { bytes: Uint8Array; mediaType: string }): Promise<void>
  /** All of it, of as many bytes as were put; undefined where nothing is there. */
  get(key: string, size: number): Promise<Uint8Array | undefined>
  /** Also of what is not there. */
  delete(key: string): Promise<void>
  close(): Promise<void>
}
