import type { Connection } from '../cdp/connection.ts'
import type { BrowserKind } from '../find/candidates.ts'

export type BrowserVersion = { product: string; protocolVersion: string; userAgent: string }

export type Browser = {
  readonly connection: Connection
  readonly kind: BrowserKind | 'remote'
  /** Undefined for a remote browser. */
  readonly pid: number | undefined
  /** Its files, on this machine; undefined for a remote browser. */
  readonly profileDir: string | undefined
  readonly version: BrowserVersion
  /** Resolves when its processes and its profile folder are gone. Never rejects. */
  readonly closed: Promise<BrowserEnd>
  /** Closes it, and kills it after two seconds. A remote browser is only disconnected. */
  close(): Promise<void>
}

/** `closed` by us, or `died`, with a detail for the log. */
export type BrowserEnd = { why: 'closed' | 'died'; detail: string }
