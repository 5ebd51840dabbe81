import type { Connection } from '../cdp/connection.ts'
import type { BrowserKind } from '../find/places.ts'

export type BrowserVersion = { product: string; protocolVersion: string; userAgent: string }

export type Browser = {
  readonly connection: Connection
  readonly kind: BrowserKind | 'remote'
  /** None for a browser that runs elsewhere. */
  readonly pid: number | undefined
  readonly version: BrowserVersion
  /** Resolves when nothing is left of it, neither process nor folder. Never rejects. */
  readonly closed: Promise<BrowserEnd>
  /** Ends it: politely, and after two seconds by force. Of a browser that runs elsewhere only the connection ends. */
  close(): Promise<void>
}

/** `closed` as it was told to, or `died`, with what is known of it, for the log. */
export type BrowserEnd = { why: 'closed' | 'died'; detail: string }
