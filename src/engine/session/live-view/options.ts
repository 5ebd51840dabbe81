import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { TargetInfo } from '../../browser/cdp/shapes.ts'

export type LiveViewOptions = {
  connection: Connection
  viewport: { width: number; height: number }
  log: Pick<Log, 'debug'>
  /** Somebody did something in the session. */
  onActivity(): void
  /** A frame or an address is new; called as often as it happens. */
  onChange(): void
  /** Which targets are pages of the session. */
  isOwn(target: TargetInfo): boolean
  /** The target of the tab that the session's own acts use. */
  current(): string | undefined
  /** Makes that tab the one that the session's own acts use. */
  activate(targetId: string): Promise<void>
  /** 15 by default. */
  maxFps?: number
  /** Of the JPEG pictures, 1 to 100; 60 by default. */
  quality?: number
}
