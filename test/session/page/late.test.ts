import { describe, expect } from 'vitest'
import { test } from './fixture.ts'

const open = (path: string) => ({ type: 'navigate', url: `/late/${path}` }) as const

describe.concurrent('an act', () => {
  test('waits for its element on a page with scripts', async ({ agent }) => {
    const { ok, text } = await agent.act(
      open('button'),
      { type: 'click', target: 'Open' },
      { type: 'click', target: 'Confirm' },
    )
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('[1]') })
  })

  test('presses the element that replaces its target once', async ({ agent }) => {
    const { ok, text } = await agent.act(open('twin'), { type: 'click', target: 'Add' })
    expect({ ok, text }).toMatchObject({
      ok: true,
      text: expect.stringMatching(/the page replaced e\d+; button "Add"/),
    })
    expect(await agent.look()).toMatch(/\[1\]$/m)
  })

  test('waits for the options of a list', async ({ agent }) => {
    const { ok, text } = await agent.act(open('options'), { type: 'select', target: 'City', options: ['Rome'] })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('[Rome]') })
  })

  test('chooses an option that a virtual list draws when it is scrolled', async ({ agent }) => {
    const { ok, text } = await agent.act(open('select'), {
      type: 'select',
      target: 'Pick a port',
      options: ['Port 60'],
    })
    expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining('"Port 60"') })
  })

  test('fills in a date with the name of its month', async ({ agent }) => {
    for (const value of ['March 5, 1990', '5th Mar 1990']) {
      const { text } = await agent.act(open('day'), { type: 'fill', target: 'Day', value })
      expect(text, value).toContain('= "1990-03-05"')
    }
  })

  test('sends keys with the codes of a US keyboard', async ({ agent }) => {
    const keys = ['Control+K', '/', 'Shift+/', '-'].map((key) => ({ type: 'press', key }) as const)
    const { text } = await agent.act(open('keys'), ...keys)
    expect(text).toMatch(/\[k,KeyK,75\] \[\/,Slash,191\] .*\[\?,Slash,191\] \[-,Minus,189\]/)
  })
})

describe.concurrent('a search by scrolling', () => {
  test.for([
    ['timer', 'Item 55'],
    ['fetches', 'Item 150'],
    ['pane', 'Port 40'],
  ] as const)('loads a growing list: %s', async ([path, until], { agent }) => {
    const { ok, text } = await agent.act(open(path), { type: 'scroll', until })
    expect({ ok, text }).toMatchObject({ ok: true })
  })
})
