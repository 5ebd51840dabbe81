import type { CodeJob } from '../../../contracts/session.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { Reach } from '../cdp-allowed.ts'
import type { Execution } from '../execution.ts'
import type { CodeLimits } from '../limits.ts'

/** How the code ended, as reported by its process. */
export type CodeOutcome = { lastValue?: string | null; error?: string }
export const browserGone: CodeOutcome = { error: 'The browser of the session is gone.' }
/** Our end of a process's file descriptor 3. */
export type Channel = {
  /** Sends the code; resolves with its reported outcome, never if the process just exits. */
  begin(job: CodeJob): Promise<CodeOutcome>
  end(): Promise<void>
}
export type ChannelOptions = {
  connection: Pick<Connection, 'client'>
  reach: Reach
  limits: CodeLimits
  /** Target of the current tab. */
  pageId(): string | undefined
}
export type OpenChannel = (execution: Execution, options: ChannelOptions) => Channel

/** Timeout of one Playwright action: below that of the code, so that the error names what it waited for. */
export const actionTimeoutMs = (timeoutMs: number) => Math.min(30_000, Math.max(timeoutMs - 1000, timeoutMs / 2))

export type CommandResult = {
  exitCode: number
  stdout: string
  stderr: string
  /** Written by the caller, inside the sandbox of the code. */
  file?: { path: string; base64: string }
}

/** The agent-browser of one session; its state lasts as long as this. */
export type Commands = {
  /** `input` is its stdin. Aborting means that nobody waits for the result. The installed agent-browser has its own timeout. Rejects when the browser is gone. */
  run(
    args: readonly string[],
    options: { input: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<CommandResult>
  close(): Promise<void>
}
