import type { Unseen } from './diagnosed.ts'

/** Devised from the description of the API alone, before anybody looked at the rules. */
export const unforeseen: Unseen[] = [
  {
    name: 'PDF comes as base64',
    asks: 'I scraped a PDF and instead of its text I got an endless row of letters and digits that makes no sense. What happened?',
    says: [/parsers/i, /pdf/i],
    fixes: [{ parsers: ['pdf'] }],
  },
  {
    name: 'links lead beside the start',
    asks: 'My crawl stopped after a single page although the page is full of links.',
    says: [/below|outside|path/i, /crawlEntireDomain/],
    fixes: [{ crawlEntireDomain: true }],
  },
  {
    name: 'excludeTags takes what is wanted',
    asks: 'The prices are missing from the scrape of the product page.',
    says: [/excludeTags/],
    fixes: [{ excludeTags: null }],
  },
  {
    name: 'events not subscribed',
    asks: 'My webhook got one call at the end, but none of the pages.',
    says: [/events/, /page/],
    fixes: [{ webhook: { events: ['page', 'completed'] } }],
  },
  {
    name: 'wrong language',
    asks: 'I want the German text of the page that I scraped, but it comes in English.',
    says: [/location/, /language/i],
    fixes: [{ location: { country: 'DE', languages: ['de'] } }],
  },
  {
    name: 'inline pictures replaced',
    asks: 'In the markdown of my scrape there is a placeholder where the pictures should be.',
    says: [/removeBase64Images/],
    fixes: [{ removeBase64Images: false }],
  },
  {
    name: 'time filter too narrow',
    asks: 'My search finds nothing at all, yet I know that there are pages about it.',
    says: [/tbs/],
    fixes: [{ tbs: null }],
  },
  {
    name: 'permission of the operator',
    asks: 'I set ignoreRobotsTxt and get 403. How do I switch it on?',
    says: [/operator|permission/i, /ignoreRobotsTxt/],
    fixes: [{ ignoreRobotsTxt: null }],
  },
]

export const unforeseenLater: Unseen[] = [
  {
    name: 'excludePaths takes a section',
    asks: 'The news section of the site is not among the pages of the crawl.',
    says: [/excludePaths/],
    fixes: [{ excludePaths: null }],
  },
  {
    name: 'PDF cut at maxPages',
    asks: 'I only got the first page of the PDF from my scrape.',
    says: [/maxPages/],
    fixes: [{ parsers: ['pdf'] }],
  },
  {
    name: 'domain without results',
    asks: 'Search comes back empty.',
    says: [/includeDomains/],
    fixes: [{ includeDomains: null }],
  },
  {
    name: 'zero data retention that is not granted',
    asks: 'zeroDataRetention is refused. What must I do?',
    says: [/operator|permission/i, /zeroDataRetention/],
    fixes: [{ zeroDataRetention: null }],
  },
  {
    name: 'begin of a job is not told',
    asks: 'My webhook is never told that a crawl was started.',
    says: [/events/, /started/],
    fixes: [{ webhook: { events: ['started', 'page', 'completed'] } }],
  },
  {
    name: 'the page for phones',
    asks: 'I get the small version of the page that is meant for phones when I scrape it.',
    says: [/mobile/],
    fixes: [{ mobile: false }],
  },
]
