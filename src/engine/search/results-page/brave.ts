import type { SearchPeriod } from '../../../core/search.ts'
import { dayOf, rangeOf } from '../provider/dates.ts'
import type { ResultsEngine } from './engine.ts'

export const brave: ResultsEngine = {
  name: 'brave-page',
  home: 'https://search.brave.com/search',
  operators: new Set(['phrase', 'without', 'site', 'filetype', 'inTitle']),
  soft: new Set(),
  period: 'by the day',
  fieldsOf: ({ country, period }, now) => ({
    source: 'web',
    country: country.toLowerCase(),
    safesearch: 'moderate',
    summary: '0',
    tf: timeOf(period, now),
  }),
  marks: {
    result: '.snippet[data-type="web"], #results .snippet:not([data-type])',
    advert: '[data-type="ad"], .ad-snippet, .ad',
    link: 'a[href^="http"]',
    title: '.title, .snippet-title',
    snippet: '.generic-snippet .content, .snippet-description, .snippet-content, .description',
    date: '.t-secondary, .age',
    noise: '.t-secondary, .age',
    challenge: '.captcha, #captcha, form[action*="captcha"], #pow-captcha-top',
    challengeText: "confirm you[’']re (?:a )?human|verify (?:that )?you are (?:a )?human|suspicious activity",
    limitedText: 'too many requests',
    empty: '#no-results, .no-results',
    emptyText: 'no results found|did not match any',
  },
  targetOf: ({ href, hostname }) => (hostname === 'search.brave.com' ? undefined : href),
}

function timeOf(period: SearchPeriod | undefined, now: number): string | undefined {
  if (period?.bare !== undefined) return `p${period.bare === 'h' ? 'd' : period.bare}`
  const range = rangeOf(period, now)
  return range && `${dayOf(range.from)}to${dayOf(range.to)}`
}
