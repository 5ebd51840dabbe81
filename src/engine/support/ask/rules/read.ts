import type { Diagnosis, Facts, JobCase, JobRule, PageFacts } from '../case.ts'
import type { Question } from '../question.ts'

export type Read = JobCase & { page: PageFacts }

/** Creates a rule for scrapes that returned a page. */
export const page = (
  id: string,
  asks: RegExp,
  finds: (job: Read, facts: Facts, question: Question) => Diagnosis | undefined,
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

const rendered = { waitFor: 5000 }
const behindProxy = { proxy: 'enhanced', waitFor: 3000 }
const fresh = { maxAge: 0 }

const unmatched: Diagnosis = {
  says: 'No element of the page matches includeTags, so its content is empty. Leave includeTags out, or correct the selectors.',
  parameters: { includeTags: [] },
  trial: { kind: 'scrape' },
}

function shell({ url }: Read, { hasBrowser }: Facts): Diagnosis {
  const says = `The HTML of ${url ?? 'the page'} holds no text: scripts build the page in a browser.`
  if (!hasBrowser)
    return {
      says: `${says} This machine has no browser to run them; ask the operator to run "gossamer browser install".`,
    }
  return {
    says: `${says} Give them time with waitFor.`,
    parameters: rendered,
    trial: { kind: 'scrape' },
  }
}

function wall({ url, page: { status } }: Read): Diagnosis {
  return {
    says: `${url ?? 'The site'} keeps automated visitors out: it answered with status ${status} and a bot check or a refusal instead of the page. Try the enhanced proxy.`,
    parameters: behindProxy,
    trial: {
      kind: 'scrape',
      otherwise: () => ({
        says: `${url ?? 'The site'} keeps automated visitors out, and the enhanced proxy did not change that when it was tried. The operator can add proxies (GOSSAMER_PROXIES); where you have an account, a logged-in profile or a live browser in which a person passes the check helps.`,
      }),
    },
  }
}

const tooMany = ({ url, page: { status } }: Read): Diagnosis => ({
  says: `${url ?? 'The site'} answered with status ${status}, too many requests. Send fewer at a time.`,
  trial: {
    kind: 'scrape',
    confirms: 'It let a request through just now: call again.',
    otherwise: () => ({
      says: `${url ?? 'The site'} answers with status ${status}: too many requests from here, also now. Wait some minutes, then send fewer at a time; in a crawl set delay to a second or more.`,
    }),
  },
})

const serverError = ({ url, page: { status } }: Read): Diagnosis => ({
  says: `${url ?? 'The site'} answered with status ${status}, a fault of its server. Nothing in the request causes it.`,
  trial: {
    kind: 'scrape',
    confirms: 'It answered without a change just now: call again.',
    otherwise: () => ({
      says: `${url ?? 'The site'} answers with status ${status}, a fault of its server, also now. Nothing in the request changes that: try later.`,
    }),
  },
})

function oldCopy({ page: { cachedAt } }: Read, { now }: Facts): Diagnosis | undefined {
  if (cachedAt === undefined) return undefined
  const minutes = Math.max(0, Math.round((now - Date.parse(cachedAt)) / 60_000))
  return {
    says: `The answer was a copy from the cache, fetched ${minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`} ago. Set maxAge to 0 for the page as it is now.`,
    parameters: fresh,
    trial: { kind: 'scrape' },
  }
}

/** Rules about pages that were scraped but are not what was wanted. */
export const readPages: readonly JobRule[] = [
  page('rate-limited', /429|too many|rate.?limit/i, (job) => (job.page.status === 429 ? tooMany(job) : undefined)),
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
            says: 'No language model is set here, so the answer was made by a built-in method, in the words of the page. For a better one ask the operator to set GOSSAMER_MODEL and, for a model of their own, GOSSAMER_MODEL_URL.',
          }
        : undefined,
  ),
  page('waited', /slow|concurren|queue|wait|long|parallel/i, ({ page: { hasWaited } }, { load }) =>
    hasWaited
      ? {
          says: `The scrape waited for a free slot: the team may run ${load.most} scrapes at the same time. Send fewer at once, or ask the operator to raise GOSSAMER_MAX_CONCURRENCY.`,
        }
      : undefined,
  ),
  page('old-copy', /stale|old\b|outdated|out of date|cache|yesterday|not (?:updated|current|fresh)|changed/i, oldCopy, {
    onlyIfAsked: true,
  }),
]
