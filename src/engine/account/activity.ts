import { z } from 'zod'
import type { JobStatus } from '../../contracts/job-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { errors } from '../../kernel/error-table.ts'
import { type ErrorCode, fail } from '../../kernel/error.ts'
import type { Endpoint } from '../../schema/team.ts'

/** How far back activity goes (spec: the last 24 hours). */
const activityWindowMs = 86_400_000
const Position = z.object({ createdAt: z.number(), id: z.string() })

export type ActivityQuery = {
  endpoint?: Endpoint | undefined
  status?: JobStatus | undefined
  limit: number
  cursor?: string | undefined
}

/** The team's jobs of the last 24 hours, newest first, a page at a time. */
export async function listActivity(
  ports: Pick<Ports, 'jobs' | 'clock'>,
  query: ActivityQuery,
  { team }: Pick<Ctx, 'team'>,
) {
  const rows = await ports.jobs.activity({
    teamId: team.id,
    since: ports.clock.now() - activityWindowMs,
    limit: query.limit + 1,
    ...(query.endpoint && { endpoint: query.endpoint }),
    ...(query.status && { status: query.status }),
    ...(query.cursor !== undefined && { before: fromCursor(Position, query.cursor) }),
  })
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const hasMore = rows.length > query.limit
  return {
    data: page.map(({ id, endpoint, createdAt, target, status, errorCode }) => ({
      id,
      endpoint: endpoint as Endpoint,
      api_version: 'v2',
      created_at: new Date(createdAt).toISOString(),
      target,
      status,
      ...(errorCode !== null && faultOf(errorCode)),
    })),
    cursor: hasMore && last ? toCursor({ createdAt: last.createdAt, id: last.id }) : null,
    has_more: hasMore,
  }
}

/** A code may be one of an earlier version. */
const faultOf = (code: string): { code: string; error?: string } =>
  isErrorCode(code) ? { code, error: errors[code].message } : { code }
const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

/** Opaque paging cursors: callers hand them back unread, so what is inside can change. */
export function toCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** The position inside a cursor of that shape; anything else fails with BAD_REQUEST. */
export function fromCursor<T>(shape: z.ZodType<T>, cursor: string): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    return fail('BAD_REQUEST', {
      message: 'The cursor is not valid.',
      hint: 'Send the cursor exactly as the previous answer returned it, or leave it out to start again.',
      details: [{ path: 'cursor', message: 'Expected the cursor of an earlier answer', code: 'custom' }],
    })
  }
}

/** What runs and waits for the team in this process, and when a job last ended well (within a day). */
export async function queueStatus(ports: Pick<Ports, 'account' | 'jobs' | 'clock'>, { team }: Pick<Ctx, 'team'>) {
  const { active, waiting } = await ports.account.load(team.id)
  const [latest] = await ports.jobs.activity({
    teamId: team.id,
    since: ports.clock.now() - activityWindowMs,
    limit: 1,
    status: 'completed',
  })
  return {
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: (await ports.account.limitsOf(team.id)).maxConcurrency,
    mostRecentSuccess: latest ? new Date(latest.createdAt).toISOString() : null,
  }
}
