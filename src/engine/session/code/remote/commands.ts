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
  /** Rejects when the browser is gone, or with the signal's reason. */
  run(args: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<Ran>
  close(): Promise<void>
}
