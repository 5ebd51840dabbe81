import type { ErrorCode } from '../../../src/kernel/error.ts'
import type { byOneCall } from './one-call.ts'

/**
 * Test file of each error that one call cannot raise: an error of the request itself, or one that needs earlier calls,
 * another machine or a certain transport. test/operations/errors.test.ts tests every code over REST and MCP. A new error
 * code does not compile without an entry here or in `byOneCall`.
 */
export const elsewhere: Readonly<Record<Exclude<ErrorCode, keyof typeof byOneCall>, string>> = {
  BAD_REQUEST_INVALID_JSON: 'test/http/http.test.ts',
  UNAUTHORIZED: 'test/http/http.test.ts',
  INSUFFICIENT_SCOPE: 'test/http/protected-resource.test.ts',
  AUTHORIZATION_UNAVAILABLE: 'test/http/protected-resource.test.ts',
  ORIGIN_REFUSED: 'test/http/endpoints.test.ts',
  NOT_FOUND: 'test/http/http.test.ts',
  METHOD_NOT_ALLOWED: 'test/http/http.test.ts',
  PAYLOAD_TOO_LARGE: 'test/http/http.test.ts',
  IDEMPOTENCY_KEY_REUSED: 'test/operations/idempotency.test.ts',
  REQUEST_CANCELLED: 'test/http/server.test.ts',
  DATABASE_UNAVAILABLE: 'test/e2e/cluster-outage.test.ts',
  DATABASE_DAMAGED: 'test/store/open-store.test.ts',
  TEAM_DISABLED: 'test/e2e/admin.test.ts',
  OBJECT_STORE_UNAVAILABLE: 'test/e2e/objects.test.ts',
  STORAGE_FULL: 'test/e2e/full-disk.test.ts',
  SUPPORT_TIMEOUT: 'test/support/ask/limits.test.ts',
  SANDBOX_UNAVAILABLE: 'test/e2e/sessions-team-code.test.ts',
  UNKNOWN_ERROR: 'test/http/http.test.ts',
  REMOTE_UNAVAILABLE: 'test/http/remote.test.ts',
  RATE_LIMITED: 'test/attack/quotas.test.ts',
  QUEUE_FULL: 'test/middleware/limit-concurrency.test.ts',
  SESSION_LIMIT: 'test/e2e/sessions.test.ts',
  SESSION_GONE: 'test/e2e/sessions-mcp.test.ts',
  SESSION_FAILED: 'test/e2e/sessions-faults.test.ts',
  PROFILE_IN_USE: 'test/e2e/sessions-profile.test.ts',
  PROFILE_UNREADABLE: 'test/browser/profile-store.test.ts',
  MODEL_UNAVAILABLE: 'test/operations/interact.test.ts',
  MODEL_FAILED: 'test/model/misbehaving.test.ts',
  MODEL_TIMEOUT: 'test/model/misbehaving.test.ts',
  SCRAPE_ACTION_ERROR: 'test/browser/actions.test.ts',
  SCRAPE_JOB_CANCELLED: 'test/engine/scrape.test.ts',
  CRAWL_DENIAL: 'test/agent/agent.test.ts',
  NO_PAGE_READ: 'test/operations/extract.test.ts',
}
