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
