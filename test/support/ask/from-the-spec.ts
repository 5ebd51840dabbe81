/**
 * Broken situations devised from the public API's description alone, before anybody looked at the rules.
 * What was done, how a user asks about it, and what a right diagnosis holds.
 */
export interface Unforeseen {
  name: string
  /** What the user did, against which site. */
  done: string
  asks: string
  /** All of these stand in a right answer. */
  says: RegExp[]
  /** Parameters a right answer sets; null where no parameter of the caller helps. A value of null: leave it out. */
  fix: Record<string, unknown> | null
}

export const unforeseen: Unforeseen[] = [
  {
    name: 'PDF comes as base64',
    done: 'scrape of a PDF with parsers: []',
    asks: 'I read a PDF and instead of its text I got an endless row of letters and digits that makes no sense. What happened?',
    says: [/parsers/i, /pdf/i],
    fix: { parsers: ['pdf'] },
  },
  {
    name: 'minAge without a copy',
    done: 'scrape with minAge: 1000 of a page that nobody read before',
    asks: 'The page opens in my browser, but here it says 404 no cached data. Why?',
    says: [/minAge/, /cache|copy|stored/i],
    fix: { minAge: null },
  },
  {
    name: 'links lead beside the start',
    done: 'crawl of /docs/start whose links lead to /blog/… only',
    asks: 'My crawl stopped after a single page although the page is full of links.',
    says: [/below|outside|path/i, /crawlEntireDomain/],
    fix: { crawlEntireDomain: true },
  },
  {
    name: 'excludeTags takes what is wanted',
    done: "scrape of a product page with excludeTags: ['.price']",
    asks: 'The prices are missing from the text of the product page.',
    says: [/excludeTags/],
    fix: { excludeTags: null },
  },
  {
    name: 'pages told apart by the query only',
    done: 'crawl with ignoreQueryParameters: true of a list with ?page=2, ?page=3',
    asks: 'The crawl took the first page of the list, but not ?page=2 and ?page=3.',
    says: [/ignoreQueryParameters/],
    fix: { ignoreQueryParameters: false },
  },
  {
    name: 'slow by delay',
    done: 'crawl of six pages with delay: 1',
    asks: 'Why is my crawl so slow? It reads one page after the other with a break in between.',
    says: [/delay/, /one (page )?at a time|concurren/i],
    fix: { delay: null },
  },
  {
    name: 'events not subscribed',
    done: "crawl with webhook.events: ['completed'] and a receiver that works",
    asks: 'My webhook got one call at the end, but none of the pages.',
    says: [/events/, /page/],
    fix: { webhook: { events: ['page', 'completed'] } },
  },
  {
    name: 'wrong language',
    done: 'scrape without location of a page that chooses its language by Accept-Language',
    asks: 'I want the German text of this page, but it comes in English.',
    says: [/location/, /language/i],
    fix: { location: { country: 'DE', languages: ['de'] } },
  },
  {
    name: 'inline pictures replaced',
    done: 'scrape of a page with a data: picture',
    asks: 'In the markdown there is a placeholder where the pictures should be.',
    says: [/removeBase64Images/],
    fix: { removeBase64Images: false },
  },
  {
    name: 'mistyped path',
    done: 'scrape of /prodcuts, which the site answers with 404 and a page of its own',
    asks: 'I only get a text that says sorry, nothing here, instead of the product list.',
    says: [/404/, /address|url|path|spell/i],
    fix: null,
  },
  {
    name: 'time filter too narrow',
    done: "search with tbs: 'qdr:h' and a provider that knows only older pages",
    asks: 'My search finds nothing at all, yet I know that there are pages about it.',
    says: [/tbs/],
    fix: { tbs: null },
  },
  {
    name: 'permission of the operator',
    done: 'crawl with ignoreRobotsTxt: true by a team that may not',
    asks: 'I set ignoreRobotsTxt and get 403. How do I switch it on?',
    says: [/operator|permission/i, /ignoreRobotsTxt/],
    fix: { ignoreRobotsTxt: null },
  },
]

/** Written after the first figure and before anything was mended: whether the mending holds for others too. */
export const unforeseenLater: Unforeseen[] = [
  {
    name: 'excludePaths takes a section',
    done: "crawl with excludePaths: ['^/news']",
    asks: 'The news section of the site is not among the pages that came.',
    says: [/excludePaths/],
    fix: { excludePaths: null },
  },
  {
    name: 'PDF cut at maxPages',
    done: "scrape of a PDF of two pages with parsers: [{ type: 'pdf', maxPages: 1 }]",
    asks: 'I only got the first page of the PDF.',
    says: [/maxPages/],
    fix: { parsers: ['pdf'] },
  },
  {
    name: 'slow by waitFor',
    done: 'scrape with waitFor: 4000',
    asks: 'Every scrape takes ages, although the site itself is quick.',
    says: [/waitFor/],
    fix: { waitFor: null },
  },
  {
    name: 'domain without results',
    done: "search with includeDomains: ['example.org'] and a provider that knows only other sites",
    asks: 'Search comes back empty.',
    says: [/includeDomains/],
    fix: { includeDomains: null },
  },
  {
    name: 'as seen from another country',
    done: 'scrape without location of a page that chooses its language by Accept-Language',
    asks: 'I need the page as it is shown to people in Japan.',
    says: [/location/],
    fix: { location: { country: 'JP', languages: ['ja'] } },
  },
  {
    name: 'zero data retention that is not granted',
    done: 'scrape with zeroDataRetention: true by a team that may not',
    asks: 'zeroDataRetention is refused. What must I do?',
    says: [/operator|permission/i, /zeroDataRetention/],
    fix: { zeroDataRetention: null },
  },
  {
    name: 'includeTags takes too little',
    done: "scrape with includeTags: ['h1']",
    asks: 'I get the heading of the article, but where is its text?',
    says: [/includeTags/],
    fix: { includeTags: null },
  },
  {
    name: 'begin of a job is not told',
    done: "crawl with webhook.events: ['page', 'completed']",
    asks: 'My webhook is never told that a crawl was started.',
    says: [/events/, /started/],
    fix: { webhook: { events: ['started', 'page', 'completed'] } },
  },
  {
    name: 'another host is left out',
    done: 'crawl with crawlEntireDomain: true of a page that links to pages of another host',
    asks: 'The start page links to our other site, but the crawl did not go there.',
    says: [/allowExternalLinks/],
    fix: { allowExternalLinks: true },
  },
  {
    name: 'the page for phones',
    done: 'scrape with mobile: true of a page that differs by User-Agent',
    asks: 'I get the small version of the page that is meant for phones.',
    says: [/mobile/],
    fix: { mobile: false },
  },
]
