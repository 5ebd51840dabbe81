import { afterAll, describe, expect } from 'vitest'
import { startSite } from '../../helpers/site.ts'
import { localCertificate } from '../../helpers/site/self-signed.ts'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

/** URL of a port that refuses connections. */
const closed = await (async () => {
  const site = await startSite({})
  await site.close()
  return `${site.origin}/`
})()

const selfSignedSite = await startSite({ certificate: localCertificate })
afterAll(() => selfSignedSite.close())

const open = (agent: Agent, path: string) => agent.open(`/reach/${path}`)

describe.concurrent('a search', () => {
  const searches: [string, RegExp][] = [
    ['age', /^"age" appears in 2 places:\n[^]*?Age does not count\.[^]*The page of an old message\./],
    ['old mess', /^"old mess" appears only inside longer words, in 1 place:\n[^]*old message/],
    ['high tide', /^"high tide" appears in 1 place:\nunder "Tides":\n Open at high tide only\./],
    ['tide rock', /^"tide rock" was not found as it is; all its words appear in 1 place:\n[^]*Gauges at rock nine/],
    [
      'gauge harbour depth',
      /^"gauge harbour depth" was not found; some of its words appear in 1 place:\n[^]*The harbour/,
    ],
    ['total', /^"total" appears in 1 place:\n[^]*44 €/],
    ['rope 4 €', /^"rope 4 €" appears in 1 place:\n[^]*Rope/],
    ['submarine', /^"submarine" was not found on the page\./],
    ['a.*e (', /^"a\.\*e \(" was not found on the page\./],
  ]
  test('returns the places of the text, of its words or of some of them', async ({ agent }) => {
    await open(agent, 'words')
    for (const [find, expected] of searches) expect(await agent.look({ find })).toMatch(expected)
  })
})

describe.concurrent('an extract', () => {
  const holders: [string, string][] = [
    ['Total', '44 €'],
    ['delivery', 'Delivery: 3 days'],
    ['does not count', 'Age does not count.'],
    ['Save', 'Save'],
  ]
  test('returns the row or line that contains the text, and fails if it is missing', async ({ agent }) => {
    await open(agent, 'words')
    for (const [target, expected] of holders) {
      const { ok, extracted } = await agent.act({ type: 'extract', target, as: 'text' })
      expect({ ok, extracted }, target).toMatchObject({ ok: true, extracted: [expect.stringContaining(expected)] })
    }
    const { ok, text } = await agent.act({ type: 'extract', target: 'submarine', as: 'text' })
    expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining('No visible element matches') })
  })
})

describe.concurrent('a snapshot', () => {
  test('marks what is hidden from screen readers, without decoration and text announced anyway', async ({ agent }) => {
    await open(agent, 'unspoken')
    const text = await agent.look()
    expect(text).toMatch(/aria-hidden\n button "Accept all" e\d+\n We use cookies\n12\.99 euros$/)
  })

  test('names the file shown by a tab', async ({ agent }) => {
    await open(agent, 'picture.svg')
    expect(await agent.look()).toContain('This is a file (image/svg+xml), not a page: scrape reads it by this URL.')
  })
})

test('acts continue in the opener of a window that closes itself', async ({ agent }) => {
  await open(agent, 'opener')
  const acts = [{ target: 'Log in' }, { target: 'Allow' }].map((each) => ({ type: 'click' as const, ...each }))
  const { ok, text } = await agent.act(...acts, { type: 'wait', text: 'logged in' })
  expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('was closed') })
})

test('files are not dropped on a page that does not accept them, because the browser would open them', async ({
  agent,
}) => {
  await open(agent, 'plain')
  const files = [{ name: 'a.txt', base64: 'YQ==' }]
  const { text } = await agent.act({ type: 'upload', target: 'No files here', files })
  expect(text).toMatch(/takes no files/)
  expect(text).not.toMatch(/file:|New tab/)
})

describe.concurrent('scrolling', () => {
  const ends: [string, string][] = [
    ['short', 'scroll: is at the end already'],
    ['long', 'scroll: is at the end now'],
    ['lazy', 'scroll: more has loaded: '],
  ]
  test('to the end reports if more content has loaded', async ({ agent }) => {
    for (const [path, expected] of ends) {
      await open(agent, path)
      expect((await agent.act({ type: 'scroll', direction: 'end' })).text, path).toContain(expected)
    }
  })

  const awaited: [string, string][] = [
    ['lazy', 'Entry 57 of the log'],
    ['box', 'Entry 37 of the log'],
    ['virtual', 'Row number 205'],
    ['long', 'The end'],
  ]
  test('until a text appears brings it into view', async ({ agent }) => {
    for (const [path, until] of awaited) {
      await open(agent, path)
      const { ok, text } = await agent.act({ type: 'scroll', until })
      expect({ ok, text }, path).toMatchObject({ ok: true, text: expect.stringContaining(until) })
      expect(await agent.look()).toContain(until)
    }
  })

  test.for<[string, 'up' | 'down', string]>([
    ['lazy', 'down', '"Entry 61" is not on the page, which was scrolled to its end.'],
    ['virtual', 'up', '"Row number 205" is not on the page, which was scrolled to its top.'],
  ])('in a %s list %s reports a missing text', async ([path, direction, expected], { agent }) => {
    await open(agent, path)
    const until = /"(.+)"/.exec(expected)?.[1] ?? ''
    const { ok, text } = await agent.act({ type: 'scroll', direction, until })
    expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining(expected) })
  })

  test('ignores the rest of a scrollable side bar at the end of the page', async ({ agent }) => {
    await open(agent, 'sidebar')
    expect((await agent.act({ type: 'scroll', target: 'Bar', direction: 'down' })).text).toContain(
      'screens are left below',
    )
    expect((await agent.act({ type: 'scroll' })).text).toContain('is at the end already')
  })

  test('up and down moves by a screen', async ({ agent }) => {
    await open(agent, 'long')
    expect((await agent.act({ type: 'scroll' })).text).toMatch(/scroll: 3\.\d screens are left below/)
    await agent.act({ type: 'scroll', screens: 2 })
    expect((await agent.act({ type: 'scroll', direction: 'up', screens: 2 })).text).toMatch(/3\.\d screens are left/)
    await agent.act({ type: 'scroll', direction: 'top' })
    expect((await agent.act({ type: 'scroll', direction: 'up' })).text).toContain('is at the top already')
  })
})

describe.concurrent('a page that cannot be loaded', () => {
  const unreachable: [string, string][] = [
    [closed, 'The connection was refused.'],
    [selfSignedSite.url('/'), 'The certificate is self-signed, or its issuer is unknown.'],
    ['http://127.0.0.1:9/', 'Browsers refuse that port.'],
    ['http://no-such-host.invalid/', 'There is no host of that name. Check its spelling.'],
  ]
  test('reports the reason in plain words', async ({ agent }) => {
    for (const [url, expected] of unreachable) {
      const { ok, text } = await agent.open(url)
      expect({ ok, text }, url).toMatchObject({ ok: false, text: expect.stringContaining(expected) })
    }
  })

  const statuses: [number, string][] = [
    [
      401,
      'the page was returned with status 401 (it requires a login: for one by name and password, navigate to https://name:password@host/…)',
    ],
    [404, 'the page was returned with status 404 (there is no such page'],
    [429, 'the page was returned with status 429 (too many requests'],
    [503, 'the page was returned with status 503 (the site has an error'],
    [418, 'the page was returned with status 418'],
  ]
  test('explains an error status', async ({ agent }) => {
    for (const [status, expected] of statuses) {
      const { ok, text } = await open(agent, `status/${status}`)
      expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining(expected) })
    }
  })
})
