import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { readableIssues } from '../../src/kernel/issues.ts'
import { Webhook } from '../../src/schema/webhook-schema.ts'

const url = 'https://example.com/hook'
const all = ['started', 'page', 'completed', 'failed', 'cancelled']
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`x-${nth}`, 'v']))

describe('a webhook', () => {
  test.each([
    ['a URL', url],
    ['an object', { url }],
  ])('of the form %s is subscribed to all events', (_, given) => {
    expect(Webhook.parse(given)).toEqual({ url, headers: {}, metadata: {}, events: all })
  })

  test.each([
    [['page'], ['page']],
    [['crawl.page'], ['page']],
    [['agent.completed'], ['completed']],
    [['batch_scrape.page', 'crawl.page', 'page'], ['page']],
    [
      ['failed', 'batch_scrape.started'],
      ['started', 'failed'],
    ],
  ])('reads the events %j as %j', (events, known) => expect(Webhook.parse({ url, events }).events).toEqual(known))

  test.each<[given: unknown, path: (string | number)[]]>([
    ['ftp://example.com/', []],
    ['example.com/hook', []],
    ['javascript:alert(1)', []],
    [{ url: 'file:///etc/passwd' }, ['url']],
    [{ url: '' }, ['url']],
    [{ url, events: [] }, ['events']],
    [{ url, events: ['done'] }, ['events', 0]],
    [{ url, events: ['map.page'] }, ['events', 0]],
    [{ url, headers: { 'X-A': 'a\r\nX-B: b' } }, ['headers', 'X-A']],
    [{ url, headers: { 'X-A': 'naïve 🕸' } }, ['headers', 'X-A']],
    [{ url, headers: { 'X A': 'a' } }, ['headers', 'X A']],
    [{ url, headers: { 'X-A': 'a'.repeat(8193) } }, ['headers', 'X-A']],
    ...['Host', 'content-type', 'Content-Length', 'connection', 'Transfer-Encoding', 'X-Service-Signature'].map(
      (name): [unknown, string[]] => [{ url, headers: { [name]: 'a' } }, ['headers', name]],
    ),
    [{ url, headers: many(51) }, ['headers']],
    [{ url, metadata: { a: 'é'.repeat(5200) } }, ['metadata']],
  ])('%j is refused at %j', (given, path) => {
    const refused = Webhook.safeParse(given)
    expect(readableIssues(refused.error as z.ZodError)).toEqual([expect.objectContaining({ path })])
  })
})
