import { Agent, request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { type AddressRule, createAddressRule } from '../../src/engine/net/address-rule.ts'
import { guardedConnector } from '../../src/engine/net/http/connector.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { names } from './fetching.ts'

const site = siteForAll()

const refusal = { code: 'SCRAPE_ADDRESS_REFUSED' }

/** Creates an agent of undici with our connector alone, which must refuse what the client overlooks. */
function bareAgent(rule: AddressRule, table: Parameters<typeof names>[0] = {}): Agent {
  const connect = guardedConnector({ rule, lookup: names(table), connectTimeoutMs: 1000, certificates: 'verify' })
  const dispatcher = new Agent({ connect, allowH2: false })
  onTestFinished(() => dispatcher.destroy())
  return dispatcher
}

test.each(['127.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]', 'localhost'])(
  'an Agent does not connect to %s, which undici does not look up',
  async (host) => {
    const dispatcher = bareAgent(createAddressRule([]), { localhost: [['127.0.0.1']] })
    await expect(request(`http://${host}:${site.port}/plain`, { dispatcher })).rejects.toMatchObject(refusal)
  },
)

test('an Agent connects to an address that the operator allows', async () => {
  const dispatcher = bareAgent(createAddressRule([`127.0.0.1:${site.port}`]))
  const { statusCode, body } = await request(site.url('/plain'), { dispatcher })
  await body.dump()
  expect(statusCode).toBe(200)
})

test('a socket is closed unused if the address of its peer is refused', async () => {
  const before = site.requests.length
  const verdicts = [false, true]
  const rule: AddressRule = {
    refusesUrl: () => false,
    refusesHost: () => false,
    refusesIp: () => verdicts.shift() ?? true,
  }
  const dispatcher = bareAgent(rule, { 'a.example.com': [['127.0.0.1']] })
  await expect(request(`http://a.example.com:${site.port}/plain`, { dispatcher })).rejects.toMatchObject(refusal)
  expect(verdicts).toEqual([])
  expect(site.requests.length).toBe(before)
})
