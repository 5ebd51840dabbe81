import { describe, expect, test } from 'vitest'
import { siteForAll } from '../helpers/for-all.ts'
import { startSite } from '../helpers/site.ts'
import { refused } from './address-cases.ts'
import { client, names, textOf } from './fetching.ts'

const site = siteForAll()

const refusal = { code: 'SCRAPE_ADDRESS_REFUSED', status: 403 }
const isUrl = (url: string) => URL.canParse(url)

describe('a closed address is never requested', () => {
  test.each(refused.filter(isUrl))('when it is %j', async (url) => {
    await expect(client({ allowHosts: [] })(url)).rejects.toMatchObject(refusal)
  })

  test.each(refused.filter((url) => isUrl(url) && !/^http:127|\n/.test(url)))(
    'when a redirect leads to %j',
    async (target) => {
      const get = client({ allowHosts: [`127.0.0.1:${site.port}`] })
      const url = site.url(`/redirect/to?to=${encodeURIComponent(target)}`)
      await expect(get(url)).rejects.toMatchObject(refusal)
    },
  )

  test.each(['127.0.0.2', '169.254.169.254', '64:ff9b::a00:1'])('when a name resolves to %s', async (address) => {
    const get = client({ allowHosts: [], lookup: names({ 'public.example.com': [[address]] }) })
    await expect(get('http://public.example.com/')).rejects.toMatchObject({
      ...refusal,
      details: { host: 'public.example.com' },
    })
  })

  test('even if the second lookup of a name leads to it, and the first was open', async () => {
    const lookup = names({ 'rebind.example.com': [['127.0.0.1'], ['127.0.0.2']] })
    const get = client({ lookup })
    const url = `http://rebind.example.com:${site.port}/close-each`
    expect(textOf(await get(url))).toContain('One page a connection')
    await expect(get(url)).rejects.toMatchObject(refusal)
  })

  test('on a port other than that of the exception', async () => {
    const other = await startSite()
    const get = client({
      allowHosts: [`127.0.0.1:${site.port}`, `dev.test:${site.port}`],
      lookup: names({ 'dev.test': [['127.0.0.1']] }),
    })
    expect((await get(site.url('/plain'))).status).toBe(200)
    expect((await get(`http://dev.test:${site.port}/plain`)).status).toBe(200)
    await expect(get(other.url('/plain'))).rejects.toMatchObject(refusal)
    await expect(get(`http://dev.test:${other.port}/plain`)).rejects.toMatchObject(refusal)
    await expect(get(site.url(`/redirect/to?to=${other.origin}`))).rejects.toMatchObject(refusal)
    expect(other.requests).toEqual([])
    await other.close()
  })
})

test('an exception for a name covers any address that it resolves to', async () => {
  const get = client({ allowHosts: ['localhost'], lookup: names({ localhost: [['127.0.0.1']] }) })
  expect((await get(`http://localhost:${site.port}/plain`)).status).toBe(200)
  await expect(get(site.url('/plain'))).rejects.toMatchObject(refusal)
})

test('a name that does not exist is a DNS failure', async () => {
  await expect(client()('http://nowhere.example.com/')).rejects.toMatchObject({
    code: 'SCRAPE_DNS_RESOLUTION_ERROR',
    message: 'The host name of the URL does not exist.',
  })
})
