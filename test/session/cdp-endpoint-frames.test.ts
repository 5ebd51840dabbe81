import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { performActions } from '../../src/engine/session/page/act.ts'
import { createTabs } from '../../src/engine/session/page/tabs.ts'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { frameRoutes } from './page/framed-pages.ts'
import { openEndpoint } from './programs/open-endpoint.ts'

const at = (host: string, path: string) => `http://${host}:${site.port}/frames/${path}`

const site = siteForAll({ routes: frameRoutes })
const endpoint = forAll(() =>
  openEndpoint({ more: ['--host-resolver-rules=MAP *.test 127.0.0.1', '--site-per-process'] }),
)

test('a program and the session act in the same frame of another origin, each over its own CDP session', async () => {
  const { connection } = endpoint.browser
  const { targetInfos } = await connection.browser.send('Target.getTargets', {})
  const contextId = targetInfos.find(({ type }) => type === 'page')!.browserContextId!
  const soon = AbortSignal.timeout(240_000)
  const tabs = await createTabs(connection, { contextId }, soon)
  const url = at('shop.test', `around?of=${at('pay.test', 'form')}`)
  await performActions(
    { tabs },
    [
      { type: 'navigate', url },
      { type: 'fill', target: 'Card number', value: '41' },
    ],
    soon,
  )
  const program = await chromium.connectOverCDP(endpoint.ws)
  const page = program
    .contexts()[0]!
    .pages()
    .find((each) => each.url() === url)!
  const card = page.frameLocator('iframe').getByLabel('Card number')
  expect(await card.inputValue()).toBe('41')
  await card.fill('4111')
  const paid = await performActions(
    { tabs },
    [
      { type: 'click', target: 'Pay now' },
      { type: 'wait', text: 'Paid with' },
    ],
    soon,
  )
  expect(paid.text).toContain('Paid with 4111')
  await program.close()
  const again = await performActions({ tabs }, [{ type: 'fill', target: 'Card number', value: '5' }], soon)
  expect(again).toMatchObject({ ok: true })
})
