import { describe, expect } from 'vitest'
import { inPage } from '../../../src/engine/browser/acts/call-page.ts'
import type { SessionAction } from '../../../src/contracts/render-port.ts'
import { isFull, seed } from '../../attack/hostile.ts'
import { randomNames, randomPress } from '../../helpers/site/act-press.ts'
import { test } from './fixture.ts'

describe.concurrent('a press', () => {
  const eaten: [string, string, string][] = [
    ['cancelled', 'Add to cart', 'clicked cart 1'],
    ['swallowed', 'Pay', 'clicked pay 1'],
    ['framed', 'Add to cart', 'clicked cart 1'],
    ['recreated', 'Again', 'pressed 1'],
  ]
  test('is sent once if the page blocks mousedown', async ({ agent }) => {
    for (const [path, target, expected] of eaten) {
      await agent.act({ type: 'navigate', url: `/press/${path}` })
      const { ok, text } = await agent.click(target)
      expect({ ok, text }, path).toMatchObject({ ok: true })
      expect(await agent.look()).toMatch(new RegExp(`${expected}$`, 'm'))
    }
  })

  test('is sent twice by a double click', async ({ agent }) => {
    for (const path of ['cancelled', 'framed']) {
      await agent.act({ type: 'navigate', url: `/press/${path}` })
      const { ok } = await agent.act({ type: 'doubleClick', target: 'Add to cart' })
      expect({ ok, page: await agent.look() }).toMatchObject({ ok: true, page: expect.stringMatching(/cart 2$/m) })
    }
  })

  test('that hits an element which covers the target is reported', async ({ agent }) => {
    await agent.open('/press/taken')
    const { ok, text } = await agent.click('Goal')
    expect(ok).toBe(false)
    expect(text).toMatch(
      /covered by div "Veil".* Before that: div "Veil" \(e\d+\) received a press that was meant for e\d+\./,
    )
    expect(await agent.look()).toMatch(/clicked veil 1$/m)
  })
})

describe.concurrent('a position in a picture', () => {
  test.for<[string, SessionAction, RegExp]>([
    ['as a target', { type: 'click', target: 'at 120,80' }, /on canvas "Board".*\+ 120,80 120,80$/s],
    ['in an element', { type: 'click', target: 'css=#board' }, /\+ 200,150 200,150$/],
    [
      'on the way of a drag',
      { type: 'drag', target: 'at 10,10', via: ['at 90,40'], to: 'at 50,60' },
      /10,10 .*90,40 .*50,60$/m,
    ],
  ])('is pressed: %s', async ([, act, expected], { agent }) => {
    await agent.open('/press/places')
    expect((await agent.act({ type: 'screenshot' })).text).toContain('places in it are targets')
    expect((await agent.act(act)).text).toMatch(expected)
  })

  test('is refused if no picture was taken', async ({ agent }) => {
    await agent.open('/press/places')
    const { ok, text } = await agent.act({ type: 'click', target: 'at 120,80' })
    expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining('Take a screenshot first') })
  })

  test('identifies controls without a name, which have refs if they have a listener', async ({ agent }) => {
    const { text } = await agent.open('/press/places')
    expect(text).toMatch(/clickable "Bare" e\d+\nclickable e\d+ \(bin icon-bin\) at 12,\d+$/m)
    expect((await agent.click(agent.ref('icon-bin'))).text).toContain('+ bin')
    expect((await agent.click('clickable "Bare"')).text).toContain('+ bare')
  })
})

test('a screenshot with refs numbers the controls of the snapshot', async ({ agent }) => {
  await agent.open('/press/places')
  const listed = (await agent.look({ interactiveOnly: true })).match(/\be\d+\b/g)
  const tab = agent.tabs.current()
  await inPage(tab, 'markControls', [], AbortSignal.timeout(20_000))
  const { root } = await tab.session.send('DOM.getDocument', { depth: -1, pierce: true })
  expect(Array.from(JSON.stringify(root).matchAll(/"nodeValue":"(e\d+)"/g), ([, ref]) => ref)).toEqual(listed)
})

test('a moved element is reported as a change', async ({ agent }) => {
  await agent.open('/press/places')
  expect((await agent.click('Move')).text).toMatch(/^Moved: div \(e\d+\) by 100, 0 px\.$/)
})

test('text across several nodes is selected', async ({ agent }) => {
  await agent.open('/press/places')
  const { text } = await agent.act({ type: 'selectText', text: 'quick brown' })
  expect(text).toContain('+ selected quick brown')
})

const slowly = { timeout: 600_000 }
/** All pages in a full run, otherwise six that are drawn. */
const seeds = Array.from({ length: isFull ? 300 : 6 }, (_, nth) => (isFull ? nth : (seed + nth) % 300) + 1)

test('an act on a random page reaches its target once, or fails without reaching it', slowly, async ({ agent }) => {
  for (const each of seeds) {
    const { act, presses } = randomPress(each)
    await agent.act({ type: 'navigate', url: `/press/random/${each}` })
    const { ok } = await agent.act(
      act === 'drag' ? { type: act, target: 'Goal', to: 'Elsewhere' } : { type: act, target: 'Goal' },
    )
    const expected = await agent.look({ find: 'presses' })
    const pressed = Number(/presses (\d+)/.exec(expected)?.[1])
    expect(ok ? presses : [0], `${act} on page ${each}`).toContain(pressed)
  }
})

test(
  'a target on a random page is the element of that name, or one of several that are listed',
  slowly,
  async ({ agent }) => {
    for (const each of seeds) {
      const { target } = randomNames(each)
      await agent.act({ type: 'navigate', url: `/press/names/${each}` })
      const { ok, text } = await agent.click(target)
      if (ok) expect(await agent.look({ find: 'pressed' }), `page ${each}`).toContain(`pressed [${target}]`)
      else expect(text, `page ${each}`).toMatch(/matches several elements: e\d+ .*; e\d+ /)
    }
  },
)

test('check with checked: false unchecks a checkbox', async ({ agent }) => {
  await agent.open('/act/fields')
  const check = (checked: boolean) => agent.act({ type: 'check', target: 'Drawn box', checked })
  expect((await check(false)).text).toContain('was unchecked already')
  expect((await check(true)).text).toMatch(/~ checkbox "Drawn box" e\d+ checked/)
  expect((await check(false)).text).toMatch(/~ checkbox "Drawn box" e\d+$/m)
})
