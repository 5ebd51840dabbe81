import { isRecord } from '../../../../util/json.ts'
import type { Diagnosis, Facts, JobCase, JobRule, PageFacts, Parameters, Trial } from '../case.ts'
import { either, lacking, type Question, slow } from '../question.ts'

type ScrapedCase = JobCase & { page: PageFacts }

/** Creates a rule for scrapes that returned a page. */
const page = (
  id: string,
  asks: RegExp,
  finds: (job: ScrapedCase, facts: Facts, question: Question) => Diagnosis | undefined,
  options: Pick<JobRule, 'onlyIfAsked'> = {},
): JobRule => ({
  id,
  asks,
  ...options,
  finds: (job, facts, question) => (job.page ? finds({ ...job, page: job.page }, facts, question) : undefined),
})

const loginPath = /\/(?:log[-_]?in|sign[-_]?in|auth|sso|session\/new|account\/login)\b/i
const isLogin = ({ status, url, finalUrl, hasForm }: PageFacts) =>
  status === 401 ||
  (loginPath.test(URL.parse(finalUrl)?.pathname ?? '') && finalUrl !== url) ||
  (hasForm && loginPath.test(finalUrl))

const unmatched: Diagnosis = {
  says: 'No element of the page matches includeTags, so its content is empty. Leave includeTags out, or correct the selectors.',
  parameters: { includeTags: [] },
  trial: { kind: 'scrape' },
}

function shell({ url }: ScrapedCase, { hasBrowser }: Facts): Diagnosis {
  const says = `The HTML of ${url ?? 'the page'} contains no text: scripts build the page in a browser.`
  if (!hasBrowser)
    return {
      says: `${says} This machine has no browser to run them; ask the operator to run "gossamer browser install".`,
    }
  return {
    says: `${says} Give them time with waitFor.`,
    parameters: { waitFor: 5000 },
    trial: { kind: 'scrape' },
  }
}

function wall({ url, page: { status } }: ScrapedCase): Diagnosis {
  return {
    says: `${url ?? 'The site'} keeps automated visitors out: it answered with status ${status} and a bot check or a refusal instead of the page. Try the enhanced proxy.`,
    parameters: { proxy: 'enhanced', waitFor: 3000 },
    trial: {
      kind: 'scrape',
      otherwise: () => ({
        says: `${url ?? 'The site'} keeps automated visitors out, and the enhanced proxy did not change that when it was tried. The operator can add proxies (GOSSAMER_PROXIES); where you have an account, a logged-in profile or a live browser in which a person passes the check helps.`,
      }),
    },
  }
}

const tooMany = ({ url, page: { status } }: ScrapedCase): Diagnosis => ({
  says: `${url ?? 'The site'} answered with status ${status}, too many requests. Send fewer at a time.`,
  trial: {
    kind: 'scrape',
    confirms: 'The site accepted a request just now: call again.',
    otherwise: () => ({
      says: `${url ?? 'The site'} answers with status ${status}: too many requests from here, even just now. Wait some minutes, then send fewer at a time; in a crawl set delay to a second or more.`,
    }),
  },
})

const serverError = ({ url, page: { status } }: ScrapedCase): Diagnosis => ({
  says: `${url ?? 'The site'} answered with status ${status}, a fault of its server. Nothing in the request causes it.`,
  trial: {
    kind: 'scrape',
    confirms: 'The same request succeeded just now: call again.',
    otherwise: () => ({
      says: `${url ?? 'The site'} answers with status ${status}, a fault of its server, even just now. Nothing in the request changes that: try later.`,
    }),
  },
})

function oldCopy({ page: { cachedAt } }: ScrapedCase, { now }: Facts): Diagnosis | undefined {
  if (cachedAt === undefined) return undefined
  const minutes = Math.max(0, Math.round((now - Date.parse(cachedAt)) / 60_000))
  return {
    says: `The answer was a copy from the cache, fetched ${minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`} ago. Set maxAge to 0 for the page as it is now.`,
    parameters: { maxAge: 0 },
    trial: { kind: 'scrape' },
  }
}

/** Rules about pages that were scraped but are not what was wanted. */
const pageRules: readonly JobRule[] = [
  page('rate-limited', /429|too many|rate.?limit|block/i, (job) =>
    job.page.status === 429 ? tooMany(job) : undefined,
  ),
  page('login-wall', /log.?in|sign.?in|401|password|auth|members?|redirect/i, ({ url, page: facts }) =>
    isLogin(facts)
      ? {
          says: `${url ?? 'The page'} is shown only after a login: the site answered with ${facts.status === 401 ? 'status 401' : 'its login page'}. Send the cookies or the Authorization of an account in headers, or log in once with "gossamer profile login" and use that profile.`,
        }
      : undefined,
  ),
  page('bot-wall', /40[13]|503|block|captcha|forbidden|bot|cloudflare|denied|wall/i, (job) =>
    job.page.isWall || job.page.status === 403 ? wall(job) : undefined,
  ),
  page('include-tags', /includetags|selector|empty|blank|no content|nothing/i, (job) =>
    job.page.matchesNothing ? unmatched : undefined,
  ),
  page('shell', /empty|blank|no (?:content|text)|nothing|missing|javascript|react|spa\b|render|shell/i, (job, facts) =>
    job.page.isEmpty && job.page.status < 400 && !job.page.matchesNothing ? shell(job, facts) : undefined,
  ),
  page('not-found', /404|410|not found|gone|missing/i, ({ url, page: { status } }) =>
    status === 404 || status === 410
      ? {
          says: `${url ?? 'The page'} does not exist: the site answered with status ${status}. No parameter changes that; find its new address with map or search.`,
        }
      : undefined,
  ),
  page('server-error', /50\d|server error|down|error/i, (job) =>
    job.page.status >= 500 && !job.page.isWall ? serverError(job) : undefined,
  ),
  page(
    'no-model',
    /model|llm|json|summary|answer|highlights|extract|quality|\bai\b|generic/i,
    ({ page: { isBuiltIn } }, { hasModel }) =>
      isBuiltIn && !hasModel
        ? {
            says: 'No language model is set here, so a built-in method created the answer, in the words of the page. For a better one ask the operator to set GOSSAMER_MODEL and, for a model of their own, GOSSAMER_MODEL_URL.',
          }
        : undefined,
  ),
  page('waited', /slow|concurren|queue|wait|long|parallel/i, ({ page: { hasWaited } }, { load }) =>
    hasWaited
      ? {
          says: `The scrape waited for a free slot: the team may run ${load.max} scrapes at the same time. Send fewer at once, or ask the operator to raise GOSSAMER_MAX_CONCURRENCY.`,
        }
      : undefined,
  ),
  page('old-copy', /stale|old\b|outdated|out of date|cache|yesterday|not (?:updated|current|fresh)|changed/i, oldCopy, {
    onlyIfAsked: true,
  }),
]

type Helps = NonNullable<Extract<Trial, { kind: 'scrape' }>['helps']>

const isFuller: Helps = ({ characters = 0 }, before) => characters > (before.characters ?? 0)
const differs: Helps = ({ digest }, before) => digest !== before.digest
/** Accepts a slightly shorter page, because some words change with every visit. */
const isAsFull: Helps = ({ characters = 0 }, before) => characters >= 0.9 * (before.characters ?? 0)
const hasItsPictures: Helps = ({ hasPlaceholders }) => !hasPlaceholders

type Suspect = Pick<Diagnosis, 'says'> & { parameters: Parameters; helps: Helps }

/**
 * Creates a rule about an option that affects the result of a scrape. It applies only if the question describes the
 * symptom, because an option alone does not prove a problem.
 */
const option = (
  id: string,
  asks: RegExp,
  suspects: (request: Parameters, job: ScrapedCase) => Suspect | undefined,
): JobRule =>
  page(
    id,
    asks,
    (job) => {
      const suspect = job.request && job.page.status < 400 ? suspects(job.request, job) : undefined
      return suspect && toDiagnosis(suspect)
    },
    { onlyIfAsked: true },
  )

/** Creates a rule about a boolean option that changes the page if it is true. */
const switchedOn = (id: string, asks: RegExp, name: string, suspect: Omit<Suspect, 'parameters'>) =>
  option(id, asks, (request) =>
    (request[name] ?? onByDefault.has(name)) === true ? { ...suspect, parameters: { [name]: false } } : undefined,
  )
const onByDefault = new Set(['onlyMainContent'])

const toDiagnosis = ({ helps, ...diagnosis }: Suspect): Diagnosis => ({
  ...diagnosis,
  trial: { kind: 'scrape', helps },
})

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const named = (list: readonly string[]) =>
  list
    .slice(0, 3)
    .map((each) => `"${each}"`)
    .join(', ')

const parsersOf = ({ parsers }: Parameters) => (Array.isArray(parsers) ? parsers : undefined)
const pdfText = { parsers: ['pdf'] }

/** Accepts any page that could be read. */
const anyPage: Helps = () => true

/** Rules about options, set or default, that remove or change parts of a page or cost time. */
const optionRules: readonly JobRule[] = [
  option('exclude-tags', lacking, ({ excludeTags }) => {
    const tags = listOf(excludeTags)
    return tags.length === 0
      ? undefined
      : {
          says: `The request removes elements that match excludeTags (${named(tags)}). Leave excludeTags out, or list fewer selectors.`,
          parameters: { excludeTags: [] },
          helps: isFuller,
        }
  }),
  option(
    'include-tags-only',
    either(lacking, /where|whole|rest of|all of/),
    ({ includeTags }, { page: { matchesNothing } }) => {
      const tags = listOf(includeTags)
      return tags.length === 0 || matchesNothing
        ? undefined
        : {
            says: `The request returns only elements that match includeTags (${named(tags)}). Leave includeTags out for the whole page, or list more selectors.`,
            parameters: { includeTags: [] },
            helps: isFuller,
          }
    },
  ),
  option('pdf-parser', /pdf|base64/i, (request) =>
    parsersOf(request)?.length === 0
      ? {
          says: 'The request turned the PDF parser off, so PDFs come back as base64. Set parsers to ["pdf"] for their text.',
          parameters: pdfText,
          helps: anyPage,
        }
      : undefined,
  ),
  option('pdf-pages', either(lacking, /pdf|pages|cut|rest of/), (request) => {
    const maxPages = parsersOf(request)?.find(isRecord)?.['maxPages']
    return typeof maxPages === 'number'
      ? {
          says: `The PDF parser reads at most ${maxPages} pages (maxPages). Leave maxPages out, or raise it; each page costs a credit.`,
          parameters: pdfText,
          helps: isFuller,
        }
      : undefined
  }),
  option(
    'placeholders',
    /image|picture|photo|icon|logo|figure|placeholder|base64|inline/i,
    ({ removeBase64Images }, job) =>
      removeBase64Images !== false && job.page.hasPlaceholders
        ? {
            says: 'Images embedded in the HTML are replaced by a placeholder in markdown. Set removeBase64Images to false to keep them; they make the markdown long.',
            parameters: { removeBase64Images: false },
            helps: hasItsPictures,
          }
        : undefined,
  ),
  switchedOn('phone', /phone|mobile|small|narrow|tablet|desktop|layout|version|menu|wide/i, 'mobile', {
    says: 'With the option mobile, the site returns its page for phones. Set mobile to false for the page for large screens.',
    helps: differs,
  }),
  option('waited-for', slow, ({ waitFor }) =>
    typeof waitFor === 'number' && waitFor > 0
      ? {
          says: `With waitFor, the request waits ${waitFor} ms in addition to the loading time of the page. Leave waitFor out.`,
          parameters: { waitFor: 0 },
          helps: isAsFull,
        }
      : undefined,
  ),
  switchedOn('clean-content', lacking, 'onlyCleanContent', {
    says: 'The option onlyCleanContent removes boilerplate from the text, and may remove too much. Set onlyCleanContent to false.',
    helps: isFuller,
  }),
  switchedOn(
    'main-content',
    /missing|incomplete|cut|lost|dropped|left out|only part|header|footer|nav|sidebar|menu/i,
    'onlyMainContent',
    {
      says: 'Only the main content of the page was kept, which drops headers, menus, footers and sometimes more. Set onlyMainContent to false for the whole page.',
      helps: isFuller,
    },
  ),
  page(
    'place',
    /language|countr|region|visitor|people|currenc|price|version|text|shown|see[ns]?\b|comes?\b|local|translat|abroad/i,
    (job, _, { places }) => placeOf(job, places),
    { onlyIfAsked: true },
  ),
]

/** Returns a diagnosis for the first place in the question that differs from the requested location. */
function placeOf(
  { request, page: { status } }: ScrapedCase,
  places: readonly { country: string; languages: string[] }[],
): Diagnosis | undefined {
  const given = isRecord(request?.['location']) ? request['location'] : {}
  const current = listOf(given['languages'])[0] ?? 'en'
  const place = places.find(({ country, languages }) => !(languages[0] === current || country === given['country']))
  if (!request || !place || status >= 400) return undefined
  return {
    says: `Sites choose language and prices by where a visitor seems to come from, and the request was made ${given['country'] ? `from ${String(given['country'])}` : 'without location, as from the US in English'}. Set location to ${place.country} with the language ${place.languages[0]}; prices that depend on the IP address also need a proxy there.`,
    parameters: { location: place },
    trial: { kind: 'scrape', helps: differs },
  }
}

/** Rules about scrapes that returned a page. */
export const scrapeRules: readonly JobRule[] = [...pageRules, ...optionRules]
