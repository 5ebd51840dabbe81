import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { CheckAnswer, CheckDetail, PageStatus } from '../../schema/monitor-schema.ts'
import { checkAnswer } from './answers.ts'
import { authorizeMonitor } from './manage.ts'
import type { CheckRequest, CheckResult } from './settings.ts'

type ChecksQuery = { id: string; limit: number; offset: number; status?: CheckAnswer['status'] | undefined }

/** The checks of a monitor, newest first. */
export async function listChecks({ id, limit, offset, status }: ChecksQuery, ctx: Ctx) {
  await authorizeMonitor(id, ctx)
  const all = (await ctx.ports.monitors.checks(id)).map(checkAnswer)
  const wanted = all.filter((check) => status === undefined || check.status === status)
  return { data: wanted.slice(offset, offset + limit), pagination: { limit, offset, total: wanted.length } }
}

type CheckQuery = { id: string; checkId: string; skip: number; limit: number; status?: PageStatus | undefined }

/** One check with a part of its pages. Reading it has it go on, should nobody be at it. Fails with JOB_NOT_FOUND. */
export async function getCheck(query: CheckQuery, ctx: Ctx): Promise<{ data: CheckDetail; next: string | null }> {
  const { id, checkId, skip, limit, status } = query
  await authorizeMonitor(id, ctx)
  const found = await ctx.ports.workflows.find(checkId)
  if (found?.kind !== 'monitor' || (found.request as CheckRequest).monitorId !== id)
    return fail('JOB_NOT_FOUND', { details: { id: checkId } })
  if (found.status === 'processing') ctx.ports.workflowRunner.wake()
  const { pages = [], targetResults = [] } = (found.result ?? {}) as Partial<CheckResult>
  const wanted = pages.filter((page) => status === undefined || page.status === status)
  const end = skip + limit
  const only = status === undefined ? '' : `&status=${status}`
  const path = `/v2/monitor/${id}/checks/${checkId}?skip=${end}&limit=${limit}${only}`
  const next = end < wanted.length ? `${ctx.baseUrl}${path}` : null
  const shown = wanted.slice(skip, end)
  return {
    data: { ...checkAnswer(found), targetResults: targetResults.map((each) => ({ ...each })), pages: shown, next },
    next,
  }
}
