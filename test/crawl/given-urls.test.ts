import { expect, test } from 'vitest'
import { checkUrls } from '../../src/engine/crawl/start-crawl.ts'
import { forTest } from '../helpers/for-all.ts'
import { countTurns } from '../helpers/turns.ts'

const skipping = { ignoreInvalidURLs: true }
const many = (count: number, urlOf: (index: number) => string) => Array.from({ length: count }, (_, at) => urlOf(at))

/** Counts the turns of the event loop while the list was read. */
async function turnsOf(urls: readonly string[]): Promise<number> {
  const turns = forTest(countTurns())
  await checkUrls(urls, skipping)
  return turns.now()
}

test('other calls run while 100,000 URLs are checked', async () => {
  expect(await turnsOf(many(100_000, (at) => `https://example.com/${at}`))).toBeGreaterThanOrEqual(100)
  expect(await turnsOf(['a.example/valid', ...many(20_000, (at) => `none${at}`)])).toBeGreaterThanOrEqual(20)
})

test('valid and invalid URLs keep their order', async () => {
  const urls = many(5000, (at) => (at % 2 === 0 ? `example.com/${at}` : `none${at}`))
  const { valid, invalidURLs } = await checkUrls(urls, skipping)
  expect(valid).toEqual(urls.filter((url) => url.startsWith('example')).map((url) => `http://${url}`))
  expect(invalidURLs).toEqual(urls.filter((url) => url.startsWith('none')))
})

test.each([
  { what: 'none is valid', urls: many(30, (at) => `none${at}`), options: skipping },
  {
    what: 'one is invalid and is not to be skipped',
    urls: ['a.example', ...many(30, (at) => `none${at}`)],
    options: { ignoreInvalidURLs: false },
  },
])('up to twenty are named if $what', async ({ urls, options }) => {
  const refused = await checkUrls(urls, options).catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({ code: 'BAD_REQUEST' })
  const { details } = refused as { details: { path: unknown }[] }
  expect(details).toHaveLength(20)
  expect(details[0]).toEqual({
    path: ['urls', urls.indexOf('none0')],
    message: 'Not an http or https URL.',
    code: 'custom',
  })
})
