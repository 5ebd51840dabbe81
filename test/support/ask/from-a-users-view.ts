import type { Unseen } from './unseen.ts'

const atLeast = (least: number) => (value: unknown) => typeof value === 'number' && value >= least

/**
 * Devised from the description of the public API alone, in the words of a user, and written down before any was run: 7 of these 12 were
 * diagnosed right on the first try, and 11 once rules had been mended for all questions of their kind. By who had read the rules.
 */
export const fromAUsersView: Unseen[] = [
  {
    name: 'pages that the crawl found too deep',
    done: 'crawl with maxDiscoveryDepth: 1 of a chain of pages',
    asks: 'The crawl does not follow the links any further than the pages right below the start.',
    says: [/maxDiscoveryDepth/],
    fixes: [{ maxDiscoveryDepth: null }, { maxDiscoveryDepth: atLeast(2) }],
  },
  {
    name: 'a browser without a live view',
    done: 'browser_create with streamWebView: false',
    asks: 'I want to watch what happens in the browser, but there is no live view.',
    says: [/streamWebView/],
    fixes: [{ streamWebView: true }, { streamWebView: null }],
  },
  {
    name: 'a limit of results that is not allowed',
    done: 'search with limit: 500',
    asks: 'I asked for five hundred results and was turned down.',
    says: [/limit/, /100/],
    fixes: [null, { limit: 100 }],
  },
  {
    name: 'a session that would live too long',
    done: 'browser_create with ttl: 86400',
    asks: 'I cannot open a browser that stays open for a whole day.',
    says: [/ttl/, /3600/],
    fixes: [null, { ttl: 3600 }],
  },
  {
    name: 'neither code nor prompt',
    done: 'interact with a scrape, with code and prompt at once',
    asks: 'I send a task in words together with some code for the page that I scraped, and it says bad request.',
    says: [/code/, /prompt/],
    fixes: [null],
  },
  {
    name: 'whole address in includeDomains',
    done: "search with includeDomains: ['https://example.org/docs']",
    asks: 'Search will not accept the address of the site I want to stay on.',
    says: [/includeDomains/, /host/i],
    fixes: [null],
  },
  {
    name: 'copies of two days',
    done: 'scrape twice of a page that changes, with the usual maxAge',
    asks: 'I scraped the page a second time a moment later and got exactly the same text, although the site has changed.',
    says: [/cache/i, /maxAge/],
    fixes: [{ maxAge: 0 }],
  },
  {
    name: 'the crawl is cut at its limit',
    done: 'crawl with limit: 2 of a larger site',
    asks: 'Only two pages came although our site has many more.',
    says: [/limit/],
    fixes: [{ limit: null }, { limit: atLeast(3) }],
  },
  {
    // It is found, but on loopback there is no domain to have a subdomain of, so the trial shows no more pages.
    isOpen: true,
    name: 'a crawl that leaves out other subdomains',
    done: 'crawl of a host whose pages link to a subdomain',
    asks: 'Pages of our help subdomain are not in the crawl.',
    says: [/allowSubdomains/],
    fixes: [{ allowSubdomains: true }, { allowSubdomains: true, crawlEntireDomain: true }],
  },
  {
    name: 'ads in the page',
    done: 'scrape with blockAds: false',
    asks: 'There is a cookie banner over everything in what I get back.',
    says: [/blockAds/],
    fixes: [{ blockAds: true }, { blockAds: null }],
  },
  {
    name: 'too much clicking for one call',
    done: 'scrape with 60 wait actions',
    asks: 'My list of steps for the page is rejected.',
    says: [/actions/, /50/],
    fixes: [null],
  },
  {
    name: 'an id of nothing',
    done: 'crawl_status with an id that nobody has',
    asks: 'When I look at how my crawl is doing I get 404.',
    says: [/crawl_status|JOB_NOT_FOUND/, /id\b/i],
    fixes: [null],
  },
]
