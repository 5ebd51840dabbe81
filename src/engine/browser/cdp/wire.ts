/** A message of the Chrome DevTools Protocol: a call (`id` and `method`), its answer (`id`), or an event (`method`). */
export type CdpMessage = {
  id?: number
  method?: string
  params?: Readonly<Record<string, unknown>>
  result?: Readonly<Record<string, unknown>>
  error?: { code: number; message: string; data?: unknown }
  /** The session of the message; absent for the browser itself. */
  sessionId?: string
}

export type WireListener = {
  message(message: CdpMessage): void
  /** Called once, last. `why` completes the sentence "the connection …". */
  end(why: string): void
}

/** Carries messages to a browser and back: the debugging pipe, or a WebSocket. */
export type Wire = {
  send(message: CdpMessage): void
  /** The browser reads slower than we write: callers that can should await `drained`. */
  isFull(): boolean
  drained(): Promise<void>
  /** Call it once, synchronously after creating the wire: earlier messages are lost. */
  listen(listener: WireListener): void
  /** Disconnects; the listener's `end` follows. */
  end(): void
}
