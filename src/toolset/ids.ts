import type { z } from 'zod'
import type { IdSource } from '../kernel/offer/prompt.ts'
import activity from '../operations/activity.ts'
import browserList from '../operations/browser-list.ts'

const jobs = (input: object): IdSource => ({
  operation: activity,
  input: { limit: 100, ...input },
  idsIn: (output) => (output as z.output<typeof activity.output>).data.map(({ id }) => id),
})

/** By the argument that they are proposed for. */
export const idSources: Readonly<Record<string, IdSource>> = {
  job: jobs({}),
  jobId: jobs({ endpoint: 'scrape', status: 'completed' }),
  sessionId: {
    operation: browserList,
    input: { status: 'active' },
    idsIn: (output) =>
      (output as z.output<typeof browserList.output>).sessions
        .toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
        .map(({ id }) => id),
  },
}
