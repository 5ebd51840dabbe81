import { describe, expect, test } from 'vitest'
import { drawn } from '../../attack/hostile.ts'
import { enoughText } from '../../helpers/site/route.ts'
import { frameRoutes, placings } from './framed-pages.ts'
import { openLive } from './live.ts'
import { leftOpen, forAll } from '../../helpers/for-all.ts'

const names = ['--host-resolver-rules=MAP *.test 127.0.0.1']

const frame = (body: string) =>
  `<iframe width="300" height="120" src="data:text/html,${encodeURIComponent(body)}"></iframe>`
const button = (name: string, pressed: string) =>
  `<button onclick="document.title = this.textContent = '${pressed}'">${name}</button>`

/** Process models of a usual browser and of the headless shell. One of them is drawn, except in full runs. */
const modes = {
  'in processes of their own': [...names, '--site-per-process'],
  'in the process of the page': [
    ...names,
    '--disable-site-isolation-trials',
    '--disable-features=IsolateSandboxedIframes',
  ],
}

describe.each(drawn(Object.entries(modes)))('frames of other origins, %s', (mode, more) => {
  const live = forAll(() =>
    openLive({
      more,
      routes: {
        ...frameRoutes,
        '/frames/page': ({ response, url }) => {
          response.setHeader('content-type', 'text/html; charset=utf-8')
          response.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${enoughText}${url.searchParams.get('markup')}`)
        },
      },
    }),
  )
  const at = (host: string) => `http://${host}:${live.site.port}`
  const hosts = forAll(() => ({ shop: at('shop.test'), bank: at('bank.shop.test'), pay: at('pay.test') }))
  const agent = forAll(() => live.agent(), leftOpen)

  const open = (markup: string) => agent.open(`${hosts.shop}/frames/page?markup=${encodeURIComponent(markup)}`)
  const paid = 'Paid with 4111 Maestro true slip.txt'
  const file = { name: 'slip.txt', base64: Buffer.from('slip').toString('base64') }

  test('run in the expected process', async () => {
    await open(placings['a frame of another site']!(hosts))
    const { targetInfos } = await live.browser.connection.browser.send('Target.getTargets', {})
    const apart = targetInfos.filter(({ type, url }) => type === 'iframe' && url.includes('pay.test'))
    expect(apart).toHaveLength(mode === 'in processes of their own' ? 1 : 0)
  })

  test.each(Object.entries(placings))('contain a form that is filled by its labels: %s', async (_, markup) => {
    await open(markup(hosts))
    const done = await agent.act(
      { type: 'fill', target: 'Card number', value: '4111' },
      { type: 'select', target: 'Network', options: ['Maestro'] },
      { type: 'check', target: 'Keep this card' },
      { type: 'upload', target: 'Receipt', files: [file] },
      { type: 'click', target: 'button "Pay now"' },
      { type: 'wait', text: 'Paid with' },
    )
    expect(done.text).toContain(paid)
    expect(done).toMatchObject({ ok: true, title: 'Shop' })
  })

  test('appear in snapshots under their origins, with unique refs for acts', async () => {
    await open(`<button>Outside</button>${placings['in a frame of a third site']!(hosts)}<button>Below</button>`)
    const seen = await agent.look()
    const lines = seen.split('\n').map((line) => line.replace(/ e\d+/, ''))
    expect(lines).toEqual(
      expect.arrayContaining([`iframe ${hosts.bank}`, ' Around', ` iframe ${hosts.pay}`, '  textbox "Card number"']),
    )
    const refs = seen.match(/\be\d+\b/g)!
    expect(new Set(refs).size).toBe(refs.length)
    expect(seen).toContain(`link "Terms" ${agent.ref('link "Terms"')} pay.test:`)
    const [card, network, keep, receipt, pay] = [
      '"Card number"',
      '"Network"',
      '"Keep this card"',
      '"Receipt"',
      '"Pay now"',
    ].map((name) => agent.ref(name))
    const done = await agent.act(
      { type: 'click', target: 'Outside' },
      { type: 'type', target: card!, value: '4111' },
      { type: 'fill', target: network!, value: 'Maestro' },
      { type: 'fill', target: keep!, value: 'yes' },
      { type: 'upload', target: receipt!, files: [file] },
      { type: 'press', target: pay!, key: 'Enter' },
    )
    expect(done.text).toContain(`+ ${paid}`)
    expect(await agent.look({ scope: keep! })).toContain('checked')
    expect(await agent.look({ find: 'Paid with' })).toContain('Maestro')
  })

  test('are searched after the page, in order; a target in several of them is ambiguous', async () => {
    await open(
      frame(button('One', 'first') + button('Two', 'second')) +
        frame(button('Two', 'third') + button('Six', 'a').repeat(2)) +
        button('One', 'page'),
    )
    expect(await agent.click('One')).toMatchObject({ title: 'page' })
    expect((await agent.click('button "Two"')).text).toContain('button "second"')
    const many = await agent.click('Six')
    expect(many.text).toMatch(/"Six" matches several elements: e\d+ button "Six"; e\d+ button "Six"/)
    const missing = await agent.click('Seven of Two')
    expect(missing.text).toMatch(/No visible element matches .* Nearest: e\d+ button "Two"/)
  })

  test('invalidate their refs when they are removed', async () => {
    const markup = `<iframe id="frame" ${'width="500" height="300"'} src="${hosts.pay}/frames/close"></iframe>
      <script>addEventListener('message', () => frame.remove())</script>`
    await open(markup)
    await agent.look()
    const [done, other] = [agent.ref('button "Done"'), agent.ref('textbox "Other"')]
    const closed = await agent.click(done)
    expect(closed).toMatchObject({ ok: true, text: expect.stringContaining('- iframe') })
    const late = await agent.fill(other, 'x')
    expect(late).toMatchObject({ ok: false, text: expect.stringContaining(`${other} was textbox "Other"`) })
    expect(await agent.look({ scope: done })).toContain(`${done} was button "Done"`)
  })

  test('are read and acted on after they have navigated', async () => {
    await open(`<iframe width="500" height="330" src="${hosts.pay}/frames/go?to=${hosts.bank}"></iframe>`)
    const gone = await agent.act(
      { type: 'click', target: 'Go on' },
      { type: 'fill', target: 'Card number', value: '12' },
    )
    expect(gone).toMatchObject({ ok: true, text: expect.stringContaining(`iframe e`) })
    expect(await agent.look()).toContain(hosts.bank)
    const back = await agent.act({ type: 'click', target: 'link "Home"' }, { type: 'wait', text: 'Of this origin' })
    expect(back).toMatchObject({ ok: true, title: 'Shop' })
  })

  test('contain text that can be awaited', async () => {
    await open(`<iframe width="500" height="300" src="${hosts.pay}/frames/slow"></iframe>`)
    expect(await agent.act({ type: 'wait', text: 'It is there' })).toMatchObject({ ok: true })
    expect(await agent.act({ type: 'wait', gone: 'It is there' })).toMatchObject({ ok: true })
  })

  test('are stable before the page is read after a click in them', async () => {
    await open(`<iframe width="500" height="300" src="${hosts.pay}/frames/check"></iframe>`)
    expect((await agent.click('button "Check"')).text).toContain('+ It is valid')
  })
})

test('a hanging frame in another process blocks neither the page nor other frames', async () => {
  const live = await openLive({ more: modes['in processes of their own'], routes: frameRoutes })
  const agent = await live.agent()
  const at = (host: string, path: string) => `http://${host}:${live.site.port}/frames/${path}`
  await agent.act({
    type: 'navigate',
    url: at('shop.test', `around?of=${at('pay.test', 'hung')}&and=${at('bank.test', 'form')}`),
  })
  expect(await agent.look()).toMatch(/iframe e\d+ \S+ \(it does not answer\)[^]*textbox "Card number"/)
  expect(await agent.fill('Card number', '12')).toMatchObject({ ok: true })
  await live.close()
})
