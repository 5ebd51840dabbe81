export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
export type Log = Record<Exclude<LogLevel, 'silent'>, (event: string, facts?: object) => void>

/** Query parameters and header-like fields whose values must never be logged. */
const secretName = /(?:key|token|secret|signature|password|authorization|cookie)$|^(?:sig|auth)$/i

/** Creates a log that writes one JSON line per event. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const from = logLevels.indexOf(level)
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (event: string, facts: object = {}) => {
      if (logLevels.indexOf(name) < from) return
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, event, ...facts }, redact)}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function redact(name: string, value: unknown): unknown {
  if (secretName.test(name)) return '[hidden]'
  if (value instanceof Error)
    return {
      name: value.name,
      message: scrubUrls(value.message),
      stack: value.stack && scrubUrls(value.stack),
      cause: value.cause,
    }
  return typeof value === 'string' ? scrubUrls(value) : value
}

/** Removes user info and secret query values from every URL in a text. */
export function scrubUrls(text: string): string {
  return text
    .replace(/(\w+:\/\/)[^/?#\s]*@/g, '$1')
    .replace(/([?&#])([^=&\s#]+)=([^&\s#"']+)/g, (whole, mark: string, name: string) =>
      secretName.test(name) ? `${mark}${name}=[hidden]` : whole,
    )
}
