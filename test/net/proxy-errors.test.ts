import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createServer, type LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { createForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { createAdHosts } from '../../src/engine/net/proxy/block-list.ts'
import { forTest } from '../helpers/for-all.ts'
import { listen } from '../helpers/listen.ts'
import { ruleForAll } from './rule-for-all.ts'

const answers = {
  bad: 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  good: 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok',
}
const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])

test('the forward proxy keeps the error of a URL when another page of its host is loaded', async () => {
  const site = createServer((socket) =>
    socket.once('data', (head) => socket.end(head.includes('/bad') ? answers.bad : answers.good)),
  )
  const host = `site.example:${forTest(await listen(site)).port}`
  const proxies = forTest(createForwardProxies({ ruleOf: ruleForAll([host]), adHosts: createAdHosts([]), lookup }))
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
