import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import type { Team } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { HttpEnv } from './observe-requests.ts'
import { wrongMethod } from './responses.ts'

export type Metrics = {
  /** Metrics in the text format of Prometheus. */
  exposition(): Promise<string>
  /** Grants access to the metrics only. */
  token: string | undefined
}

const metricsPath = '/metrics'
/** Version of the text format. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Counters of the program. They cover all teams, so they need the metrics token or the admin key. */
export function serveMetrics(
  app: Hono<HttpEnv>,
  { exposition, token }: Metrics,
  authenticated: (request: Request) => Promise<Team>,
): void {
  app.get(metricsPath, async (c) => {
    if (!isToken(c.req.header('authorization'), token)) refuseOthers(await authenticated(c.req.raw))
    return new Response(await exposition(), { headers: { 'content-type': contentType } })
  })
  app.all(metricsPath, (c) => wrongMethod(c.req.method, ['GET']))
}

function refuseOthers({ permissions }: Team): void {
  if (permissions.includes('admin')) return
  fail('PERMISSION_REQUIRED', {
    message: 'Metrics tell of all teams, so they need the admin key of the server or the token of metrics.',
    hint: 'Send the key of GOSSAMER_ADMIN_KEY or the token of GOSSAMER_METRICS_TOKEN.',
    details: { permissions: ['admin'] },
  })
}

/** Digests have equal length, so the comparison takes constant time. */
function isToken(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined || authorization === undefined) return false
  return timingSafeEqual(digest(authorization.replace(/^Bearer /i, '')), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
