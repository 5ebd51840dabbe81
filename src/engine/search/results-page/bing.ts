import type { SearchPeriod } from '../../../core/search.ts'
import { rangeOf } from '../provider/dates.ts'
import { languageOf } from '../provider/places.ts'
import type { ResultsEngine } from './engine.ts'

export const bing: ResultsEngine = {
  name: 'bing',
  home: 'https://www.bing.com/search',
  operators: new Set(['phrase', 'without', 'site', 'filetype', 'inTitle']),
  soft: new Set(),
  period: 'by the day',
  fieldsOf: (request, now) => ({
    mkt: `${languageOf(request)}-${request.country}`,
    adlt: 'moderate',
    filters: timeOf(request.period, now),
  }),
  marks: {
    result: '#b_results > li.b_algo',
    advert: '.b_ad, .b_adTop, .b_adBottom',
    link: 'h2 a',
    title: 'h2 a',
    snippet: '.b_caption p, .b_snippet, p',
    date: '.news_dt',
    noise: '.algoSlug_icon, .news_dt',
    challenge: '.captcha, #captcha, .b_captcha, iframe[src*="challenges.cloudflare.com"], #turnstile-widget',
    challengeText: 'one last step|solve the challenge|verify (?:that )?you are (?:a )?human',
    limitedText: 'too many requests',
    empty: '#b_results > .b_no',
    emptyText: 'there are no results for',
  },
  /** Results lead over a page that counts: `u` is the address in base64url after the two signs `a1`. */
  targetOf(link) {
    if (!/(?:^|\.)bing\.com$/.test(link.hostname)) return link.href
    const coded = link.pathname.startsWith('/ck/a') ? link.searchParams.get('u') : null
    return coded?.startsWith('a1') ? Buffer.from(coded.slice(2), 'base64url').toString() : undefined
  },
}

const dayMs = 86_400_000
const ranges = { h: 'ez1', d: 'ez1', w: 'ez2', m: 'ez3' }

/** Its filter of time: a named range, or days since the epoch. */
function timeOf(period: SearchPeriod | undefined, now: number): string | undefined {
  const bare = period?.bare
  if (bare !== undefined && bare !== 'y') return `ex1:"${ranges[bare]}"`
  const range = rangeOf(period, now)
  return range && `ex1:"ez5_${dayNumber(range.from)}_${dayNumber(range.to)}"`
}

const dayNumber = (at: number) => Math.floor(at / dayMs)
