import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer, type LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { createAdHosts } from '../../src/engine/net/proxy/block-list.ts'
import { ruleForAll } from './rule-for-all.ts'

const answers = {
  bad: 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  good: 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok',
}
const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])

test('the forward proxy keeps the error of a URL when another page of its host is loaded', async () => {
  const site = createServer((socket) =>
    socket.once('data', (head) => socket.end(head.includes('/bad') ? answers.bad : answers.good)),
  ).listen(0, '127.0.0.1')
  await once(site, 'listening')
  onTestFinished(() => void site.close())
  const host = `site.example:${(site.address() as AddressInfo).port}`
  const proxies = createForwardProxies({ ruleOf: ruleForAll([host]), adHosts: createAdHosts([]), lookup })
  onTestFinished(() => proxies.close())
  const { server, errorOf } = await proxies.proxyFor({ teamId: 'team', blockAds: false })
  const statusOf = async (url: string) => {
    const [proxyHost, port] = server.split(':')
    const sent = request({ host: proxyHost, port, path: url, headers: { host } }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  expect(await statusOf(`http://${host}/bad`)).toBe(502)
  expect(await statusOf(`http://${host}/good`)).toBe(200)
  expect(errorOf(`http://${host}/bad`)).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
})
