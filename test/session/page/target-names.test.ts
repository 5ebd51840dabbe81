import { describe, expect } from 'vitest'
import { test } from './fixture.ts'

describe.concurrent('a target', () => {
  test('matches a field regardless of case, colon and hyphen', async ({ agent }) => {
    for (const name of ['phone', 'PHONE:', 'Ph-one']) {
      await agent.open('/act/fields')
      const line = expect.stringMatching(/~ textbox "Phone" e\d+ = "5"/)
      expect(await agent.fill(name, '5'), name).toMatchObject({ ok: true, text: line })
    }
  })

  test('that matches no field yields the nearest field', async ({ agent }) => {
    await agent.open('/act/fields')
    expect((await agent.fill('Telephone', '5')).text).toMatch(/Nearest: e\d+ textbox "Phone"/)
  })

  test('that matches nothing yields at most three near matches', async ({ agent }) => {
    await agent.open('/act/troubles')
    const { text } = await agent.click('Brokne')
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
  test('is matched as a whole before its first word is tried as a role', async ({ agent }) => {
    for (const [target, id] of withRoles) {
      await agent.open('/press/roles')
      expect((await agent.click(target)).text, target).toContain(`clicked ${id} 1`)
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
  test('matches the element of exactly that name or text', async ({ agent }) => {
    for (const [target, id] of exact) {
      await agent.open('/press/texts')
      const { ok, text } = await agent.click(target)
      expect({ ok, text }, target).toMatchObject({ ok: true, text: expect.stringContaining(`clicked ${id} 1`) })
      expect(text).not.toContain('taken as')
    }
  })

  test('matches a line itself, not the box around it', async ({ agent }) => {
    for (const target of ['One', 'Two', 'Three']) {
      await agent.open('/press/box')
      expect((await agent.click(target)).text).toContain(`clicked ${target.toLowerCase()} 1`)
    }
  })

  const several: [string, RegExp][] = [
    ['+', /"\+" matches several elements: e\d+ span "\+"; e\d+ span "\+"\. Use a ref\./],
    ['Send', /"Send" matches several elements: e\d+ button "Send by mail"; e\d+ button "Send by post"\./],
    ['+ #3', /No visible element matches "\+ #3"/],
  ]
  test('that matches several elements yields all of them', async ({ agent }) => {
    await agent.open('/press/texts')
    for (const [target, expected] of several)
      expect(await agent.click(target)).toMatchObject({ ok: false, text: expect.stringMatching(expected) })
  })

  const selectors: [string, string][] = [
    ['css=#copy', 'copy'],
    ['css=p > span #2', 'two'],
    ['css=button:nth-of-type(1), #nothing', 'notes'],
  ]
  test('can be a CSS selector', async ({ agent }) => {
    for (const [target, id] of selectors) {
      await agent.open('/press/texts')
      expect((await agent.click(target)).text).toContain(`clicked ${id} 1`)
    }
  })

  const unlike: [string, string][] = [
    ['#copy', 'looks like a selector'],
    ['//button[@id="copy"]', 'looks like a selector'],
    ['p > span', 'looks like a selector'],
    ['css=button[', 'No visible element matches "css=button["'],
  ]
  test('that is another kind of selector, or an invalid one, is refused', async ({ agent }) => {
    await agent.open('/press/texts')
    for (const [target, expected] of unlike)
      expect(await agent.click(target)).toMatchObject({ ok: false, text: expect.stringContaining(expected) })
  })

  test('matches the only element whose name contains it, which the result names', async ({ agent }) => {
    await agent.open('/press/texts')
    const { ok, text } = await agent.click('Copy')
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('clicked copy 1') })
    expect(text).toMatch(/^click Copy: taken as e\d+ button "Copy link"$/m)
  })
})
