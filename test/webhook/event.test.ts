import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTeamSecrets, signatureHeaders } from '../../src/engine/webhook/sender.ts'
import { eventId, createEvent, missingPage } from '../../src/engine/webhook/event.ts'
import { Webhook } from '../../src/schema/webhook-schema.ts'

const webhook = Webhook.parse({ url: 'https://example.com/hook', headers: { 'X-Who': 'me' }, metadata: { run: 7 } })
const base = { kind: 'crawl', crawlId: 'crawl-1', now: 5, newId: () => 'event-1' } as const
const bodyOf = (...event: Parameters<typeof createEvent>) => JSON.parse(createEvent(...event)?.body ?? 'null') as object

describe('an event', () => {
  test('about a started job has no data', () => {
    const delivery = createEvent(webhook, { ...base, kind: 'batch_scrape', event: 'started' })
    expect(delivery).toEqual({
      id: 'event-1',
      crawlId: 'crawl-1',
      type: 'batch_scrape.started',
      url: 'https://example.com/hook',
      headers: { 'X-Who': 'me' },
      body: expect.any(String),
      createdAt: 5,
    })
    expect(JSON.parse(delivery?.body ?? '')).toEqual({
      success: true,
      type: 'batch_scrape.started',
      id: 'crawl-1',
      webhookId: 'event-1',
      data: [],
      metadata: { run: 7 },
    })
  })

  test('about a page contains its one document', () => {
    const document = { markdown: '# Hi', metadata: { sourceURL: 'https://example.com/' } }
    expect(bodyOf(webhook, { ...base, event: 'page', data: [document] })).toMatchObject({
      success: true,
      type: 'crawl.page',
      data: [document],
    })
  })

  test('about a failed page contains the page and the reason', () => {
    const data = [missingPage('https://example.com/a')] as const
    expect(bodyOf(webhook, { ...base, event: 'page', data, error: 'The site did not answer.' })).toMatchObject({
      success: false,
      error: 'The site did not answer.',
      data: [{ metadata: { sourceURL: 'https://example.com/a' } }],
    })
  })

  test('is created only if it is subscribed to', () => {
    const picky = Webhook.parse({ url: 'https://example.com/', events: ['crawl.completed'] })
    expect(createEvent(picky, { ...base, event: 'page' })).toBeUndefined()
    expect(createEvent(undefined, { ...base, event: 'completed' })).toBeUndefined()
    expect(createEvent(picky, { ...base, event: 'completed' })).toMatchObject({ type: 'crawl.completed' })
  })

  test('has its own id, which sorts after the previous one', () => {
    const ids = Array.from({ length: 500 }, () => {
      return createEvent(webhook, { ...base, newId: undefined, event: 'page' })?.id ?? ''
    })
    expect(new Set(ids).size).toBe(500)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test.each([
    [0, '00000000-0000-7000-'],
    [1.5, '00000000-0001-7800-'],
    [Date.UTC(2026, 0, 1) + 0.9995, '019b76da-a800-7ffe-'],
  ])('created at %d ms has an id that starts with %s', (atMs, start) => {
    expect(eventId(atMs).startsWith(start)).toBe(true)
  })
})

// Test case 2 of RFC 4231.
test('the signature is correct for a known case', () => {
  expect(signatureHeaders('Jefe', 'what do ya want for nothing?')['x-service-signature']).toBe(
    'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

describe('the secret of a team', () => {
  const shared = 'secret of the server'
  const own = { acme: 'a long secret', quiet: null } as Readonly<Record<string, string | null>>
  const secretOf = (hasOthers: boolean) =>
    createTeamSecrets({
      teams: { stateOf: async (id) => (id in own ? { webhookSecret: own[id] } : {}) },
      shared,
      hasOthers: async () => hasOthers,
    })

  test('is its own secret, or one that no other team can compute', async () => {
    const of = secretOf(true)
    expect(await of('acme')).toEqual({ source: 'team', secret: own['acme'] })
    expect(await of('quiet')).toEqual({ source: 'none', secret: undefined })
    const secret = createHmac('sha256', shared).update('blue').digest('hex')
    expect(await of('blue')).toEqual({ source: 'derived', secret })
    expect((await of('red')).secret).not.toBe(secret)
  })

  test('is that of the server for the local user, and for a team that is alone', async () => {
    expect(await secretOf(true)('local')).toEqual({ source: 'server', secret: shared })
    expect(await secretOf(false)('default')).toEqual({ source: 'server', secret: shared })
  })
})
