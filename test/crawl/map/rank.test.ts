import { describe, expect, test } from 'vitest'
import { type Candidate, rankByQuery } from '../../../src/engine/crawl/map/rank-links.ts'
import { wordsIn } from '../../../src/util/words.ts'

describe('words', () => {
  test.each([
    ['of a sentence', 'The Lamps of 2024', ['the', 'lamp', 'of', '2024']],
    ['of a path', '/getting-started_now/v2.html', ['gett', 'start', 'now', 'v2', 'html']],
    ['in a name written together', 'maxAgeMs', ['max', 'age', 'ms']],
    ['with accents', 'Über Crème brûlée Ærø straße', ['uber', 'crem', 'brule', 'aero', 'strass']],
    ['with accents as marks of their own', 'cafe\u0301', ['caf']],
    ['with an apostrophe', "the harbour's lamps", ['the', 'harbour', 'lamp']],
    ['of Chinese', '产品价格', ['产品', '品价', '价格']],
    ['of Japanese beside Latin', 'ガイドv2', ['ガイ', 'イド', 'v2']],
    ['of Korean', '가격 표', ['가격', '표']],
    ['of Russian', 'Новости', ['новости']],
    ['of nothing', ' -/- ', []],
  ])('%s', (_, text, words) => expect(wordsIn(text)).toEqual(words))

  test.each([
    ['price', 'prices', 'pricing', 'priced'],
    ['company', 'companies'],
    ['documentation', 'documents', 'document', 'documenting'],
    ['box', 'boxes'],
    ['class', 'classes'],
    ['install', 'installation', 'installing', 'installed', 'installs'],
    ['story', 'stories'],
    ['plan', 'plans', 'planned', 'planning'],
    ['release', 'releases', 'released'],
    ['café', 'cafés'],
  ])('%s matches its other forms', (...forms) => expect(new Set(forms.flatMap(wordsIn)).size).toBe(1))

  test.each([
    ['news', 'new'],
    ['status', 'state'],
    ['press', 'pre'],
    ['organ', 'organization'],
    ['sing', 's'],
  ])('do not match different words: %s, %s', (one, other) => expect(wordsIn(one)).not.toEqual(wordsIn(other)))
})

const site: Candidate[] = [
  { url: 'https://ex.com/', title: 'Harbour | Lamps for the coast' },
  { url: 'https://ex.com/about', title: 'About | Harbour' },
  { url: 'https://ex.com/pricing', title: 'Pricing | Harbour' },
  {
    url: 'https://ex.com/blog/2024/how-we-changed-our-pricing-page',
    title: 'How we changed our pricing page | Harbour',
  },
  { url: 'https://ex.com/docs/install', title: 'Install the client | Harbour', description: 'Download and set up.' },
  { url: 'https://ex.com/docs/api/sign-up', title: 'Users | Harbour' },
  { url: 'https://ex.com/docs/api/webhooks', title: 'Webhooks | Harbour', description: 'Prices do not apply.' },
  { url: 'https://ex.com/change-log', title: 'What is new | Harbour' },
  { url: 'https://status.ex.com/', title: 'Harbour' },
  { url: 'https://ex.com/p/1', title: '灯台の価格' },
  { url: 'https://ex.com/%C3%BCber-uns', title: 'Harbour' },
  { url: 'https://ex.com/search?topic=rope', title: 'Harbour' },
  { url: 'https://ex.com/%zz', title: 'Harbour' },
]
const found = async (query: string) => (await rankByQuery(site, query)).map(({ url }) => url.replace('https://', ''))

describe('ranking of URLs', () => {
  test.each([
    ['pricing', 'ex.com/pricing'],
    ['prices', 'ex.com/pricing'],
    ['What does it cost? the price page', 'ex.com/pricing'],
    ['install', 'ex.com/docs/install'],
    ['how do I download the client', 'ex.com/docs/install'],
    ['signup', 'ex.com/docs/api/sign-up'],
    ['sign up', 'ex.com/docs/api/sign-up'],
    ['changelog', 'ex.com/change-log'],
    ['change log', 'ex.com/change-log'],
    ['webhook api', 'ex.com/docs/api/webhooks'],
    ['status', 'status.ex.com/'],
    ['価格', 'ex.com/p/1'],
    ['uber uns', 'ex.com/%C3%BCber-uns'],
    ['ÜBER', 'ex.com/%C3%BCber-uns'],
    ['rope', 'ex.com/search?topic=rope'],
    ['webh', 'ex.com/docs/api/webhooks'],
  ])('leads from %s to %s', async (query, first) => expect((await found(query))[0]).toBe(first))

  test('lists only URLs that match a word', async () => {
    expect(await found('install')).toEqual(['ex.com/docs/install'])
    expect(await found('submarine')).toEqual([])
    expect(await found('')).toEqual([])
  })

  test('puts a page about a subject before pages that mention it', async () => {
    expect(await found('pricing')).toEqual([
      'ex.com/pricing',
      'ex.com/blog/2024/how-we-changed-our-pricing-page',
      'ex.com/docs/api/webhooks',
    ])
  })

  test('ignores a word of most pages, unless the query has no other', async () => {
    expect(await found('harbour webhooks')).toEqual(['ex.com/docs/api/webhooks'])
    expect((await found('harbour')).length).toBe(12)
    expect((await found('harbour submarine')).length).toBe(12)
  })
})
