import { atLeast, type Unseen } from './diagnosed.ts'

/** Devised from the description of the public API alone, in the words of a user. */
export const fromAUsersView: Unseen[] = [
  {
    name: 'pages that the crawl found too deep',
    asks: 'The crawl does not follow the links any further than the pages right below the start.',
    says: [/maxDiscoveryDepth/],
    fixes: [{ maxDiscoveryDepth: null }, { maxDiscoveryDepth: atLeast(2) }],
  },
  {
    name: 'neither code nor prompt',
    asks: 'I interact by a task in words together with some code for the page, and it says bad request.',
    says: [/code/, /prompt/],
    fixes: [null],
  },
  {
    name: 'whole address in includeDomains',
    asks: 'Search will not accept the address of the site I want to stay on.',
    says: [/includeDomains/, /host/i],
    fixes: [null],
  },
  {
    name: 'copies of two days',
    asks: 'I scraped the page a second time a moment later and got exactly the same text, although the site has changed.',
    says: [/cache/i, /maxAge/],
    fixes: [{ maxAge: 0 }],
  },
  {
    name: 'too much clicking for one call',
    asks: 'My scrape with a list of steps for the page is rejected.',
    says: [/actions/, /50/],
    fixes: [null],
  },
]
