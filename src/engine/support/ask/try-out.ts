import { createScope } from '../../crawl/scope/scope.ts'
import type { Diagnosis, JobCase, Outcome, PageFacts, Parameters, Trial, Validation } from './case.ts'
import { type Bench, scrapeAgain } from './scrape-again.ts'

export type Tried = { validation: Validation; outcome?: Outcome }
type ScrapeTrial = Extract<Trial, { kind: 'scrape' }>
type LinksTrial = Extract<Trial, { kind: 'links' }>

/** Finds out whether what is advised helps. */
export async function tryOut({ trial, parameters = {} }: Diagnosis, job: JobCase, bench: Bench): Promise<Tried> {
  if (!trial) return skipped('There was nothing to run again.')
  if (trial.kind === 'check') return { validation: await trial.run() }
  return trial.kind === 'links' ? tryLinks(trial, job, bench) : tryScrape(trial, trial.change ?? parameters, job, bench)
}

async function tryScrape(trial: ScrapeTrial, change: Parameters, job: JobCase, bench: Bench): Promise<Tried> {
  if (trial.helps && job.page?.characters === undefined)
    return skipped('The job did not ask for markdown, so there is nothing to compare a test with.')
  const begun = performance.now()
  const outcome = await scrapeAgain(job, change, bench)
  if (typeof outcome === 'string') return skipped(outcome)
  const { page } = outcome
  const hasHelped = page !== undefined && isReadable(page) && (!trial.helps || !job.page || trial.helps(page, job.page))
  const evidence = `Scraped again ${told(change)} in ${Math.round(performance.now() - begun)} ms: ${resultOf(outcome)}. Before: ${before(job)}.`
  return { validation: { tested: true, result: hasHelped ? 'success' : 'failure', evidence }, outcome }
}

const skipped = (evidence: string): Tried => ({ validation: { tested: false, result: 'skipped', evidence } })

function told(change: Parameters): string {
  const parts = Object.entries(change).map(([name, value]) =>
    value === null ? `without ${name}` : `with ${name} ${JSON.stringify(value)}`,
  )
  return parts.join(' and ') || 'as it was'
}

const resultOf = ({ page, error }: Outcome) => (error ? error.code : shown(page))
const before = ({ code, page }: JobCase) => code ?? (page ? shown(page) : 'no page')
const shown = ({ status, characters, isWall }: PageFacts) =>
  [
    `status ${status}`,
    ...(characters === undefined ? [] : [`${characters} characters`]),
    ...(isWall ? ['a bot check'] : []),
  ].join(', ')

const isReadable = ({ status, isWall, isEmpty, matchesNothing, characters = 0 }: PageFacts) =>
  status < 400 && !isWall && !isEmpty && !matchesNothing && characters > 0

/** Whether the start page leads to more pages by the new options than the crawl had. */
async function tryLinks({ options }: LinksTrial, job: JobCase, bench: Bench): Promise<Tried> {
  const outcome = await scrapeAgain(job, { formats: ['links'] }, bench)
  if (typeof outcome === 'string') return skipped(outcome)
  const { page, error } = outcome
  if (error)
    return {
      validation: { tested: true, result: 'failure', evidence: `The start page could not be read: ${error.code}.` },
      outcome,
    }
  const scope = await createScope({ ...options, bases: [options.url, page.finalUrl] }, () => {})
  const keys = page.links.flatMap((link) => {
    const verdict = scope.judge(link, 1, 'link')
    return 'page' in verdict ? [verdict.page.key] : []
  })
  const count = new Set([...keys, scope.keyOf(options.url)]).size
  const had = job.crawl?.counts.done ?? 0
  const evidence = `Read the start page and judged its links by the new options: ${count} pages, where the crawl had ${had}.`
  return { validation: { tested: true, result: count > had ? 'success' : 'failure', evidence }, outcome }
}
