import type { Hono } from 'hono'
import { requiredScope } from '../../../contracts/account-ports.ts'
import type { AppError } from '../../../kernel/error.ts'
import { baseUrlOf, type BaseUrlRules } from '../base-url.ts'
import type { HttpEnv } from '../observe.ts'
import { wrongMethod } from './refusal.ts'

export type ProtectedResourceOptions = BaseUrlRules & {
  /** Issuer of the access tokens that are accepted beside API keys. */
  authorizationServer?: string | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
/** REST and MCP, whose metadata is found by its path (RFC 9728, section 3.1). */
const resources = ['', '/mcp'] as const

/** Tells clients where to get a token, open to all. It names the least scope: clients ask for all that they read there. */
export function serveResourceMetadata(app: Hono<HttpEnv>, options: ProtectedResourceOptions): void {
  const { authorizationServer } = options
  if (authorizationServer === undefined) return
  for (const path of resources) {
    app.get(wellKnown + path, (c) =>
      Response.json({
        resource: baseUrlOf(c.req.raw, options) + path,
        authorization_servers: [authorizationServer],
        scopes_supported: [requiredScope],
        bearer_methods_supported: ['header'],
        resource_name: 'Gossamer',
      }),
    )
    app.all(wellKnown + path, (c) => wrongMethod(c.req.method, ['GET']))
  }
}

/** `WWW-Authenticate` of a refusal (RFC 6750, section 3); undefined where a token would not help. */
export function challengeOf(error: AppError, request: Request, options: ProtectedResourceOptions): string | undefined {
  const { status, code, message } = error
  const lacksScope = code === 'INSUFFICIENT_SCOPE'
  if (status !== 401 && !lacksScope) return undefined
  if (options.authorizationServer === undefined) return 'Bearer'
  const path = new URL(request.url).pathname === '/mcp' ? '/mcp' : ''
  const fields = { resource_metadata: baseUrlOf(request, options) + wellKnown + path, scope: requiredScope }
  // Who sent nothing is told no fault.
  const fault = (lacksScope || request.headers.has('authorization')) && {
    error: lacksScope ? 'insufficient_scope' : 'invalid_token',
    error_description: message.replace(/[^ -~]|["\\]/g, ''),
  }
  const pairs = Object.entries({ ...fields, ...fault }).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${pairs.join(', ')}`
}
