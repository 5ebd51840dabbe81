import { describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

const open = (agent: Agent, path: string) => agent.act({ type: 'navigate', url: path })
const fill = (agent: Agent, target: string, value: string) => agent.act({ type: 'fill', target, value })

describe.concurrent('the meaning of a target name', () => {
  test('a field is named without regard to case, colon and hyphen', async ({ agent }) => {
    for (const name of ['phone', 'PHONE:', 'Ph-one']) {
      await open(agent, '/act/fields')
      const line = expect.stringMatching(/~ textbox "Phone" e\d+ = "5"/)
      expect(await fill(agent, name, '5'), name).toMatchObject({ ok: true, text: line })
    }
  })

  test('a missing field is answered with the nearest field', async ({ agent }) => {
    await open(agent, '/act/fields')
    expect((await fill(agent, 'Telephone', '5')).text).toMatch(/Nearest: e\d+ textbox "Phone"/)
  })

  test('a missing name is answered with at most three names', async ({ agent }) => {
    await open(agent, '/act/troubles')
    const { text } = await agent.act({ type: 'click', target: 'Brokne' })
    expect(text).toMatch(/No visible element matches "Brokne". Nearest: e\d+ button "Broken"/)
    const nearest = text.split('\n').find((line) => line.includes('Nearest:')) ?? ''
    expect(nearest.match(/\be\d+ /g)?.length).toBeLessThanOrEqual(3)
  })

  const withRoles: [string, string][] = [
    ['Select all', 'selectall'],
    ['Link account', 'link'],
    ['link Account', 'link'],
    ['link "Account"', 'account'],
    ['button Link account', 'link'],
    ['Table of contents', 'contents'],
    ['Issue #12', 'issue'],
    ['Cell phone', 'phone'],
  ]
  test('a target is looked up as a whole before its first word is a role', async ({ agent }) => {
    for (const [target, id] of withRoles) {
      await open(agent, '/press/roles')
      expect((await agent.act({ type: 'click', target })).text, target).toContain(`clicked ${id} 1`)
    }
  })

  const exact: [string, string][] = [
    ['No', 'no'],
    ['Ok', 'ok'],
    ['Settings', 'settings'],
    ['heading "Settings"', 'title'],
    ['+ #2', 'two'],
    ['Go right now', 'spread'],
    ['Save', 'save'],
    ['link "Back"', 'span'],
    ['Back', 'span'],
    ['Rope', 'td'],
  ]
  test('an element of just that name or text is taken', async ({ agent }) => {
    for (const [target, id] of exact) {
      await open(agent, '/press/texts')
      const { ok, text } = await agent.act({ type: 'click', target })
      expect({ ok, text }, target).toMatchObject({ ok: true, text: expect.stringContaining(`clicked ${id} 1`) })
      expect(text).not.toContain('taken as')
    }
  })

  test('a line of a box is clicked itself, not the box around it', async ({ agent }) => {
    for (const target of ['One', 'Two', 'Three']) {
      await open(agent, '/press/box')
      expect((await agent.act({ type: 'click', target })).text).toContain(`clicked ${target.toLowerCase()} 1`)
    }
  })

  const several: [string, RegExp][] = [
    ['+', /"\+" matches several elements: e\d+ span "\+"; e\d+ span "\+"\. Use a ref\./],
    ['Send', /"Send" matches several elements: e\d+ button "Send by mail"; e\d+ button "Send by post"\./],
    ['+ #3', /No visible element matches "\+ #3"/],
  ]
  test('a target that several elements may be is answered with all of them', async ({ agent }) => {
    await open(agent, '/press/texts')
    for (const [target, told] of several)
      expect(await agent.act({ type: 'click', target })).toMatchObject({ ok: false, text: expect.stringMatching(told) })
  })

  const selectors: [string, string][] = [
    ['css=#copy', 'copy'],
    ['css=p > span #2', 'two'],
    ['css=button:nth-of-type(1), #nothing', 'notes'],
  ]
  test('a target may be a CSS selector', async ({ agent }) => {
    for (const [target, id] of selectors) {
      await open(agent, '/press/texts')
      expect((await agent.act({ type: 'click', target })).text).toContain(`clicked ${id} 1`)
    }
  })

  const unlike: [string, string][] = [
    ['#copy', 'looks like a selector'],
    ['//button[@id="copy"]', 'looks like a selector'],
    ['p > span', 'looks like a selector'],
    ['css=button[', 'No visible element matches "css=button["'],
  ]
  test('another selector is refused with the forms that are taken', async ({ agent }) => {
    await open(agent, '/press/texts')
    for (const [target, told] of unlike)
      expect(await agent.act({ type: 'click', target })).toMatchObject({
        ok: false,
        text: expect.stringContaining(told),
      })
  })

  test('the only element whose name contains the words is acted on and named', async ({ agent }) => {
    await open(agent, '/press/texts')
    const { ok, text } = await agent.act({ type: 'click', target: 'Copy' })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('clicked copy 1') })
    expect(text).toMatch(/^click Copy: taken as e\d+ button "Copy link"$/m)
  })
})
