/** What code is written in. `bash` runs agent-browser commands. */
export type Language = 'node' | 'python' | 'bash'

export type CodeJob = { code: string; timeoutMs: number }

/** What came of running code. Code that fails has run as well: `success` says that it was run, `error` that it failed. */
export type CodeResult = {
  success: true
  stdout: string
  /** The same as stdout; an interact answers with `lastValue` here. */
  result: string
  /** What the last expression came to, as text; null when there is none, and for bash. */
  lastValue: string | null
  stderr: string
  /** 0 = success; null when it was ended from outside. */
  exitCode: number | null
  /** It took too long. */
  killed: boolean
  error?: string
}

export type CodeLimits = {
  /** Memory of all its processes, bytes. */
  maxMemoryBytes: number
  maxProcesses: number
  /** Of stdout, and of stderr; what comes after is left out. */
  maxOutputBytes: number
  /** One message between the code and the browser. */
  maxMessageBytes: number
}

export const defaultLimits: CodeLimits = {
  maxMemoryBytes: 768 * 1024 * 1024,
  maxProcesses: 64,
  maxOutputBytes: 1024 * 1024,
  maxMessageBytes: 128 * 1024 * 1024,
}
