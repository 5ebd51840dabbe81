import { expect, it } from 'vitest'
import type { Document } from '../../src/schema/scrape/document.ts'
import { read as readJson } from '../helpers/api.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { sharedServer } from '../helpers/shared-server.ts'
import { answer, html } from '../helpers/site/route.ts'

const text = 'Orb webs are spun at night, and eaten by their owners in the morning.'
const page = (twin: string, link = 'rel="alternate" type="text/markdown"') =>
  html(
    `<html><head><title>Webs</title><link ${link} href="${twin}"></head>` +
      `<body><main><h1>Webs</h1><p>${text}</p></main></body></html>`,
  )
const markdown = (body: string) => answer(200, { 'content-type': 'text/markdown; charset=utf-8' }, body)
const whole = `# Webs\n\n${text}\n\n- Said only here.\n`
/** Text of the other pages of a site. */
const otherWords = Array.from({ length: 100 }, (_, nth) => `word${nth}`).join(' ')
const site = siteForAll({
  routes: {
    '/whole': page('/whole.md'),
    '/whole.md': markdown(whole),
    '/poor': page('/poor.md'),
    '/poor.md': markdown('# Webs\n\nOrb webs.\n'),
    '/missing': page('/missing.md'),
    '/missing.md': answer(404, { 'content-type': 'text/markdown' }, whole),
    '/listed': page('/llms.txt', 'rel="help"'),
    '/llms.txt': answer(200, { 'content-type': 'text/plain; charset=utf-8' }, whole),
    '/unlisted': page('/poor/llms.txt', 'rel="alternate" type="text/plain"'),
    '/poor/llms.txt': answer(200, { 'content-type': 'text/plain' }, '# Webs\n\n- [Orb webs](/whole.md)\n'),
    '/part': page('/site/llms.txt', 'rel="help"'),
    '/site/llms.txt': answer(200, { 'content-type': 'text/plain' }, `${whole}${otherWords}`),
    '/elsewhere': page('http://127.0.0.2:1/whole.md'),
  },
})

async function scrape(path: string, more: object = {}): Promise<Document> {
  const { url } = await sharedServer()
  return (await readJson<{ data: Document }>(`${url}/v2/scrape`, { url: site.url(path), ...more })).data
}
const requested = (path: string) => site.requests.filter((request) => request.url === path).length

it('a declared markdown file is read instead of its page, fresh and from the cache', async () => {
  for (const cacheState of ['miss', 'hit']) {
    const { markdown: read, metadata } = await scrape('/whole')
    expect(read).toContain('Said only here.')
    expect(metadata).toMatchObject({ markdownFrom: site.url('/whole.md'), title: 'Webs', cacheState, creditsUsed: 1 })
  }
  expect([requested('/whole'), requested('/whole.md')]).toEqual([1, 1])
})

it('a declared llms.txt is read instead of its page if it contains the words of the page', async () => {
  const { markdown: read, metadata } = await scrape('/listed')
  expect(read).toBe(whole)
  expect(metadata.markdownFrom).toBe(site.url('/llms.txt'))
})

it.each(['/poor', '/missing', '/elsewhere', '/unlisted', '/part'])('the page %s itself is read', async (path) => {
  const { markdown: read, metadata } = await scrape(path)
  expect(read).toContain(text)
  expect(metadata.markdownFrom).toBeUndefined()
})

it('a declared markdown file is not requested if more than text is needed', async () => {
  const before = requested('/poor.md')
  const { metadata } = await scrape('/whole', { formats: ['markdown', 'links'] })
  await scrape('/poor', { formats: ['markdown', 'html'] })
  expect(metadata.markdownFrom).toBeUndefined()
  expect(requested('/poor.md')).toBe(before)
})
