import { z } from 'zod'
import type { Ctx } from '../../core/ctx.ts'
import { fromCursor, toCursor } from '../../core/cursor.ts'
import type { Endpoint } from '../../core/operation.ts'
import type { Ports } from '../../core/ports.ts'

/** How far back activity goes (spec: the last 24 hours). */
export const activityWindowMs = 86_400_000
const Position = z.object({ createdAt: z.number(), id: z.string() })

export type ActivityQuery = { endpoint?: Endpoint | undefined; limit: number; cursor?: string | undefined }

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
    ...(query.cursor !== undefined && { before: fromCursor(Position, query.cursor) }),
  })
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const hasMore = rows.length > query.limit
  return {
    data: page.map(({ id, endpoint, createdAt, target }) => ({
      id,
      endpoint: endpoint as Endpoint,
      api_version: 'v2',
      created_at: new Date(createdAt).toISOString(),
      target,
    })),
    cursor: hasMore && last ? toCursor({ createdAt: last.createdAt, id: last.id }) : null,
    has_more: hasMore,
  }
}
