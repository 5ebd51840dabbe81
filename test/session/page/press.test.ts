import { describe, expect } from 'vitest'
import { test } from './fixture.ts'

describe.concurrent('a press', () => {
  test.for<[string, string, string]>([
    ['cancelled', 'Add to cart', 'clicked cart 1'],
    ['swallowed', 'Pay', 'clicked pay 1'],
    ['framed', 'Add to cart', 'clicked cart 1'],
    ['recreated', 'Again', 'pressed 1'],
  ])('is sent once where the page lets no mousedown through: %s', async ([path, target, told], { agent }) => {
    await agent.act({ type: 'navigate', url: `/press/${path}` })
    const { ok, text } = await agent.act({ type: 'click', target })
    expect({ ok, text }).toMatchObject({ ok: true })
    expect(await agent.look()).toMatch(new RegExp(`${told}$`, 'm'))
  })

  test.for(['cancelled', 'framed'])('of a double click is sent twice: %s', async (path, { agent }) => {
    await agent.act({ type: 'navigate', url: `/press/${path}` })
    const { ok } = await agent.act({ type: 'doubleClick', target: 'Add to cart' })
    expect({ ok, page: await agent.look() }).toMatchObject({ ok: true, page: expect.stringMatching(/cart 2$/m) })
  })

  test('that another element takes is reported, even if that element keeps covering the target', async ({ agent }) => {
    await agent.act({ type: 'navigate', url: '/press/taken' })
    const { ok, text } = await agent.act({ type: 'click', target: 'Goal' })
    expect(ok).toBe(false)
    expect(text).toMatch(
      /covered by div "Veil".* Before that: div "Veil" \(e\d+\) took a press that was meant for e\d+\./,
    )
    expect(await agent.look()).toMatch(/clicked veil 1$/m)
  })
})

test('a box whose check is to be false is unchecked', async ({ agent }) => {
  await agent.act({ type: 'navigate', url: '/act/fields' })
  const check = (checked: boolean) => agent.act({ type: 'check', target: 'Drawn box', checked })
  expect((await check(false)).text).toContain('was unchecked already')
  expect((await check(true)).text).toMatch(/~ checkbox "Drawn box" e\d+ checked/)
  expect((await check(false)).text).toMatch(/~ checkbox "Drawn box" e\d+$/m)
})
