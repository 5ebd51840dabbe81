import type { ErrorCode } from '../../../src/kernel/error.ts'
import type { byHttp } from './by-http.ts'
import type { byOneCall } from './one-call.ts'
import type { bySituation } from './situations.ts'

type MadeHere = keyof typeof byOneCall | keyof typeof bySituation | keyof typeof byHttp

/** Tests that make the error, and why they are not these: it takes another machine, or a road on which it cannot be. */
type Elsewhere = { in: readonly string[]; because: string }

/** A new error does not compile without being made here, or its reason. */
export const elsewhere: Readonly<Record<Exclude<ErrorCode, MadeHere>, Elsewhere>> = {
  BAD_REQUEST_INVALID_JSON: {
    in: ['test/http/http.test.ts'],
    because: 'over MCP a body that is no JSON is a parse error of JSON-RPC (-32700), which knows no codes of ours',
  },
  IDEMPOTENCY_KEY_REUSED: {
    in: ['test/operations/idempotency.test.ts'],
    because: 'the key is a header of REST; tools take none',
  },
  REQUEST_CANCELLED: {
    in: ['test/http/server.test.ts'],
    because: 'whoever cancels hears no answer: over REST the connection is closed, and MCP forbids one',
  },
  DATABASE_UNAVAILABLE: {
    in: ['test/e2e/cluster-outage.test.ts'],
    because: 'it takes a PostgreSQL server to lose, which not every machine has; made there over both',
  },
  OBJECT_STORE_UNAVAILABLE: {
    in: ['test/e2e/objects.test.ts'],
    because: 'only links to files are answered from there, which are no calls of an operation',
  },
  STORAGE_FULL: {
    in: ['test/e2e/full-disk.test.ts'],
    because: 'it takes a small disk, which some machines do not allow to make; made there over both',
  },
  SUPPORT_TIMEOUT: {
    in: ['test/support/ask/limits.test.ts'],
    because: 'each part of a diagnosis ends in time of its own; only one that hangs against all limits is cut off',
  },
  SANDBOX_UNAVAILABLE: {
    in: ['test/e2e/sessions-team-code.test.ts'],
    because: 'it takes a machine without a sandbox, which some machines do not allow to make; made there over both',
  },
}
