import { dayOf } from '../provider/dates.ts'
import type { ResultsEngine } from './engine.ts'

/** An index of its own, smaller than the others. The number of the first page must not be sent: it counts as haste. */
export const mojeek: ResultsEngine = {
  name: 'mojeek',
  home: 'https://www.mojeek.com/search',
  operators: new Set(['phrase', 'without', 'site', 'inUrl', 'inTitle']),
  soft: new Set(),
  period: 'by the day',
  fieldsOf: ({ country, language, period }) => ({
    safe: '1',
    arc: country.toLowerCase(),
    lb: language?.toLowerCase().split('-')[0],
    since: compactDay(period?.from),
    before: compactDay(period?.to),
  }),
  marks: {
    result: 'ul.results-standard > li',
    advert: '.ad, .ads, .sponsored',
    link: 'a.ob, h2 a',
    title: 'h2 a, a.title',
    snippet: 'p.s',
    date: '.mdate, time',
    noise: '.mdate, time',
    challenge: 'form#challenge-form, .captcha, #captcha',
    challengeText: 'automated (?:queries|requests)|unusual traffic|verify (?:that )?you are (?:a )?human',
    limitedText: 'too many requests|rate limit',
    empty: '.no-results, .noresults',
    emptyText: 'no (?:pages|results) found',
  },
  targetOf: ({ href, hostname }) => (/(?:^|\.)mojeek\.com$/.test(hostname) ? undefined : href),
}

const compactDay = (at: number | undefined) => (at === undefined ? undefined : dayOf(at).replaceAll('-', ''))
