/** Objects of the Chrome DevTools Protocol, without unused fields. */
export type Headers = Readonly<Record<string, string>>
export type TargetInfo = {
  targetId: string
  type: string
  title: string
  url: string
  attached: boolean
  openerId?: string
  browserContextId?: string
}
export type Frame = { id: string; parentId?: string; loaderId: string; url: string; name?: string; mimeType: string }
export type FrameTree = { frame: Frame; childFrames?: FrameTree[] }
export type RemoteObject = {
  type: string
  subtype?: string
  className?: string
  value?: unknown
  unserializableValue?: string
  description?: string
  objectId?: string
}
export type ExceptionDetails = { text: string; lineNumber: number; columnNumber: number; exception?: RemoteObject }
export type Evaluated = { result: RemoteObject; exceptionDetails?: ExceptionDetails }
export type Cookie = {
  name: string
  value: string
  domain: string
  path: string
  expires: number
  httpOnly: boolean
  secure: boolean
  session: boolean
  sameSite?: 'Strict' | 'Lax' | 'None'
  partitionKey?: { topLevelSite: string; hasCrossSiteAncestor: boolean }
}
export type CookieParam = Partial<Cookie> & { name: string; value: string; url?: string }
export type NetworkRequest = { url: string; method: string; headers: Headers; postData?: string }
export type NetworkResponse = {
  url: string
  status: number
  statusText: string
  headers: Headers
  mimeType: string
  charset?: string
  fromDiskCache?: boolean
  fromServiceWorker?: boolean
  remoteIPAddress?: string
}
export type BrandVersion = { brand: string; version: string }
export type UserAgentMetadata = {
  brands?: readonly BrandVersion[]
  fullVersionList?: readonly BrandVersion[]
  platform: string
  platformVersion: string
  architecture: string
  model: string
  mobile: boolean
  bitness?: string
}

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
