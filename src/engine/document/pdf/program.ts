import { spawn } from 'node:child_process'

const maxOutputBytes = 100_000_000
const maxTimeMs = 120_000

/**
 * Runs a program of this machine with bytes on its stdin, and gives what it writes; undefined when there is no such
 * program or it fails. No shell, no files; what it was told to do ends with its stdin, output cap or time.
 */
export function outputOf(command: string, args: readonly string[], input: Uint8Array): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let bytes = 0
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: maxTimeMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  child.once('error', () => resolve(undefined))
  child.once('close', (code) => resolve(code === 0 && bytes <= maxOutputBytes ? Buffer.concat(chunks) : undefined))
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > maxOutputBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  // A program may end before it has read everything; its exit code says whether that was a failure.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}
