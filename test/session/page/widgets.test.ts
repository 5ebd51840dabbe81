import { describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

const open = (agent: Agent, path: string) => agent.open(`/widget/${path}`)
const files = [{ name: 'a.txt', base64: Buffer.from('a gull').toString('base64') }]

describe.concurrent('a button', () => {
  test('with slotted text is clicked by that text', async ({ agent }) => {
    await open(agent, 'shadow')
    expect(await agent.click('Save all')).toMatchObject({ ok: true, text: expect.stringContaining('+ saved') })
  })

  test('that closes its window succeeds, and the next act continues in the opener', async ({ agent }) => {
    await open(agent, 'opener')
    await agent.click('Log in')
    const { ok, text } = await agent.act({ type: 'click', target: 'Allow' }, { type: 'click', target: 'Next' })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringMatching(/Tab t2 was closed\./) })
    expect(await agent.look()).toContain('token 7, then next')
  })
})

test('controls in a closed shadow root are seen, filled in and pressed once', async ({ agent }) => {
  await open(agent, 'shadow')
  expect(await agent.look()).toContain('textbox "Coupon"')
  const { ok } = await agent.act({ type: 'fill', target: 'Coupon', value: 'X1' }, { type: 'click', target: 'Apply' })
  expect({ ok, page: await agent.look() }).toMatchObject({ ok: true, page: expect.stringContaining('coupon X1 1') })
})

test('the role and state set by ElementInternals are shown and used', async ({ agent }) => {
  await open(agent, 'internals')
  const boxes =
    /checkbox "Confetti" e\d+( checked)?\].*checkbox "Balloons" e\d+( checked)?\].*button "Add star" e\d+( pressed)?\] Just text/
  expect(boxes.exec(await agent.look())?.slice(1)).toEqual([undefined, undefined, undefined])
  const acts = [
    { type: 'check', target: 'Balloons' } as const,
    { type: 'check', target: 'checkbox "Confetti"' } as const,
    { type: 'uncheck', target: 'Confetti' } as const,
    { type: 'click', target: 'button "Add star"' } as const,
  ]
  for (const act of acts) expect(await agent.act(act)).toMatchObject({ ok: true })
  expect(await agent.act({ type: 'check', target: 'Balloons' })).toMatchObject({
    text: expect.stringContaining('already'),
  })
  const page = await agent.look()
  expect(boxes.exec(page)?.slice(1)).toEqual([undefined, ' checked', ' pressed'])
  expect(page).toContain('starred')
  expect(page).not.toMatch(/clickable|listbox/)
  expect(await agent.act({ type: 'extract', target: 'group "Extras"', as: 'text' })).toMatchObject({
    extracted: ['Two cups'],
  })
})

test.for(['The long rules', 'I agree'])(
  'a checkbox with a link in its label is checked: %s',
  async (target, { agent }) => {
    await open(agent, 'labels')
    const { ok, text } = await agent.act({ type: 'check', target })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringMatching(/\+ (?:rules|terms) true/) })
  },
)

test('a virtual list is scrolled to a row that it does not contain yet', async ({ agent }) => {
  await open(agent, 'rows')
  const { ok, text } = await agent.act({ type: 'scroll', target: 'Row 0', until: 'Row 97' })
  expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('Row 97') })
})

test('an option that cannot be chosen is named as disabled', async ({ agent }) => {
  await open(agent, 'lists')
  const { ok, text } = await agent.act({ type: 'select', target: 'Size', options: ['Huge'] })
  expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining('Extra large | Huge (disabled)') })
})

describe.concurrent('files', () => {
  test.for(['Add papers', 'Photo', 'Drop papers here'])('are uploaded to %s', async (target, { agent }) => {
    await open(agent, 'choosers')
    const { ok, text } = await agent.act({ type: 'upload', target, files })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('a.txt') })
    await agent.act({ type: 'wait', text: 'a gull' })
    expect(await agent.look()).toContain('a gull')
  })

  test('are refused by a field for one file', async ({ agent }) => {
    await open(agent, 'choosers')
    const { ok, text } = await agent.act({ type: 'upload', target: 'Photo', files: [...files, ...files] })
    expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining('takes one file') })
    expect(await agent.look()).not.toContain('a gull')
  })
})

describe.concurrent('an option', () => {
  const options: [string, string][] = [
    ['Town', 'Rome'],
    ['Free plan', 'Team plan'],
    ['Country', 'France'],
  ]
  test('is chosen, and the options are listed if it is missing', async ({ agent }) => {
    await open(agent, 'lists')
    for (const [target, option] of options)
      expect(await agent.act({ type: 'select', target, options: [option] }), target).toMatchObject({
        ok: true,
        text: expect.stringMatching(new RegExp(`\\+ \\w+ ${option}$`, 'm')),
      })
    const { text } = await agent.act({ type: 'select', target: 'Country', options: ['Peru'] })
    expect(text).toContain('has no option "Peru"; it has: France | Finland.')
  })
})

describe.concurrent('a field', () => {
  const taken: [string, string, string][] = [
    ['Day', '2/28/2026', 'day 2026-02-28'],
    ['Day', '2026-02-28', 'day 2026-02-28'],
    ['Time', '4:05 pm', 'time 16:05'],
    ['Price', '1,234.5', 'price 1234.5'],
    ['Heat', '26', 'heat 26'],
  ]
  test('takes values in the forms that people write', async ({ agent }) => {
    for (const [target, value, expected] of taken) {
      await open(agent, 'fields')
      const { ok } = await agent.act({ type: 'fill', target, value }, { type: 'press', key: 'Tab' })
      expect({ ok, page: await agent.look() }).toMatchObject({ ok: true, page: expect.stringContaining(expected) })
    }
  })

  const refused: [string, string, string][] = [
    ['Day', '2026-02-30', '2020-01-01'],
    ['Price', 'cheap', '5'],
    ['Heat', '40', '20'],
  ]
  test('rejects an invalid value with the accepted form', async ({ agent }) => {
    await open(agent, 'fields')
    for (const [target, value, kept] of refused) {
      const { ok, text } = await agent.fill(target, value)
      expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining(' takes ') })
      expect(await agent.look()).toMatch(new RegExp(`"${target}" e\\d+ = "${kept}"`))
    }
  })

  test('gets typed text at its end', async ({ agent }) => {
    await open(agent, 'fields')
    await agent.act({ type: 'type', target: 'Story', value: ' upon a time' })
    const { extracted } = await agent.act({ type: 'extract', target: 'Story', as: 'text' })
    expect(extracted).toEqual(['once upon a time'])
  })
})
