import { describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

const open = (agent: Agent, path: string) => agent.act({ type: 'navigate', url: path })
const fill = (agent: Agent, target: string, value: string) => agent.act({ type: 'fill', target, value })

describe.concurrent('the meaning of a target name', () => {
  test.for(['phone', 'PHONE:', 'Ph-one'])('%s is the field that is called Phone', async (name, { agent }) => {
    await open(agent, '/act/fields')
    const line = expect.stringMatching(/~ textbox "Phone" e\d+ = "5"/)
    expect(await fill(agent, name, '5')).toMatchObject({ ok: true, text: line })
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

  test.for<[string, string]>([
    ['Select all', 'selectall'],
    ['Link account', 'link'],
    ['link Account', 'link'],
    ['link "Account"', 'account'],
    ['button Link account', 'link'],
    ['Table of contents', 'contents'],
    ['Issue #12', 'issue'],
    ['Cell phone', 'phone'],
  ])('%s is looked up as a whole before its first word is a role: %s', async ([target, id], { agent }) => {
    await open(agent, '/press/roles')
    expect((await agent.act({ type: 'click', target })).text).toContain(`clicked ${id} 1`)
  })

  test.for<[string, string]>([
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
  ])('%s is the element with exactly that name or text: %s', async ([target, id], { agent }) => {
    await open(agent, '/press/texts')
    const { ok, text } = await agent.act({ type: 'click', target })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining(`clicked ${id} 1`) })
    expect(text).not.toContain('taken as')
  })

  test.for(['One', 'Two', 'Three'])('%s is clicked itself, not the box around it', async (target, { agent }) => {
    await open(agent, '/press/box')
    expect((await agent.act({ type: 'click', target })).text).toContain(`clicked ${target.toLowerCase()} 1`)
  })

  test.for<[string, RegExp]>([
    ['+', /"\+" matches several elements: e\d+ span "\+"; e\d+ span "\+"\. Use a ref\./],
    ['Send', /"Send" matches several elements: e\d+ button "Send by mail"; e\d+ button "Send by post"\./],
    ['+ #3', /No visible element matches "\+ #3"/],
  ])('%s, which matches several elements, is answered with all of them', async ([target, told], { agent }) => {
    await open(agent, '/press/texts')
    expect(await agent.act({ type: 'click', target })).toMatchObject({ ok: false, text: expect.stringMatching(told) })
  })

  test.for<[string, string]>([
    ['css=#copy', 'copy'],
    ['css=p > span #2', 'two'],
    ['css=button:nth-of-type(1), #nothing', 'notes'],
  ])('%s is a CSS selector: %s', async ([target, id], { agent }) => {
    await open(agent, '/press/texts')
    expect((await agent.act({ type: 'click', target })).text).toContain(`clicked ${id} 1`)
  })

  test.for<[string, string]>([
    ['#copy', 'looks like a selector'],
    ['//button[@id="copy"]', 'looks like a selector'],
    ['p > span', 'looks like a selector'],
    ['css=button[', 'No visible element matches "css=button["'],
  ])('%s is refused with the accepted forms', async ([target, told], { agent }) => {
    await open(agent, '/press/texts')
    expect(await agent.act({ type: 'click', target })).toMatchObject({ ok: false, text: expect.stringContaining(told) })
  })

  test('the only element whose name contains the words is acted on and named', async ({ agent }) => {
    await open(agent, '/press/texts')
    const { ok, text } = await agent.act({ type: 'click', target: 'Copy' })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('clicked copy 1') })
    expect(text).toMatch(/^click Copy: taken as e\d+ button "Copy link"$/m)
  })
})
