import type { CodeJob } from '../../../contracts/session.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { Reach } from '../cdp-allowed.ts'
import type { Execution } from '../execution.ts'
import type { CodeLimits } from '../limits.ts'

/** What the program says when its code has come to an end. */
export type Done = { lastValue?: string | null; error?: string }
/** Code ends with its browser. */
export const browserGone: Done = { error: 'The browser of the session is gone.' }
/** The other end of a program's descriptor 3. */
export type Channel = {
  /** Hands over the code; resolves when the program has said how it ended, never if it just ends. */
  begin(job: CodeJob): Promise<Done>
  end(): Promise<void>
}
export type ChannelOptions = {
  connection: Pick<Connection, 'client'>
  reach: Reach
  limits: CodeLimits
  /** The page that is looked at. */
  pageId(): string | undefined
}
export type OpenChannel = (execution: Execution, options: ChannelOptions) => Channel

/** How long one step may wait: less than the code itself, so that the answer tells what it waited for. */
export const actionTimeoutMs = (timeoutMs: number) => Math.min(30_000, Math.max(timeoutMs - 1000, timeoutMs / 2))

/** What a command of agent-browser came to. */
export type Ran = {
  exitCode: number
  stdout: string
  stderr: string
  /** For the caller to write: the files of code are its own. */
  file?: { path: string; base64: string }
}

/** The commands of one session. What they know of each other lasts as long as this. */
export type Commands = {
  /** `input` is what it may read. The signal says that nobody waits any more. agent-browser itself has a time limit of its own. Rejects when the browser is gone. */
  run(args: readonly string[], options: { input: string; timeoutMs: number; signal: AbortSignal }): Promise<Ran>
  close(): Promise<void>
}
