import { describe, expect, test } from 'vitest'
import { drawn } from '../../attack/hostile.ts'
import { framePageRoutes, framePages, type Hosts } from './frame-pages.ts'
import { frameRoutes } from './framed-pages.ts'
import { forAll } from '../../helpers/for-all.ts'
import { openLive } from './live.ts'

const live = forAll(() => {
  const more = ['--host-resolver-rules=MAP *.test 127.0.0.1', '--site-per-process']
  return openLive({ more, routes: { ...frameRoutes, ...framePageRoutes } })
})
const at = (host: string) => `http://${host}:${live.site.port}`
const hosts = forAll((): Hosts => ({ shop: at('shop.test'), pay: at('pay.test'), bank: at('bank.test') }))

describe.concurrent.each(Object.entries(framePages))('frames %s', (_, pages) => {
  test.each(drawn(Object.entries(pages)))('%s', async (_name, { page, acts, says, mayFail, shows, hides }) => {
    const agent = await live.agent()
    await agent.act({
      type: 'navigate',
      url: `${hosts.shop}/frames/any?body=${encodeURIComponent(page(hosts))}`,
    })
    const { ok, text } = await agent.act(...acts)
    if (typeof says === 'string') expect(text).toContain(says)
    else expect(text).toMatch(says)
    if (!mayFail) expect({ ok, text }).toEqual({ ok: true, text })
    if (shows !== undefined || hides !== undefined) {
      const seen = await agent.look()
      if (shows !== undefined) expect(seen).toMatch(shows)
      if (hides !== undefined) expect(seen).not.toContain(hides)
    }
    await agent.close()
  })
})
