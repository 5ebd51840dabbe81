import { atLeast, type Unseen } from './diagnosed.ts'

/** Written from the description of the API alone, by authors who had not read any rule. */
export const unseen: Unseen[] = [
  {
    name: 'Python in a session without language',
    asks: 'My little Python program in the browser fails with a syntax error, although it is right.',
    says: [/language/, /python/i],
    fixes: [{ language: 'python' }],
  },
  {
    name: 'code cut off by its timeout',
    asks: 'My code in the browser is cut off in the middle.',
    says: [/timeout/],
    fixes: [{ timeout: atLeast(2) }],
  },
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
    name: 'search without the text of the pages',
    asks: 'The search gives me titles and short descriptions, but I need what the pages say.',
    says: [/scrapeOptions/, /formats|markdown/],
    fixes: [{ scrapeOptions: { formats: ['markdown'] } }],
  },
  {
    name: 'a profile that only reads',
    asks: 'What I stored in the browser is gone in the next session, although I gave both the same profile.',
    says: [/saveChanges/],
    fixes: [{ profile: { name: 'shop', saveChanges: true } }],
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
    name: 'menus in the text',
    asks: 'The markdown is full of menus.',
    says: [/onlyMainContent/],
    fixes: [{ onlyMainContent: true }, { onlyMainContent: null }],
  },
  {
    name: 'actions on a PDF',
    asks: 'I scroll in a PDF and get an error.',
    says: [/actions/],
    fixes: [null, { actions: null }],
  },
  {
    name: 'events without a signature',
    asks: 'My receiver looks for X-Service-Signature, but there is no such header.',
    says: [/secret/i],
    fixes: [null],
  },
]
