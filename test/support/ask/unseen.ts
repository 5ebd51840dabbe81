import type { Unseen } from './diagnosed.ts'

/** Written from the description of the API alone, by authors who had not read any rule. */
export const unseen: Unseen[] = [
  {
    name: 'includeDomains and excludeDomains at once',
    asks: 'Search refuses what I send when I name the sites that I want and also the ones that I do not want.',
    says: [/includeDomains/, /excludeDomains/],
    fixes: [null, { excludeDomains: null }, { includeDomains: null }],
  },
  {
    name: 'pages that only the sitemap names',
    asks: 'The page that stands only in our sitemap is not among the pages of the crawl.',
    says: [/sitemap/, /skip|include/],
    fixes: [{ sitemap: 'include' }, { sitemap: null }],
  },
  {
    name: 'cancel of a crawl that has ended',
    asks: 'I cannot cancel my crawl, it answers 409.',
    says: [/completed|finished|ended|over/i],
    fixes: [null],
  },
  {
    name: 'addresses that are none, in a batch',
    asks: 'Some of the addresses I gave are not among the results of my batch.',
    says: [/invalid/i],
    fixes: [null, { ignoreInvalidURLs: false }],
  },
]

export const unseenLater: Unseen[] = [
  {
    name: 'a host in a pattern',
    asks: 'I gave the host and path of the section in includePaths and the crawl came back with nothing.',
    says: [/regexOnFullURL/],
    fixes: [{ regexOnFullURL: true }],
  },
  {
    name: 'actions on a PDF',
    asks: 'I scroll in a PDF that I scrape and get an error.',
    says: [/actions/],
    fixes: [null, { actions: null }],
  },
]
