import { beforeEach, describe, expect } from 'vitest'
import { test } from './fixture.ts'
import type { Agent } from './live.ts'

describe.concurrent('a field', () => {
  beforeEach<{ agent: Agent }>(({ agent }) => agent.open('/act/fields').then(() => undefined))

  const filled: [string, string, string][] = [
    ['Day', '2026-12-24', 'date "Day" e\\d+ = "2026-12-24"'],
    ['Volume', '8', 'slider "Volume" e\\d+ = "8"'],
    ['Crew', '12', 'spinbutton "Crew" e\\d+ = "12"'],
    ['Colour', '#ff0000', 'color "Colour" e\\d+ = "#ff0000"'],
    ['Notes', 'new text', 'editor "Notes" e\\d+ = "new text"'],
    ['Story', 'twice', 'textbox "Story" e\\d+ = "twice"'],
  ]
  test('gets the value that is filled in', async ({ agent }) => {
    for (const [name, value, line] of filled)
      expect(await agent.fill(name, value), name).toMatchObject({
        ok: true,
        text: expect.stringMatching(new RegExp(`~ ${line}`)),
      })
  })

  test('reports a value that it changes, or the reason why it rejects the value', async ({ agent }) => {
    expect((await agent.fill('Short', '12345')).text).toContain('contains "123" now')
    expect((await agent.fill('Phone', '5551234')).text).toContain('contains "555-1234" now')
    expect(await agent.fill('Day', 'tomorrow')).toMatchObject({
      ok: false,
      text: expect.stringContaining('did not take the value'),
    })
    expect((await agent.fill('Fixed', '8')).text).toContain('it can only be read')
  })

  test('with several choices shows the chosen ones, and lists all if a choice is missing', async ({ agent }) => {
    const chosen = await agent.act({ type: 'select', target: 'Extras', options: ['Oars', 'bucket'] })
    expect(chosen.text).toContain('listbox "Extras"')
    expect(chosen.text).toContain('= "Oars, Bucket"')
    const { text } = await agent.act({ type: 'select', target: 'Extras', options: ['Sail'] })
    expect(text).toContain('has no option "Sail"; it has: Oars | Rope | Bucket.')
  })

  test('hidden under a drawn checkbox is checked', async ({ agent }) => {
    const { ok, text } = await agent.act({ type: 'check', target: 'Drawn box' })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringMatching(/~ checkbox "Drawn box" e\d+ checked/) })
    const again = await agent.act({ type: 'check', target: 'Drawn box' })
    expect(again.text).toContain('was checked already')
  })

  test('that takes files accepts one that the page can read, and two files of the same name', async ({ agent }) => {
    const files = [{ name: '../a/photo.txt', base64: Buffer.from('a gull').toString('base64') }]
    const { text } = await agent.act({ type: 'upload', target: 'Photo', files })
    expect(text).toContain('file "Photo"')
    expect(text).toContain('= "photo.txt"')
    expect(text).toContain('+ File says a gull')
    const texts = ['first', 'second']
    const both = texts.map((each) => ({ name: 'notes.txt', base64: Buffer.from(each).toString('base64') }))
    const { text: result } = await agent.act({ type: 'upload', target: 'Papers', files: both })
    expect(result).toContain('+ Papers say first,second')
  })
})

describe.concurrent('a button', () => {
  beforeEach<{ agent: Agent }>(({ agent }) => agent.open('/act/troubles').then(() => undefined))

  test('that is covered is not clicked, and the result names the cover', async ({ agent }) => {
    const { ok, text } = await agent.click('button "Covered"')
    expect(ok).toBe(false)
    expect(text).toMatch(/cannot be acted on: it is covered by div "We use cookies" \(e\d+\)/)
  })

  test.for<[string, string]>([
    ['Moving', 'caught'],
    ['Late', 'late'],
    ['Plain div', 'plain'],
  ])('%s is clicked once it is ready', async ([name, expected], { agent }) => {
    expect(await agent.click(name)).toMatchObject({ ok: true, text: expect.stringContaining(`+ ${expected}`) })
  })

  test('without an effect is reported', async ({ agent }) => {
    await agent.act({ type: 'wait', milliseconds: 1500 })
    expect((await agent.click('Nothing')).text).toContain('Nothing on the page changed.')
  })

  test('with a script that fails returns its errors', async ({ agent }) => {
    const { text } = await agent.click('Broken')
    expect(text).toContain('Console error: broken engine')
    expect(text).toContain('Console error: Error: no fuel')
  })

  test('that has left the page is named by its former role and name', async ({ agent }) => {
    await agent.look()
    const ref = agent.ref('button "Gone"')
    await agent.click(ref)
    expect(await agent.click(ref)).toMatchObject({
      ok: false,
      text: expect.stringContaining(`${ref} was button "Gone", which is no longer on the page`),
    })
  })

  test('that replaces an equal one is offered with its ref', async ({ agent }) => {
    await agent.look()
    const ref = agent.ref('button "Again"')
    await agent.click(ref)
    expect((await agent.click(ref)).text).toMatch(
      new RegExp(`${ref} was button "Again", which is gone; the same is there again as e\\d+`),
    )
  })

  test('in a menu that opens on hover can be clicked', async ({ agent }) => {
    const { text } = await agent.act({ type: 'hover', target: 'Harbours' })
    expect(text).toMatch(/\+ - link "Kiel" e\d+ #kiel/)
    expect((await agent.click('link "Oslo"')).url).toMatch(/#oslo$/)
  })

  test('that fails cancels the acts after it', async ({ agent }) => {
    await agent.act({ type: 'wait', milliseconds: 1500 })
    const { done, text } = await agent.act(
      { type: 'click', target: 'Nothing' },
      { type: 'click', target: 'e9999' },
      { type: 'click', target: 'Gone' },
    )
    expect(done).toBe(1)
    expect(text).toMatch(
      /^Act 2 of 3 failed \(click e9999\): There is no element e9999.*The 1 after it were not done\.\nNothing on the page changed\./,
    )
  })
})

describe.concurrent('a dialog', () => {
  beforeEach<{ agent: Agent }>(({ agent }) => agent.open('/act/dialog').then(() => undefined))

  test('built by the page hides the rest of the page in snapshots', async ({ agent }) => {
    const { text } = await agent.click('Delete all')
    expect(text).toMatch(/dialog "Delete all boats\?"/)
    const seen = await agent.look()
    expect(seen).toContain('A dialog is open; the page behind it waits.')
    expect(seen).not.toContain('Boat 3')
    expect((await agent.click('Yes, delete')).text).toContain('+ All deleted')
  })

  test.for<[boolean, string]>([
    [true, 'left'],
    [false, 'stayed'],
  ])('of the browser blocks other acts until it is answered with %s', async ([accept, expected], { agent }) => {
    const dialogText = await agent.click('button "Leave"')
    expect(dialogText.text).toContain('A confirm is open and the page waits: "Leave the harbour?"')
    expect(await agent.look()).toContain('A confirm is open')
    expect((await agent.click('Tide')).text).toContain('A confirm is open')
    expect((await agent.act({ type: 'dialog', accept })).text).toContain(`+ ${expected}`)
  })

  test('can be answered before it opens', async ({ agent }) => {
    const { text } = await agent.act({ type: 'dialog', accept: true, value: 'Bob' }, { type: 'click', target: 'Name' })
    expect(text).toContain('Dialog prompt "Name of the boat?" was accepted with "Bob".')
    expect(text).toContain('+ name: Bob')
  })
})

describe.concurrent('an act', () => {
  test('chooses from a custom list', async ({ agent }) => {
    await agent.open('/act/combobox')
    const { ok, text } = await agent.act({ type: 'select', target: 'Fruit', options: ['Banana'] })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('"Banana"') })
  })

  test('fills in and clicks elements in a shadow root', async ({ agent }) => {
    await agent.open('/act/shadow')
    const { text } = await agent.act(
      { type: 'fill', target: 'Amount', value: '5' },
      { type: 'click', target: 'button "Pay"' },
    )
    expect(text).toMatch(/~ textbox "Amount" e\d+ = "5"/)
    expect(text).toMatch(/~ button "Paid" e\d+/)
  })

  test('fill or type submits the form on request', async ({ agent }) => {
    await agent.open('/act/native-form')
    const filled = await agent.act({ type: 'fill', target: 'Name', value: 'Ada', submit: true })
    expect(filled.url).toContain('/act/home')
    await agent.open('/act/native-form')
    const typed = await agent.act({ type: 'type', target: 'Name', value: 'Bea', submit: true })
    expect(typed.url).toContain('/act/home')
  })

  test('reports validation messages of the browser', async ({ agent }) => {
    await agent.open('/act/native-form')
    expect((await agent.click('Send')).text).toMatch(/textbox "Name" e\d+ required invalid ".+"/)
  })

  test('stops a script that never ends', async ({ agent }) => {
    await agent.open('/act/stuck')
    const { ok, text } = await agent.click('Forever')
    expect(ok).toBe(false)
    expect(text).toContain('The page did not answer')
    expect((await agent.click('Add')).text).toMatch(/~ button "2"/)
  })

  test('navigates back and forward, and rejects refs of an earlier page', async ({ agent }) => {
    await agent.open('/act/form')
    const ref = agent.ref('button "Register"')
    await agent.open('/act/home')
    expect((await agent.click(ref)).text).toContain(`${ref} was button "Register"`)
    expect((await agent.act({ type: 'back' })).url).toMatch(/\/act\/form$/)
    expect((await agent.act({ type: 'forward' })).title).toBe('Harbour Tools')
    expect((await agent.act({ type: 'forward' })).text).toContain('There is no page to go forward to.')
  })

  test('opens, lists, switches and closes tabs', async ({ agent, live }) => {
    await agent.open('/act/home')
    const opened = await agent.act({ type: 'tab', do: 'open', url: new URL('/act/docs', live.site.origin).href })
    expect(opened.title).toBe('Docs')
    expect((await agent.act({ type: 'tab', do: 'list' })).extracted[0]).toMatch(
      /^t1 Harbour Tools .*\nt2 \(current\) Docs/,
    )
    expect((await agent.act({ type: 'tab', do: 'switch', tab: 't1' })).title).toBe('Harbour Tools')
    await agent.act({ type: 'tab', do: 'close', tab: 't2' })
    expect((await agent.act({ type: 'tab', do: 'switch', tab: 't2' })).text).toContain('There is no tab t2.')
  })
})
