import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { TargetInfo } from '../../browser/cdp/shapes.ts'

export type LiveViewOptions = {
  connection: Connection
  viewport: { width: number; height: number }
  log: Pick<Log, 'debug'>
  /** A viewer acted in the session. */
  onActivity(): void
  /** A new frame or URL; not throttled. */
  onChange(): void
  /** Whether a target is a page of the session. */
  isOwn(target: TargetInfo): boolean
  /** Target of the session's current tab. */
  current(): string | undefined
  /** Makes a tab the session's current one. */
  activate(targetId: string): Promise<void>
  /** Default: 15. */
  maxFps?: number
  /** JPEG quality, 1 to 100; default: 60. */
  quality?: number
}
