import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import { isRecord } from '../../util/json.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { isSecretHeader } from '../net/http/request-headers.ts'

/** Endpoint and input of a recorded call. */
export type RecordedCall = { endpoint: string; input: Readonly<Record<string, unknown>> }

/** Returns the call that created a job of the team, without secrets; undefined if it was not stored. */
export async function findRecordedCall(
  id: string,
  { ports, team }: Pick<Ctx, 'team'> & { ports: Pick<Ports, 'jobs'> },
): Promise<RecordedCall | undefined> {
  const job = await ports.jobs.find(id)
  if (!job || job.teamId !== team.id || !isRecord(job.replay)) return undefined
  return { endpoint: job.endpoint, input: plainRecord(job.replay) }
}

/** Fails with JOB_NOT_FOUND or JOB_OF_OTHER_TEAM. */
export async function requireOwnJob(
  id: string,
  { ports, team }: Pick<Ctx, 'team'> & { ports: Pick<Ports, 'jobs'> },
): Promise<void> {
  const job = await ports.jobs.find(id)
  if (!job) fail('JOB_NOT_FOUND', { details: { id } })
  if (job.teamId !== team.id) fail('JOB_OF_OTHER_TEAM', { details: { id } })
}

/** Only characters that are valid in a header, because the call is validated again. */
const hidden = '...'

const plainRecord = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, plain(name, value)]))

/** Removes credentials from URLs, and hides the values of secret headers. */
function plain(name: string, value: unknown): unknown {
  if (name === 'url' && typeof value === 'string') return withoutCredentials(value)
  if (Array.isArray(value)) return value.map((each) => plain(name === 'urls' ? 'url' : '', each))
  if (!isRecord(value)) return value
  if (name !== 'headers') return plainRecord(value)
  return Object.fromEntries(
    Object.entries(value).map(([header, text]) => [header, isSecretHeader(header) ? hidden : text]),
  )
}
