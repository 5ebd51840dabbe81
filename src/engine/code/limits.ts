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
