/** Bodies of about a megabyte that are expensive to parse or to validate, or have many faults. */
const size = 1_000_000

const list = (item: unknown, count: number) => Array.from({ length: count }, () => item)
const object = (count: number, valueOf: (index: number) => unknown = () => 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, valueOf(index)]))
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const url = 'https://example.com/'

const listFields: readonly [operation: string, path: string, field: string][] = [
  ...['formats', 'includeTags', 'excludeTags', 'parsers', 'actions'].map(
    (field) => ['scrape', '/v2/scrape', field] as [string, string, string],
  ),
  ['search', '/v2/search', 'sources'],
  ['search', '/v2/search', 'categories'],
  ['search', '/v2/search', 'enterprise'],
  ['search', '/v2/search', 'includeDomains'],
  ['crawl', '/v2/crawl', 'includePaths'],
  ['batch_scrape', '/v2/batch/scrape', 'urls'],
  ['batch_scrape', '/v2/batch/scrape', 'formats'],
]

export type Body = { what: string; operation: string; path: string; text: string }

const body = (what: string, operation: string, path: string, value: unknown): Body => ({
  what,
  operation,
  path,
  text: typeof value === 'string' ? value : JSON.stringify(value),
})
const scrape = (what: string, value: unknown) => body(what, 'scrape', '/v2/scrape', value)

/** Bodies that every operation refuses. */
export const worstBodies: readonly Body[] = [
  ...listFields.flatMap(([operation, path, field]) => [
    body(`${field} of half a million numbers`, operation, path, { url, query: 'a', [field]: list(1, size / 2) }),
    body(`${field} of 29,000 numbers`, operation, path, { url, query: 'a', [field]: list(1, 29_000) }),
    body(`${field} of 50 objects`, operation, path, { url, query: 'a', [field]: list({ type: 1 }, 50) }),
  ]),
  scrape('languages', { url, location: { languages: list(1, 29_000) } }),
  scrape('headers by name', { url, headers: object(9_000) }),
  scrape('headers by value', { url, headers: object(200) }),
  scrape('fields of format objects', { url, formats: list(object(150), 50) }),
  scrape('formats full of selectors', { url, formats: list({ type: 'attributes', selectors: list({}, 190) }, 50) }),
  scrape('unknown fields', object(9_000)),
  scrape('a name as long as the body', { [`${'a'.repeat(size)}`]: 1 }),
  scrape('a name of control characters', { url, headers: { ['\u0000'.repeat(160_000)]: 1 } }),
  scrape('a text of control characters', { url: '\u0000'.repeat(160_000), formats: ['\u0001'.repeat(9)] }),
  scrape('a list in a list', `{"url":"${url}","formats":${nested(size / 2 - 50)}}`),
  scrape('objects in objects', `${'{"url":'.repeat(size / 10)}1${'}'.repeat(size / 10)}`),
  scrape('a schema that is too deep', `{"url":"${url}","formats":[{"type":"json","schema":{"a":${nested(70)}}}]}`),
  scrape('empty objects', `{"url":"${url}","formats":[${'{},'.repeat(size / 3)}{}]}`),
  body('events and metadata', 'crawl', '/v2/crawl', {
    url,
    webhook: { url: 'https://example.com/hook', events: list('x', 20_000), metadata: object(9_000) },
  }),
  body('options of the pages', 'crawl', '/v2/crawl', { url, scrapeOptions: { formats: list('x', 29_000) } }),
  body('options of the results', 'search', '/v2/search', {
    query: 'a',
    scrapeOptions: { includeTags: list(1, 999), excludeTags: list({}, 999), headers: object(200) },
  }),
]
