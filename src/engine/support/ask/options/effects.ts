import { createDocsIndex } from '../../docs/search.ts'
import type { Diagnosis, Effect, JobCase } from '../case.ts'
import { tellingOf } from '../about.ts'
import { fieldsOf, isSet } from './of-schema.ts'
import type { Question } from '../question.ts'
import { effectsOfJobs } from '../rules/effects-of-jobs.ts'
import { effectsOfPages } from '../rules/effects-of-pages.ts'

const effects: readonly Effect[] = [...effectsOfPages, ...effectsOfJobs]
/** Of the question's telling words, what must be about the effect. */
const leastTold = 0.4
const mostEffects = 4

let index: ReturnType<typeof createDocsIndex> | undefined
const openIndex = () =>
  createDocsIndex(effects.map(({ id, asked }) => ({ path: id, text: `# ${asked}\n\n<!-- asked as: ${asked} -->` })))

/** The effects that a question is about and a job may have, with how well they fit: up to 6, as rules are scored. */
export function effectsFor({ words, namesField }: Question, jobs: readonly JobCase[]) {
  index ??= openIndex()
  const hits = index.find(tellingOf(words)).filter(({ coverage }) => coverage >= leastTold)
  return hits.slice(0, mostEffects).flatMap(({ section: { path }, coverage }, place) => {
    const effect = effects.find(({ id }) => id === path)
    const found = effect && newestWith(effect, jobs)
    if (!effect || !found) return []
    const { diagnosis, job } = found
    const fields = fieldsOf(diagnosis, job)
    const names = fields.some(namesField) ? 1.5 : 0
    const own = fields.some((field) => isSet(job.endpoint, job.input ?? {}, field)) ? 1 : 0
    return [{ rule: effect.id, score: 2 + 4 * coverage - place * 0.25 + names + own, ...found }]
  })
}

function newestWith(
  { of, finds }: Effect,
  jobs: readonly JobCase[],
): { diagnosis: Diagnosis; job: JobCase } | undefined {
  const newest = jobs.toSorted((one, other) => other.createdAt - one.createdAt)
  for (const job of newest) {
    // Of a batch nothing is kept but its pages.
    const input = job.input ?? job.request ?? (job.endpoint === 'batch_scrape' ? {} : undefined)
    const diagnosis = input && !job.pageOf && of.includes(job.endpoint) ? finds(input, job) : undefined
    if (diagnosis) return { diagnosis, job }
  }
  return undefined
}
