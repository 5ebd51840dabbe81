import { expect, test } from 'vitest'
import type { ScopeRules } from '../../../src/engine/crawl/scope/crawl-scope.ts'
import { outcomeOf, scoped } from './scoped.ts'

type Row = [base: string, url: string, outcomeOf: 'page' | 'outOfScope']
const judged = async (rules: Partial<ScopeRules>, url: string) => outcomeOf((await scoped(rules)).judge(url, 1, 'link'))

const folders: Row[] = [
  ['https://example.com/', 'https://example.com/', 'page'],
  ['https://example.com', 'https://example.com/any', 'page'],
  ['https://example.com/docs', 'https://example.com/docs', 'page'],
  ['https://example.com/docs', 'https://example.com/docs/x', 'page'],
  ['https://example.com/docs', 'https://example.com/docs?page=2', 'page'],
  ['https://example.com/docs', 'https://example.com/docsearch', 'outOfScope'],
  ['https://example.com/docs', 'https://example.com/docs.html', 'outOfScope'],
  ['https://example.com/docs', 'https://example.com/', 'outOfScope'],
  ['https://example.com/docs/', 'https://example.com/docs/x', 'page'],
  ['https://example.com/docs/', 'https://example.com/docsearch', 'outOfScope'],
  ['https://example.com/docs/', 'https://example.com/docs/../blog', 'outOfScope'],
  ['https://example.com/docs/start.html', 'https://example.com/docs/next.html', 'page'],
  ['https://example.com/docs/start.html', 'https://example.com/blog/x', 'outOfScope'],
  ['https://example.com/docs/Default.ASPX?id=1', 'https://example.com/docs/x', 'page'],
  ['https://example.com/index.php', 'https://example.com/x', 'page'],
  ['https://example.com/docs/v1.2', 'https://example.com/docs/v1.3', 'outOfScope'],
  ['https://example.com/people/jane.smith', 'https://example.com/people/john.smith', 'outOfScope'],
  ['https://example.com/über', 'https://example.com/%c3%bcber/x', 'page'],
  ['https://example.com/#/app', 'https://example.com/x', 'page'],
]
const hosts: Row[] = [
  ['https://example.com/', 'http://example.com/x', 'page'],
  ['https://example.com/', 'https://www.example.com/x', 'page'],
  ['https://example.com/', 'https://EXAMPLE.com./x', 'page'],
  ['https://example.com/', 'https://user:secret@example.com/x', 'page'],
  ['https://example.com/', 'https://example.com:8443/x', 'outOfScope'],
  ['https://example.com:8443/', 'https://example.com:8443/x', 'page'],
  ['https://example.com:8443/', 'https://example.com/x', 'outOfScope'],
  ['https://example.com/', 'https://blog.example.com/x', 'outOfScope'],
  ['https://example.com/', 'https://example.org/x', 'outOfScope'],
  ['https://example.com/', 'https://notexample.com/x', 'outOfScope'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/x', 'page'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/x', 'page'],
  ['http://[::1]:3000/', 'http://[::1]:3000/x', 'page'],
]
test.each([...folders, ...hosts])('from %s, %s is %s', async (base, url, expected) => {
  expect(await judged({ bases: [base] }, url)).toBe(expected)
})

test.each<Row>([
  ['https://example.com/docs/', 'https://example.com/blog/', 'page'],
  ['https://example.com/docs/', 'http://www.example.com/', 'page'],
  ['https://example.com/docs/', 'https://blog.example.com/', 'outOfScope'],
  ['https://example.com/docs/', 'https://example.org/', 'outOfScope'],
])('with the entire domain, from %s, %s is %s', async (base, url, expected) => {
  expect(await judged({ bases: [base], crawlEntireDomain: true }, url)).toBe(expected)
})

test.each<Row>([
  ['https://example.com/', 'https://blog.example.com/x', 'page'],
  ['https://docs.example.com/', 'https://blog.example.com/x', 'page'],
  ['https://docs.example.com/', 'https://example.com/x', 'page'],
  ['https://docs.example.co.uk/', 'https://blog.example.co.uk/x', 'page'],
  ['https://docs.example.co.uk/', 'https://other.co.uk/x', 'outOfScope'],
  ['https://example.com/', 'https://example.com.evil.example/x', 'outOfScope'],
  ['https://one.github.io/', 'https://two.github.io/x', 'outOfScope'],
  ['https://one.github.io/', 'https://docs.one.github.io/x', 'page'],
  ['https://amazonaws.com/', 'https://bucket.s3.amazonaws.com/x', 'outOfScope'],
  ['https://example.com/', 'https://blog.example.com:8443/x', 'outOfScope'],
  ['https://example.com/', 'http://blog.example.com/x', 'page'],
  ['http://localhost:3000/', 'http://app.localhost:3000/x', 'outOfScope'],
  ['http://10.0.0.1/', 'http://9.10.0.0.1/x', 'outOfScope'],
  ['https://example.com/docs/', 'https://blog.example.com/x', 'page'],
])('with sub-domains, from %s, %s is %s', async (base, url, expected) => {
  const verdict = await judged({ bases: [base], allowSubdomains: true }, url)
  expect(verdict === 'invalid' ? 'outOfScope' : verdict).toBe(expected)
})

test.each<Row>([
  ['https://example.com/docs/', 'https://example.org/x', 'page'],
  ['https://example.com/docs/', 'http://127.0.0.1:81/x', 'page'],
  ['https://example.com/docs/', 'https://blog.example.com/x', 'page'],
  ['https://example.com/docs/', 'https://example.com:8443/x', 'page'],
  ['https://example.com/docs/', 'https://example.com/docs/x', 'page'],
  ['https://example.com/docs/', 'https://example.com/blog/x', 'outOfScope'],
])('with external links, from %s, %s is %s', async (base, url, expected) => {
  expect(await judged({ bases: [base], allowExternalLinks: true }, url)).toBe(expected)
})

test('the redirect target of the start address is also in scope', async () => {
  const bases = ['https://example.com/docs', 'https://docs.example.org/en/start.html']
  const scope = await scoped({ bases })
  const reasons = ['https://example.com/docs/x', 'https://docs.example.org/en/x', 'https://docs.example.org/de/x'].map(
    (url) => outcomeOf(scope.judge(url, 1, 'link')),
  )
  expect(reasons).toEqual(['page', 'page', 'outOfScope'])
})
