import { stripVTControlCharacters } from 'node:util'
import { AppError, failure } from '../../../kernel/error.ts'
import { scrubUrls } from '../../../kernel/log.ts'

/** How a start ended: with a system error, an exit code or signal, or not within its time. */
export type StartOutcome = { error: string } | { code: number | null; signal: string | null } | { afterMs: number }

const maxTextLength = 400
const fatal = /\bFATAL\b/
const explanation = /error while loading|not found|not supported|cannot|failed to|No usable sandbox|already in use/i
/** Chromium begins its lines with "[process:thread:time:LEVEL:file] ". */
const logPrefix = /^\[[^\]]*\]\s*/
const libraryMissing = /error while loading shared libraries/i
const noise = /dbus|bluez|vaapi|gcm|crashpad|InitializeSandbox\(\) called/i

/** What Chromium prints where its sandbox cannot work: no user namespaces, or a container that forbids them. */
const sandboxRefused = /No usable sandbox|zygote_host_impl_linux|Failed to move to new namespace|SUID sandbox/i
export const isSandboxRefused = (thrown: unknown): boolean =>
  thrown instanceof AppError && sandboxRefused.test(String(thrown.cause))

/** `cause` holds all of stderr. */
export function startError(end: StartOutcome, stderr: string): AppError {
  const output = summarizeStderr(stderr)
  return failure('BROWSER_UNAVAILABLE', {
    message: `The browser did not start: ${describeOutcome(end)}${output ? `; it said: ${output}` : ''}.`,
    cause: stderr,
    ...(libraryMissing.test(stderr) && {
      hint: 'Install the libraries it needs with "npx playwright-core install-deps chromium-headless-shell" or "apt-get install chromium", or set GOSSAMER_BROWSER_PATH to another browser.',
    }),
  })
}

export function describeOutcome(end: StartOutcome): string {
  if ('error' in end) return `the system says ${end.error}`
  if ('afterMs' in end) return `it gave no sign of life within ${end.afterMs} ms`
  return end.signal ? `it was ended by ${end.signal}` : `it ended with code ${end.code}`
}

/** The most telling lines of stderr in one line, without control characters and secrets. */
export function summarizeStderr(stderr: string): string {
  const lines = stripVTControlCharacters(stderr)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !noise.test(line))
  const best = [fatal, explanation].map((pattern) => lines.filter((line) => pattern.test(line)).slice(0, 2))
  const chosen = best.find((matching) => matching.length > 0) ?? lines.slice(-2)
  const texts = chosen.map((line) => line.replace(logPrefix, '').replaceAll(/\p{C}/gu, '').trim())
  return scrubUrls(texts.join(' | ')).slice(0, maxTextLength).replace(/\.$/, '')
}
