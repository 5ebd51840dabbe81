import type { Protocol } from 'devtools-protocol'
import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { People } from '../people/people.ts'
import type { Metrics } from '../../browser/emulation/emulate.ts'

/** How long the session goes on. */
export type Life = {
  /** When it ends by itself as things are, ms since the epoch. */
  endsAt(): number
  /** False when it has all the time that there is. */
  extend(): boolean
  end(): void
}
export type LiveViewOptions = {
  connection: Connection
  viewport: { width: number; height: number }
  /** Of the session's tabs, where they differ from the viewport. */
  metrics?: Metrics | undefined
  /** Why our own proxy refused a URL. */
  proxyErrorOf?: ((url: string) => unknown) | undefined
  log: Pick<Log, 'debug'>
  /** What the people know of agents, and agents of them. */
  people: People
  life: Life
  /** A viewer acted in the session. */
  onActivity(): void
  /** A new frame or URL; not throttled. */
  onChange(): void
  /** Whether a target is a page of the session. */
  isOwn(target: Protocol.Target.TargetInfo): boolean
  /** Target of the session's current tab. */
  current(): string | undefined
  /** Makes a tab the session's current one. */
  activate(targetId: string): Promise<void>
  /** Default: 15. */
  maxFps?: number
  /** JPEG quality, 1 to 100; default: 60. */
  quality?: number
}
