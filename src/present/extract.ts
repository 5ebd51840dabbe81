import type { Offered } from '../kernel/offer/offered.ts'
import type { Part, Presentation } from '../kernel/operation.ts'
import type { JobResult } from '../schema/workflow/agent.ts'

type Begun = {
  id: string
  job?: JobResult | undefined
  warning?: string | undefined
  invalidURLs?: string[] | undefined
}

/** An extract or agent that was begun: its handle, or what it brought while the caller waited. */
export function presentBegunJob(
  { id, job, warning, invalidURLs = [] }: Begun,
  _input: object,
  offered: Offered,
): Presentation {
  const notes = [
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(invalidURLs.length > 0 ? [`${invalidURLs.length} invalid URLs were skipped.`] : []),
  ]
  if (job)
    return { parts: [...notes.map((text): Part => ({ kind: 'text', text })), ...presentState(job, id, offered).parts] }
  const next = offered.has('crawl_status') ? ` Call crawl_status with {"id":"${id}","wait":60} for its result.` : ''
  const begun = `The job ${id} has started.${next}`
  return { parts: [{ kind: 'text', text: [begun, ...notes].join('\n') }] }
}

/** How far a job is, and its result, whose words are those of the pages. */
export function presentState(job: JobResult, id: string, offered: Offered): Presentation {
  const { data, sources, evidence = [], conflicts = [] } = job
  const origin = Object.values(sources ?? {})[0]?.[0] ?? ''
  return {
    parts: [
      { kind: 'text', text: head(job, id, offered) },
      ...(data === undefined ? [] : [page('result', origin, data)]),
      ...(sources === undefined ? [] : [page('sources', origin, sources)]),
      ...(conflicts.length > 0 ? [page('contradictions', origin, conflicts)] : []),
      ...(evidence.length > 0 ? [page('evidence', origin, evidence)] : []),
    ],
  }
}

function head(job: JobResult, id: string, offered: Offered): string {
  const { status, completed, total, creditsUsed, error, warning, notFound = [], llmMode, sources = {} } = job
  return [
    `Job ${id}: ${status} · ${completed} of ${total} pages · ${creditsUsed} credits`,
    ...(error ? [`Error: ${error}`] : []),
    ...(warning ? [`Warning: ${warning}`] : []),
    ...(notFound.length > 0 ? [`Not found: ${notFound.join(', ')}.`] : []),
    ...(llmMode === 'builtin' && Object.keys(sources).length > 0
      ? ['These are passages of the pages: answer from them yourself, and name the sources.']
      : []),
    ...(status === 'processing'
      ? [`Still running${offered.has('crawl_status') ? '; crawl_status with wait goes on waiting' : ''}.`]
      : []),
  ].join('\n')
}

const page = (label: string, origin: string, value: unknown): Part => ({
  kind: 'page',
  label,
  origin,
  text: JSON.stringify(value, null, 1),
})
