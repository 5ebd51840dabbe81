import { createScope } from '../../crawl/scope/scope.ts'
import type { JobCase, Outcome, PageFacts, Parameters, Trial, Validation } from './case.ts'
import { type Bench, scrapeAgain } from './scrape-again.ts'

export type Tried = { validation: Validation; outcome?: Outcome }
type Change = { set: Parameters; drop: readonly string[] }

/** Finds out whether what is advised helps. */
export async function tryOut(trial: Trial, job: JobCase, bench: Bench): Promise<Tried> {
  if (trial.kind === 'check') return { validation: await trial.run() }
  const change: Change =
    trial.kind === 'links'
      ? { set: { formats: ['links'] }, drop: [] }
      : { set: trial.set ?? {}, drop: trial.drop ?? [] }
  const begun = performance.now()
  const outcome = await scrapeAgain(job, change, bench)
  if (typeof outcome === 'string') return { validation: { tested: false, result: 'skipped', evidence: outcome } }
  if (trial.kind === 'links') return { validation: await linksProve(trial, job, outcome), outcome }
  const { helps = () => true } = trial
  const hasHelped = outcome.page !== undefined && isReadable(outcome.page) && helps(outcome.page)
  const evidence = `Scraped again ${told(change)} in ${Math.round(performance.now() - begun)} ms: ${resultOf(outcome)}. Before: ${before(job)}.`
  return { validation: { tested: true, result: hasHelped ? 'success' : 'failure', evidence }, outcome }
}

function told({ set, drop }: Change): string {
  const parts = [
    ...Object.entries(set).map(([name, value]) => `with ${name} ${JSON.stringify(value)}`),
    ...drop.map((name) => `without ${name}`),
  ]
  return parts.join(' and ') || 'as it was'
}

const resultOf = ({ page, error }: Outcome) => (error ? error.code : shown(page))
const before = ({ code, page }: JobCase) => code ?? (page ? shown(page) : 'no page')
const shown = ({ status, characters, isWall }: PageFacts) =>
  `status ${status}, ${characters} characters${isWall ? ', a bot check' : ''}`

const isReadable = ({ status, isWall, isEmpty, matchesNothing, characters }: PageFacts) =>
  status < 400 && !isWall && !isEmpty && !matchesNothing && characters > 0

/** Whether the start page leads to more pages by the new options than the crawl had. */
async function linksProve(
  { options }: Extract<Trial, { kind: 'links' }>,
  { crawl }: JobCase,
  { page, error }: Outcome,
): Promise<Validation> {
  if (error) return { tested: true, result: 'failure', evidence: `The start page could not be read: ${error.code}.` }
  const scope = await createScope({ ...options, bases: [options.url, page.finalUrl] }, () => {})
  const keys = page.links.flatMap((link) => {
    const verdict = scope.judge(link, 1, 'link')
    return 'page' in verdict ? [verdict.page.key] : []
  })
  const count = new Set([...keys, scope.keyOf(options.url)]).size
  const had = crawl?.counts.done ?? 0
  const evidence = `Read the start page and judged its links by the new options: ${count} pages, where the crawl had ${had}.`
  return { tested: true, result: count > had ? 'success' : 'failure', evidence }
}
