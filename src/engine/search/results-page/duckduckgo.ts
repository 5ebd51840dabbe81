import type { SearchPeriod } from '../../../core/search.ts'
import { dayOf, rangeOf } from '../provider/dates.ts'
import type { ResultsEngine } from './engine.ts'
import { duckRegion } from './places.ts'

/** The page for browsers without scripts, which also takes GET. */
export const duckduckgo: ResultsEngine = {
  name: 'duckduckgo',
  home: 'https://html.duckduckgo.com/html/',
  operators: new Set(['without', 'site', 'filetype']),
  soft: new Set(['phrase', 'inUrl', 'inTitle']),
  period: 'by the day',
  fieldsOf: ({ country, period }, now) => ({ kl: duckRegion(country), kp: '-1', df: timeOf(period, now) }),
  marks: {
    result: '#links .web-result, .results .web-result',
    advert: '.result--ad',
    link: 'h2 a, a.result__a',
    title: 'h2 a, a.result__a',
    snippet: '.result__snippet',
    date: '.result__extras__url span',
    noise: '.badge',
    challenge: '.anomaly-modal, .anomaly-modal__title, form#challenge-form',
    challengeText: 'bots use duckduckgo too|select all squares',
    limitedText: 'too many requests',
    empty: '.no-results, .result--no-result',
    emptyText: 'no results found',
  },
  /** Results lead over a page that hides where one comes from; advertisements over a script that counts. */
  targetOf(link) {
    if (!/(?:^|\.)duckduckgo\.com$/.test(link.hostname)) return link.href
    return link.pathname.startsWith('/l/') ? (link.searchParams.get('uddg') ?? undefined) : undefined
  },
}

function timeOf(period: SearchPeriod | undefined, now: number): string | undefined {
  if (period?.bare !== undefined) return period.bare === 'h' ? 'd' : period.bare
  const range = rangeOf(period, now)
  return range && `${dayOf(range.from)}..${dayOf(range.to)}`
}
