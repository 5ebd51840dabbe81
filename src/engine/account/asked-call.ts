import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { isRecord } from '../../util/json.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { isSecretHeader } from '../net/http/request-headers.ts'

/** What was asked for, by the kind of the job. */
export type AskedCall = { endpoint: string; input: Readonly<Record<string, unknown>> }

/** The call that a job of the team was made by, without secrets; undefined where that was not kept. */
export async function askedCall(
  id: string,
  { ports, team }: Pick<Ctx, 'team'> & { ports: Pick<Ports, 'jobs'> },
): Promise<AskedCall | undefined> {
  const job = await ports.jobs.find(id)
  if (!job || job.teamId !== team.id || !isRecord(job.replay)) return undefined
  return { endpoint: job.endpoint, input: plainRecord(job.replay) }
}

const hidden = '…'

const plainRecord = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, plain(name, value)]))

/** Headers that prove who somebody is are named, without their values. */
function plain(name: string, value: unknown): unknown {
  if (name === 'url' && typeof value === 'string') return withoutCredentials(value)
  if (Array.isArray(value)) return value.map((each) => plain(name === 'urls' ? 'url' : '', each))
  if (!isRecord(value)) return value
  if (name !== 'headers') return plainRecord(value)
  return Object.fromEntries(
    Object.entries(value).map(([header, text]) => [header, isSecretHeader(header) ? hidden : text]),
  )
}
