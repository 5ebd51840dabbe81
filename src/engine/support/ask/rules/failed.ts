import { errors } from '../../../../kernel/error-table.ts'
import { isRecord } from '../../../../util/json.ts'
import type { Diagnosis, JobCase, JobRule, Outcome, Parameters } from '../case.ts'
import { either, slow } from '../question.ts'

type ErrorText = { message: string; hint: string }
const textOf = (code: string): ErrorText | undefined => (errors as Readonly<Record<string, ErrorText>>)[code]

/** Creates a rule for jobs that failed with one of these errors. */
function on(id: string, codes: string, asks: RegExp, finds: (job: JobCase) => Diagnosis | undefined): JobRule {
  const all = new Set(codes.split(' '))
  return { id, asks, finds: (job) => (job.code !== null && all.has(job.code) ? finds(job) : undefined) }
}

/** Explains an error with the message and the hint of its code. */
function explainError(job: JobCase): Diagnosis {
  const { message, hint } = textOf(job.code ?? '') ?? { message: `It ended with ${job.code}.`, hint: '' }
  return { says: `${nameOf(job)} failed with ${job.code}. ${message} ${hint}`.trim() }
}

/** Names a job by its kind and URL. URLs of other pages are left out, because they are text of pages. */
function nameOf({ endpoint, url, pageOf }: JobCase): string {
  const job = endpoint.replace('_', ' ')
  if (pageOf) return `A page of the ${job}`
  return url === null ? `The ${job}` : `The ${job} of ${url}`
}

const maxTimeoutMs = 300_000
function moreTime(job: JobCase): Diagnosis {
  const given = Number(job.request?.['timeout'] ?? 60_000)
  const timeout = Math.min(maxTimeoutMs, Math.max(given * 3, 30_000))
  const says = `${nameOf(job)} did not end within its timeout of ${given} ms.`
  if (given >= maxTimeoutMs) return { says: `${says} That is the maximum: request fewer formats, or fewer pages.` }
  const set = { timeout }
  return {
    says: `${says} Raise timeout to ${timeout} ms.`,
    parameters: set,
    ...(job.code === 'SCRAPE_TIMEOUT' && { trial: { kind: 'scrape' } }),
  }
}

/** Repeats the job unchanged: the error may have been temporary, and a new error says more than the stored code. */
const retryUnchanged = (job: JobCase): Diagnosis => ({
  says: `${nameOf(job)} failed with ${job.code}. ${textOf(job.code ?? '')?.message ?? ''}`.trim(),
  trial: {
    kind: 'scrape',
    confirms: 'The same request succeeded just now: call again.',
    otherwise: (outcome) => afterRetry(job, outcome),
  },
})

function afterRetry(job: JobCase, { error, page }: Outcome): Diagnosis {
  if (!error)
    return { says: `${nameOf(job)} failed with ${job.code}; now the site answers with status ${page.status}.` }
  const advice = /redirect/i.test(error.message)
    ? 'Sites do that to visitors who are not logged in or refuse cookies: send the cookies of a login in headers, use a profile, or scrape the URL that a browser ends at.'
    : (textOf(error.code)?.hint ?? '')
  const also = error.code === job.code ? '' : ` (${error.code})`
  return { says: `${nameOf(job)} failed again${also}. ${error.message} ${advice}`.trim() }
}

const stepsOf = ({ request }: JobCase): (Parameters & { type?: unknown; selector?: unknown })[] => {
  const actions = request?.['actions']
  return Array.isArray(actions) ? actions.filter(isRecord) : []
}

/**
 * Explains a failed action: usually its selector matches no element. Waits can be removed, but other actions cannot.
 */
function failedStep(job: JobCase): Diagnosis | undefined {
  const steps = stepsOf(job)
  // The timeout may have ended while waiting for an element.
  const waits = steps.some(({ type, selector }) => type === 'wait' && selector !== undefined)
  if (job.code === 'SCRAPE_TIMEOUT' && !waits) return undefined
  const selectors = steps.flatMap(({ selector }) => (typeof selector === 'string' ? [selector] : []))
  const named = selectors.slice(0, 3).map((each) => `"${each}"`)
  const why = named.length > 0 ? `: no element matched ${named.join(' or ')} in time` : ''
  const says = `${nameOf(job)} failed at an action${why}.`
  const rest = steps.filter(({ type, selector }) => type !== 'wait' || typeof selector !== 'string')
  if (rest.length === steps.length)
    return { says: `${says} Look at the page with a screenshot or browser_snapshot, and correct the selector.` }
  return {
    says: `${says} Wait for a time instead of the selector, or correct it.`,
    parameters: { actions: rest, waitFor: 3000 },
    trial: { kind: 'scrape' },
  }
}

function busyProfile(job: JobCase): Diagnosis {
  const profile = job.request?.['profile']
  const name = isRecord(profile) ? profile['name'] : undefined
  return {
    says: `Another session or scrape is writing to the browser profile${typeof name === 'string' ? ` "${name}"` : ''}, and only one may at a time. Use it without saving changes, or call again when the other has ended.`,
    ...(typeof name === 'string' && { parameters: { profile: { name, saveChanges: false } } }),
  }
}

/** Rules about errors of jobs. */
export const failedJobs: readonly JobRule[] = [
  on(
    'timeout',
    'SCRAPE_TIMEOUT MAP_TIMEOUT SEARCH_TIMEOUT',
    either(slow, /408|stuck|time\b|never (?:ends|finish)/),
    moreTime,
  ),
  on('dns', 'SCRAPE_DNS_RESOLUTION_ERROR', /dns|resolv|enotfound|host ?name|domain/i, retryUnchanged),
  on(
    'no-answer',
    'SCRAPE_ALL_ENGINES_FAILED MAP_FAILED',
    /refus|connect|econn|unreachable|down|reset|no answer/i,
    retryUnchanged,
  ),
  on(
    'bad-response',
    'SCRAPE_SITE_ERROR',
    /redirect|loop|too (?:large|big)|cannot be read|broken|unreadable/i,
    retryUnchanged,
  ),
  on('tls', 'SCRAPE_SSL_ERROR', /tls|ssl|certificate|https|self.?signed/i, (job) => ({
    says: `${nameOf(job)} failed: the TLS certificate of the site could not be verified. If you trust the site, set skipTlsVerification to true; nothing then proves who answers.`,
    parameters: { skipTlsVerification: true },
    trial: { kind: 'scrape' },
  })),
  on('too-young', 'SCRAPE_NO_CACHED_DATA', /cache|minage|no copy|404/i, () => ({
    says: 'The request set minAge, which reads from the cache alone, and no copy of the page is that old. Leave minAge out: then the page is fetched if there is no copy.',
    parameters: { minAge: null },
    trial: { kind: 'scrape' },
  })),
  on('lockdown', 'SCRAPE_LOCKDOWN_CACHE_MISS', /lockdown|cache|offline|404/i, () => ({
    says: 'The scrape ran in lockdown, which answers from the cache alone, and the page is not in it. Scrape the page once without lockdown, then call again.',
    parameters: { lockdown: false },
  })),
  on(
    'private-address',
    'SCRAPE_ADDRESS_REFUSED',
    /private|local|ssrf|internal|intranet|refused|block|403|address/i,
    explainError,
  ),
  on('selector', 'SCRAPE_ACTION_ERROR SCRAPE_TIMEOUT', /selector|action|element|click|wait|appear|button/i, failedStep),
  on(
    'no-browser',
    'BROWSER_UNAVAILABLE SCRAPE_ACTIONS_NOT_SUPPORTED SCRAPE_BRANDING_NOT_SUPPORTED',
    /browser|screenshot|action|chrom|branding|503/i,
    (job) => {
      const { says } = explainError(job)
      return job.code === 'BROWSER_UNAVAILABLE'
        ? { says }
        : { says: `${says} If the page should allow it, see whether a browser is installed.` }
    },
  ),
  on('profile-busy', 'PROFILE_IN_USE', /profile|409|in use|busy|another session|login/i, busyProfile),
  on('profile-unreadable', 'PROFILE_UNREADABLE', /profile|login/i, explainError),
  on('proxy', 'SCRAPE_PROXY_SELECTION_ERROR', /proxy|location|country/i, (job) => ({
    says: explainError(job).says,
    parameters: { proxy: 'basic', location: null },
    trial: { kind: 'scrape' },
  })),
  on('scan', 'SCRAPE_PDF_OCR_REQUIRED', /pdf|scan|ocr/i, explainError),
  on('file', 'SCRAPE_UNSUPPORTED_FILE_ERROR', /file|pdf|document|format|convert|415/i, explainError),
  on(
    'media',
    'SCRAPE_AUDIO_UNSUPPORTED_URL SCRAPE_VIDEO_UNSUPPORTED_URL',
    /audio|video|sound|film|media/i,
    explainError,
  ),
  on('retention', 'SCRAPE_ZDR_VIOLATION_ERROR', /zero|retention|zdr/i, explainError),
  on('cancelled', 'SCRAPE_JOB_CANCELLED REQUEST_CANCELLED', /cancel|abort|stopp/i, explainError),
  on('credits', 'INSUFFICIENT_CREDITS', /credit|402|quota|billing|payment|insufficient/i, explainError),
  on('search-down', 'SEARCH_UNAVAILABLE', /search|provider|no results|502|block/i, explainError),
  on('session-gone', 'SESSION_GONE SESSION_NOT_FOUND', /session|browser|410|gone|expired|closed/i, explainError),
  on('session-limit', 'SESSION_LIMIT', /session|browser|429|too many|limit/i, explainError),
  on('no-replay', 'REPLAY_UNAVAILABLE', /interact|replay|409|restore/i, explainError),
  on('model', 'MODEL_UNAVAILABLE MODEL_FAILED', /model|llm|prompt|json|extract|503|502/i, explainError),
  on('model-timeout', 'MODEL_TIMEOUT', either(slow, /stuck|time\b|model|llm|prompt|json|extract|504/), explainError),
]

/** Rule about all other errors, which applies if no specific rule does. */
export const anyFailure: JobRule = {
  id: 'error',
  asks: /problem|trouble|issue|unexpected/i,
  finds: (job) => (job.code !== null && textOf(job.code) ? explainError(job) : undefined),
}
