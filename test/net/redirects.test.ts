import { describe, expect, test } from 'vitest'
import { siteForAll } from '../helpers/for-all.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { client, names, textOf } from './fetching.ts'
import { answer, rawSite } from './raw-site.ts'

const site = siteForAll()
const other = siteForAll()

const echo = async (page: Promise<{ body: Uint8Array }>) =>
  JSON.parse(Buffer.from((await page).body).toString()) as Record<string, string>
const lastHeaders = (of: Site) => of.requests.at(-1)?.headers ?? {}
const withUser = (url: string) => url.replace('http://', 'http://us%C3%A9r:p%40ss@')

test.each([301, 302, 303, 307, 308])('status %i is followed, and the final URL is returned', async (status) => {
  const page = await client()(site.url(`/redirect/${status}`))
  expect(page).toMatchObject({ status: 200, url: site.url('/plain') })
  expect(textOf(page)).toContain('You have arrived.')
})

test.each([
  ['/redirect/relative/deep', '/plain?from=relative'],
  ['/redirect/chain/20', '/plain'],
  ['/redirect/endless-body', '/plain'],
  ['/redirect/302#part', '/plain#part'],
  ['/redirect/to?to=%2Fplain%23own#part', '/plain#own'],
  ['/redirect/to?to=%3Fto%3D%2Fplain', '/plain'],
])('a redirect from %s arrives at %s', async (from, to) => {
  expect((await client()(site.url(from))).url).toBe(site.url(to))
})

test.each([
  ['/redirect/chain/21', 'The site redirects more than 20 times.'],
  ['/redirect/endless/0', 'The site redirects more than 20 times.'],
  ['/redirect/loop', 'The site redirects in a loop.'],
  ['/redirect/ping', 'The site redirects in a loop.'],
  ['/redirect/not-a-url', 'The site redirects to something that is not a URL.'],
])('a request stops at %s: %s', async (path, message) => {
  await expect(client()(site.url(path))).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR', message })
})

test.each(['/redirect/private', '/redirect/metadata', '/redirect/other-scheme'])('refuses to follow %s', (path) =>
  expect(client()(site.url(path))).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' }),
)

test('shows a redirect with an empty Location as a page, as browsers do', async () => {
  const { url } = await rawSite([
    (socket) => void socket.end('HTTP/1.1 302 Found\r\nlocation: \r\ncontent-length: 4\r\n\r\nread'),
  ])
  const page = await client()(url('/'))
  expect([page.status, textOf(page)]).toEqual([302, 'read'])
})

test.each([
  '<!--[if lt IE 9]>%<![endif]-->',
  '<noscript>%</noscript>',
  '<template>%</template>',
  '<script>"%"</script>',
])('a refresh that browsers do not read is not followed: %s', async (around) => {
  const { url } = await rawSite([answer(around.replace('%', '<meta http-equiv=refresh content="0; url=/old">'))])
  expect(await client()(url('/'))).toMatchObject({ url: url('/') })
})

test('a short page with an immediate refresh is followed as a redirect, unless mayFollow forbids it', async () => {
  expect(await client()(site.url('/meta-refresh'))).toMatchObject({ url: site.url('/plain') })
  const kept = client()(site.url('/meta-refresh'), { mayFollow: async () => false })
  await expect(kept).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
})

describe('cookies', () => {
  test('set by a site while it redirects are sent back to it', async () => {
    expect(textOf(await client()(site.url('/set-cookie-redirect')))).toContain('Welcome back')
  })

  test('are merged with those of the caller, which take precedence', async () => {
    const headers = { Cookie: 'b=mine; c=3' }
    expect((await echo(client()(site.url('/clear-cookie-redirect'), { headers })))['cookie']).toBe('b=mine; c=3')
    const withA = { cookie: 'c=3' }
    expect((await echo(client()(site.url('/clear-cookie-redirect'), { headers: withA })))['cookie']).toBe('c=3; b=2')
  })

  test('do not reach another host', async () => {
    const get = client({ lookup: names({ 'one.example.com': [['127.0.0.1']], 'two.example.com': [['127.0.0.1']] }) })
    const routes = await startSite({
      routes: {
        '/away': ({ response, url }) => {
          const location = `http://two.example.com:${url.port}/echo-headers`
          response
            .writeHead(302, {
              location,
              'set-cookie': [
                'host=1',
                'wide=2; Domain=example.com',
                'top=3; Domain=com',
                'tls=4; Secure; Domain=example.com',
              ],
            })
            .end()
        },
      },
    })
    expect((await echo(get(`http://one.example.com:${routes.port}/away`)))['cookie']).toBe('wide=2')
    await routes.close()
  })
})

describe('secrets', () => {
  const secrets = {
    Authorization: 'Bearer abc',
    COOKIE: 'id=1',
    'proxy-authorization': 'Basic x',
    'X-Api-Key': 'k',
    'x-plain': 'stays',
  }

  test('stay on a redirect within the origin', async () => {
    await client()(site.url('/redirect/302'), { headers: secrets })
    expect(lastHeaders(site)).toMatchObject({
      authorization: 'Bearer abc',
      cookie: 'id=1',
      'x-api-key': 'k',
      'x-plain': 'stays',
    })
  })

  test('are dropped when the origin changes, and do not return', async () => {
    const back = `${other.origin}/redirect/to?to=${encodeURIComponent(site.url('/plain'))}`
    await client()(site.url(`/redirect/to?to=${encodeURIComponent(back)}`), { headers: secrets })
    for (const headers of [lastHeaders(other), lastHeaders(site)]) {
      expect(headers['x-plain']).toBe('stays')
      expect(Object.keys(headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/authorization|cookie|api-key/)]),
      )
    }
  })

  test('in the URL become a Basic header for that origin only and are not reported', async () => {
    const page = await client()(withUser(site.url('/redirect/302')))
    const basic = `Basic ${Buffer.from('usér:p@ss').toString('base64')}`
    expect(lastHeaders(site)['authorization']).toBe(basic)
    expect(page.url).toBe(site.url('/plain'))
    await client()(withUser(site.url(`/redirect/to?to=${other.origin}/plain`)))
    expect(lastHeaders(other)).not.toHaveProperty('authorization')
    await client()(site.url(`/redirect/to?to=${encodeURIComponent(withUser(other.url('/plain')))}`))
    expect(lastHeaders(other)['authorization']).toBe(basic)
  })
})
