/** A message of the Chrome DevTools Protocol: a call (`id` and `method`), its answer (`id`), or an event (`method`). */
export type CdpMessage = {
  id?: number
  method?: string
  params?: Readonly<Record<string, unknown>>
  result?: Readonly<Record<string, unknown>>
  error?: { code: number; message: string; data?: unknown }
  /** The session the message belongs to; none = the browser itself. */
  sessionId?: string
}

export type WireListener = {
  message(message: CdpMessage): void
  /** Called once; nothing comes after it. `why` ends the sentence "the connection …". */
  end(why: string): void
}

/** Carries messages to a browser and back: the debugging pipe, or a WebSocket. */
export type Wire = {
  send(message: CdpMessage): void
  /** The other side reads slower than this one writes: whoever can wait should wait for `drained`. */
  isFull(): boolean
  drained(): Promise<void>
  /** To be called once, in the turn in which the wire was made: what comes before is lost. */
  listen(listener: WireListener): void
  /** Hangs up; the listener's `end` follows. */
  end(): void
}
