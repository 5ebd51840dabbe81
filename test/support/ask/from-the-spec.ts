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
