import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What support must tell at least, and the name of the test that makes it for real. */
const situations: Readonly<Record<string, string>> = {
  timeout: 'a page slower than the timeout',
  'shell page': 'a page that scripts fill late',
  'wall 403': 'a bot wall',
  '429': 'too many requests',
  'robots denial': 'robots.txt that denies the start',
  'includePaths missing the start': 'includePaths without the start',
  'bad regex': 'a pattern that is no regular expression',
  'sitemap-only empty': 'a crawl by a sitemap that there is none of',
  'stale cache': 'a stale copy',
  'lockdown miss': 'lockdown without a copy',
  'bad TLS': 'a certificate that nobody vouches for',
  DNS: 'a host name that does not exist',
  refused: 'a port at which nobody listens',
  'redirect loop': 'redirects in a loop',
  'login wall': 'a login wall',
  'selector never appears': 'a selector that never appears',
  'no browser': 'a machine without a browser',
  'no model': 'a service without a language model',
  'search blocked': 'a search that every provider refuses',
  'credits gone': 'credits that are used up',
  concurrency: 'more calls than the team may make at once',
  'profile busy': 'a profile that another session writes to',
  'webhook 500': 'a webhook whose receiver fails',
  'session gone': 'a session that is gone',
}

const tests = ['scrapes', 'others']
  .map((name) => readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8'))
  .join('\n')

test.each(Object.entries(situations))('%s has its test: %s', (_, name) => {
  expect(tests).toContain(`    '${name}',\n`)
})
