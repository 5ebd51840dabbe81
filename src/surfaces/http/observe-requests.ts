import type { MiddlewareHandler } from 'hono'
import type { Rate } from '../../kernel/ctx.ts'
import type { Log } from '../../kernel/log.ts'

export type HttpEnv = { Variables: { requestId: string; jobId: string | undefined; rate: Rate | undefined } }

const saneId = /^[\w.:-]{1,128}$/

/** Responses are data for one caller: never cached, framed, sniffed, or used as scripts. */
const standing: readonly [string, string][] = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
]

/** Gives each request an id and a log line: no query, no headers, no body. */
export function observe(log: Log): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = performance.now()
    const sent = c.req.header('x-request-id') ?? ''
    const requestId = saneId.test(sent) ? sent : crypto.randomUUID()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('x-request-id', requestId)
    const ms = Math.round(performance.now() - start)
    const { method, path } = c.req
    const jobId = c.get('jobId')
    log.info('request', {
      method,
      path: loggedPath(path),
      status: c.res.status,
      ms,
      requestId,
      ...(jobId && { jobId }),
    })
  }
}

/** A route may override a header by setting it; its own policy also decides who may frame it. */
export const harden: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  const frames = headers.get('content-security-policy')?.includes('frame-ancestors') ?? false
  for (const [name, value] of standing)
    if (!headers.has(name) && !(frames && name === 'x-frame-options')) headers.set(name, value)
}

/** Removes secrets from a path for the log: the segment after these names, anywhere in the path. */
export const loggedPath = (path: string): string => path.replace(/(^|\/)(cdp|live|files)\/+[^/]+/gi, '$1$2/…')
