/** One page as it came over the network, for those who keep everything. */
export type Exchange = {
  /** When it was asked for, ms since the epoch. */
  at: number
  request: { url: string; method: string; headers: Readonly<Record<string, string>> }
  /** The body decoded; of a page that a browser rendered, its HTML in the end. */
  response: { url: string; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  metadata?: Readonly<Record<string, string>>
}
export type ExchangeListener = (exchange: Exchange) => Promise<void> | void
