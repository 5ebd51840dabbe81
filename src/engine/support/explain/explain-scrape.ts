import type {
  BrowserReason,
  CacheFinding,
  CacheSkip,
  LeftOut,
  ScrapeStep,
  StepReporter,
} from '../../../contracts/scrape-step.ts'
import { counted, durationText } from '../../../util/amounts.ts'
import type { AppError } from '../../../kernel/error.ts'
import type { Document } from '../../../schema/scrape/document.ts'

/** A step with its duration in ms. */
type TimedStep = ScrapeStep & { ms: number }

/** Steps and result of a scrape. */
export type Explanation = {
  url: string
  /** Empty if a remote service did the work: it reports only its response. */
  steps: readonly TimedStep[]
  tookMs: number
  answer?: Answer
  error?: { code: string; message: string }
}
type Answer = Pick<Document['metadata'], 'statusCode' | 'url' | 'cacheState' | 'cachedAt' | 'creditsUsed'> & {
  warning?: string | undefined
  /** Time spent waiting for a free slot of the team, before the first step. */
  queuedMs?: number | undefined
}

/** Collects the steps of one scrape. `now` returns a time in ms; only differences matter. */
export function gatherSteps(
  url: string,
  now: () => number,
): { reportStep: StepReporter; explained(ended: { document: Document } | { error: AppError }): Explanation } {
  const steps: TimedStep[] = []
  const startedAt = now()
  let last = startedAt
  return {
    reportStep(step) {
      const at = now()
      steps.push({ ...step, ms: Math.round(at - last) })
      last = at
    },
    explained: (ended) => ({
      url,
      steps,
      tookMs: Math.round(now() - startedAt),
      ...('error' in ended
        ? { error: { code: ended.error.code, message: ended.error.message } }
        : { answer: answerOf(ended.document) }),
    }),
  }
}

function answerOf({ metadata, warning }: Document): Answer {
  const { statusCode, url, cacheState, cachedAt, creditsUsed, concurrencyQueueDurationMs: queuedMs } = metadata
  return { statusCode, url, cacheState, cachedAt, creditsUsed, queuedMs, warning }
}

/**
 * Formats an explanation: one line per step with its duration, then the response. It contains unchanged text of pages.
 */
export function explanationText({ url, steps, answer, error, tookMs }: Explanation): string {
  const lines = [
    `How ${url} was read:`,
    ...(steps.length > 0 ? steps.flatMap(linesOf) : ['  A remote service read it, and returns only the result.']),
    ...(answer ? [row('Answer', answerText(answer), tookMs)] : []),
    ...(answer?.warning === undefined ? [] : [row('Warning', answer.warning)]),
    ...(error ? [row('Failed', `${error.code}: ${error.message}`, tookMs)] : []),
  ]
  return `${lines.join('\n')}\n`
}

const nameWidth = 9
const msWidth = 9
const row = (name: string, text: string, ms?: number) =>
  `  ${name.padEnd(nameWidth)}${(ms === undefined ? '' : `${count(ms)} ms`).padStart(msWidth)}  ${text}`

function linesOf(step: TimedStep): string[] {
  const { name, texts } = shownStep(step)
  const [first = '', ...more] = texts
  return [row(name, first, step.ms), ...more.map((text) => row('', text))]
}

function shownStep(step: ScrapeStep): { name: string; texts: string[] } {
  switch (step.step) {
    case 'plan':
      return { name: 'Plan', texts: planTexts(step) }
    case 'cache':
      return { name: 'Cache', texts: [cacheText(step)] }
    case 'visit':
      return { name: step.by === 'HTTP' ? 'HTTP' : 'Browser', texts: visitTexts(step) }
    case 'read':
      return { name: 'Read', texts: [readText(step)] }
    case 'browser skipped':
      return {
        name: 'Browser',
        texts: [`skipped, although ${reasons[step.why]}: recently it added nothing on this host`],
      }
    case 'page':
      return { name: 'Page', texts: [pageText(step)] }
    case 'formats':
      return { name: 'Formats', texts: ['created'] }
  }
}

type Step<Name extends ScrapeStep['step']> = Extract<ScrapeStep, { step: Name }>

function planTexts({ formats, timeoutMs, leftOut }: Step<'plan'>): string[] {
  const limit = `${formats.join(', ')}; ${durationText(timeoutMs)} at most`
  return [limit, ...(leftOut.length > 0 ? [`left out: ${leftOut.map(leftOutText).join('; ')}`] : [])]
}

const leftOutTexts: Record<LeftOut['by'], string> = {
  onlyMainContent: 'menus, headers, side bars and footers (onlyMainContent)',
  onlyCleanContent: 'what a model judges to be clutter (onlyCleanContent)',
  blockAds: 'ads and cookie banners (blockAds)',
  removeBase64Images: 'images embedded in the HTML (removeBase64Images)',
  removeSmallImages: 'icons and thumbnails (removeSmallImages)',
  includeTags: 'all but',
  excludeTags: 'what matches',
}
const leftOutText = (left: LeftOut) =>
  'selectors' in left ? `${leftOutTexts[left.by]} ${left.selectors.join(', ')} (${left.by})` : leftOutTexts[left.by]

export const cacheSkips: Record<CacheSkip, string> = {
  'not wanted': 'maxAge is 0',
  'change tracking': 'changeTracking compares with the site',
  personal: 'headers, actions, a profile or a password make the page personal',
}

function cacheText(finding: CacheFinding): string {
  if (finding.found === 'not asked') return `not used: ${cacheSkips[finding.why]}`
  const { minMs, maxMs } = finding.accepted
  const accepted = [
    ...(minMs > 0 ? [`at least ${durationText(minMs)}`] : []),
    maxMs === undefined ? 'any age' : `at most ${durationText(maxMs)}`,
  ]
  const limit = `accepted: ${accepted.join(', ')}`
  if (finding.found === 'nothing') return `no copy (${limit})`
  const outcome = finding.found === 'hit' ? 'answered by' : 'not by'
  const why = { hit: '', 'too old': ', too old', 'too young': ', too young', 'lacks parts': ', which lacks parts' }
  return `${outcome} a copy ${durationText(finding.ageMs)} old${why[finding.found]} (${limit})`
}

const reasons: Record<BrowserReason, string> = {
  challenge: 'the site returned a bot challenge instead of the page',
  shell: 'the HTML is an empty shell that scripts fill',
  unfilled: 'the HTML leaves a part to scripts',
  place: 'scripts of the page may detect the location',
  host: 'this host recently gave plain HTTP nothing but empty pages',
  screenshot: 'the format screenshot needs one',
  branding: 'the format branding needs one',
  actions: 'actions need one',
  profile: 'a profile needs one',
  waitFor: 'waitFor is set',
  mobile: 'mobile is set',
  'enhanced proxy': 'the enhanced proxy works better with one',
}

function visitTexts(step: Step<'visit'>): string[] {
  const why = step.why === undefined ? [] : [`because ${reasons[step.why]}`]
  const way = step.proxy === 'enhanced' ? ['over the enhanced proxy'] : []
  if ('failed' in step) return [[`failed: ${step.failed}`, ...way].join(', '), ...why]
  const { status, contentType, bytes, url, challenge } = step
  const facts = [
    String(status),
    ...(contentType === undefined ? [] : [contentType]),
    `${count(bytes)} bytes`,
    ...way,
    ...(challenge === undefined ? [] : [`a bot challenge by ${challenge}`]),
  ]
  return [facts.join(', '), `from ${url}`, ...why]
}

function readText({ characters, kind, numPages, isShell, unfilled = [] }: Step<'read'>): string {
  return [
    `${count(characters)} characters`,
    ...(kind === undefined ? [] : [`of a file (${kind}${numPages === undefined ? '' : `, ${numPages} pages`})`]),
    ...(isShell ? ['seems to be an empty shell'] : []),
    ...(unfilled.length > 0 ? [`seems to lack a part (${unfilled.join(', ')})`] : []),
  ].join(', ')
}

function pageText({ from, proxy, isKept }: Step<'page'>): string {
  if (from === 'cache') return 'from the cache'
  const by = from === 'HTTP' ? 'by plain HTTP' : 'by a browser'
  const way = proxy === 'enhanced' ? ' over the enhanced proxy' : ''
  return `${by}${way}; ${isKept ? 'stored in the cache' : 'not stored in the cache'}`
}

function answerText({ statusCode, creditsUsed, queuedMs = 0 }: NonNullable<Explanation['answer']>): string {
  const waited = queuedMs > 0 ? [`waited ${count(queuedMs)} ms for a free slot`] : []
  return [`status ${statusCode}`, counted(creditsUsed, 'credit'), ...waited].join(', ')
}

const count = (value: number) => value.toLocaleString('en-US')
