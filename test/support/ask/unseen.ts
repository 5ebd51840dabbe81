import type { Unforeseen } from './from-the-spec.ts'

/** As there, but any of these is a right fix; a function says of a value whether it helps. */
export type Unseen = Omit<Unforeseen, 'fix'> & {
  fixes: (Record<string, unknown> | null)[]
  /** Not diagnosed yet. */
  isOpen?: true
}

const atLeast = (least: number) => (value: unknown) => typeof value === 'number' && value >= least

/**
 * Devised, with the 8 below, from the description of the API alone, before any rule was read by whoever devised them. On the
 * first try none of these 12 was diagnosed, and of the 8, after these had been mended by the same hand, 4; 12 of the 20 with rules of
 * effects, and all since refused calls are remembered and options count by what was set. None is unseen any more.
 */
export const unseen: Unseen[] = [
  {
    name: 'Python in a session without language',
    done: 'browser_execute of Python code without language',
    asks: 'My little Python program in the browser fails with a syntax error, although it is right.',
    says: [/language/, /python/i],
    fixes: [{ language: 'python' }],
  },
  {
    name: 'code cut off by its timeout',
    done: 'browser_execute with timeout 1 of code that takes longer',
    asks: 'My code in the browser is cut off in the middle.',
    says: [/timeout/],
    fixes: [{ timeout: atLeast(2) }],
  },
  {
    name: 'includeDomains and excludeDomains at once',
    done: 'search with includeDomains and excludeDomains',
    asks: 'Search refuses what I send when I name the sites that I want and also the ones that I do not want.',
    says: [/includeDomains/, /excludeDomains/],
    fixes: [null, { excludeDomains: null }, { includeDomains: null }],
  },
  {
    name: 'waitFor longer than half of timeout',
    done: 'scrape with waitFor: 8000 and timeout: 10000',
    asks: 'I only told it to wait eight seconds, and now it refuses the whole request.',
    says: [/waitFor/, /timeout/],
    fixes: [null, { timeout: atLeast(16_000) }, { waitFor: 5000 }],
  },
  {
    name: 'pages that only the sitemap names',
    done: "crawl with sitemap: 'skip' of a site whose sitemap names a page without links to it",
    asks: 'The page that stands only in our sitemap is not among the pages of the crawl.',
    says: [/sitemap/, /skip|include/],
    fixes: [{ sitemap: 'include' }, { sitemap: null }],
  },
  {
    name: 'only the top of a page in the picture',
    done: "scrape with formats: ['screenshot'] of a long page",
    asks: 'The picture ends in the middle of the page.',
    says: [/fullPage/],
    fixes: [{ formats: [{ type: 'screenshot', fullPage: true }] }],
  },
  {
    name: 'search without the text of the pages',
    done: 'search without scrapeOptions',
    asks: 'The search gives me titles and short descriptions, but I need what the pages say.',
    says: [/scrapeOptions/, /formats|markdown/],
    fixes: [{ scrapeOptions: { formats: ['markdown'] } }],
  },
  {
    name: 'a profile that only reads',
    done: 'two sessions with profile.saveChanges: false, the first of which stores something',
    asks: 'What I stored in the browser is gone in the next session, although I gave both the same profile.',
    says: [/saveChanges/],
    fixes: [{ profile: { name: 'shop', saveChanges: true } }],
  },
  {
    name: 'cancel of a crawl that has ended',
    done: 'crawl_cancel of a completed crawl',
    asks: 'I cannot cancel my crawl, it answers 409.',
    says: [/completed|finished|ended|over/i],
    fixes: [null],
  },
  {
    name: 'headers keep a page out of the cache',
    done: 'the same scrape twice with a Cookie in headers',
    asks: 'Each scrape of this page goes to the site again, it never comes from the cache.',
    says: [/headers/, /cache/i],
    fixes: [null, { headers: null }],
  },
  {
    name: 'a PDF costs a credit for each page',
    done: 'scrape of a PDF of two pages',
    asks: 'Why was one single file charged with more than one credit?',
    says: [/pdf/i, /page/i],
    fixes: [null, { parsers: [] }, { parsers: [{ type: 'pdf', maxPages: 1 }] }],
  },
  {
    name: 'addresses that are none, in a batch',
    done: 'batch_scrape with two invalid addresses',
    asks: 'Some of the addresses I gave are not among the results of my batch.',
    says: [/invalid/i],
    fixes: [null, { ignoreInvalidURLs: false }],
  },
]

export const unseenLater: Unseen[] = [
  {
    name: 'one page at a time by maxConcurrency',
    done: 'crawl with maxConcurrency: 1',
    asks: 'The crawl reads only one page at a time.',
    says: [/maxConcurrency/],
    fixes: [{ maxConcurrency: null }, { maxConcurrency: atLeast(2) }],
  },
  {
    name: 'a whole address as a pattern',
    done: 'crawl with the full URL of a section in includePaths',
    asks: 'I gave the full address of the section in includePaths and the crawl came back with nothing.',
    says: [/regexOnFullURL/],
    fixes: [{ regexOnFullURL: true }],
  },
  {
    name: 'links were not asked for',
    done: "scrape with formats: ['markdown']",
    asks: 'The answer has the text of the page but none of its links as a list.',
    says: [/formats/, /links/],
    fixes: [{ formats: ['markdown', 'links'] }, { formats: [{ type: 'markdown' }, 'links'] }],
  },
  {
    name: 'menus in the text',
    done: 'scrape with onlyMainContent: false of a page with a menu',
    asks: 'The markdown is full of menus.',
    says: [/onlyMainContent/],
    fixes: [{ onlyMainContent: true }, { onlyMainContent: null }],
  },
  {
    name: 'few results by limit',
    done: 'search with limit: 3 and a provider that knows thirty pages',
    asks: 'Search gives me three results, there must be more.',
    says: [/limit/],
    fixes: [{ limit: atLeast(4) }],
  },
  {
    name: 'a query of more than 500 characters',
    done: 'search with a query of 600 characters',
    asks: 'My question to the search is refused, it is a long one.',
    says: [/500/],
    fixes: [null],
  },
  {
    name: 'actions on a PDF',
    done: 'scrape of a PDF with a scroll action',
    asks: 'I scroll in a PDF and get an error.',
    says: [/actions/],
    fixes: [null, { actions: null }],
  },
  {
    name: 'events without a signature',
    done: 'crawl with a webhook on a server without a webhook secret',
    asks: 'My receiver looks for X-Service-Signature, but there is no such header.',
    says: [/secret/i],
    fixes: [null],
  },
]
