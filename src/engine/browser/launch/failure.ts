import { stripVTControlCharacters } from 'node:util'
import { AppError, failure } from '../../../kernel/error.ts'
import { scrubUrls } from '../../../kernel/log.ts'

/** How a start ended: what the system said, or with which code, or not at all in its time. */
export type StartEnd = { error: string } | { code: number | null; signal: string | null } | { afterMs: number }

const maxTextLength = 400
const fatal = /\bFATAL\b/
const telling = /error while loading|not found|not supported|cannot|failed to|No usable sandbox|already in use/i
/** Chromium begins its lines with "[process:thread:time:LEVEL:file] ". */
const logPrefix = /^\[[^\]]*\]\s*/
const libraryMissing = /error while loading shared libraries/i
const noise = /dbus|bluez|vaapi|gcm|crashpad|InitializeSandbox\(\) called/i

/** Chromium's words for a machine where its sandbox cannot work: no user namespaces, or a container that forbids them. */
const sandboxRefused = /No usable sandbox|zygote_host_impl_linux|Failed to move to new namespace|SUID sandbox/i
export const isSandboxRefused = (thrown: unknown): boolean =>
  thrown instanceof AppError && sandboxRefused.test(String(thrown.cause))

/** `cause` holds all of stderr. */
export function startFailure(end: StartEnd, stderr: string): AppError {
  const said = tellingText(stderr)
  return failure('BROWSER_UNAVAILABLE', {
    message: `The browser did not start: ${wordsOf(end)}${said ? `; it said: ${said}` : ''}.`,
    cause: stderr,
    ...(libraryMissing.test(stderr) && {
      hint: 'Install the libraries it needs with "npx playwright-core install-deps chromium-headless-shell" or "apt-get install chromium", or set GOSSAMER_BROWSER_PATH to another browser.',
    }),
  })
}

export function wordsOf(end: StartEnd): string {
  if ('error' in end) return `the system says ${end.error}`
  if ('afterMs' in end) return `it gave no sign of life within ${end.afterMs} ms`
  return end.signal ? `it was ended by ${end.signal}` : `it ended with code ${end.code}`
}

/** The lines of stderr that explain most, in one line and free of control characters and secrets. */
export function tellingText(stderr: string): string {
  const lines = stripVTControlCharacters(stderr)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !noise.test(line))
  const best = [fatal, telling].map((pattern) => lines.filter((line) => pattern.test(line)).slice(0, 2))
  const chosen = best.find((some) => some.length > 0) ?? lines.slice(-2)
  const texts = chosen.map((line) => line.replace(logPrefix, '').replaceAll(/\p{C}/gu, '').trim())
  return scrubUrls(texts.join(' | ')).slice(0, maxTextLength).replace(/\.$/, '')
}
