import { describe, expect } from 'vitest'
import { test } from './fixture.ts'

const paths = ['form', 'orders', 'shop', 'endless', 'docs', 'dialog', 'fields', 'troubles', 'large']

const named = [
  'button "Close"',
  'button "Print"',
  'button "More"',
  'button "Delete the file"',
  'textbox "Town"',
  'button "Send it"',
  'button "Submit"',
  'link "Card of many words" /act/home',
  'button "Save"',
  'button "Drawn button"',
  'checkbox "Own box" checked',
  'switch "Night"',
  'tab "One" selected',
  'disclosure "More facts" collapsed',
  'link "1" current /act/names?p=1',
  'yet seen',
  'laid',
  'Weight',
  'textbox "Key" = "•••"',
  'iframe "Other" data:text/html,inside',
  'inside',
  '- first [link "a" /act/home]',
  'button "Deep down"',
]

describe.concurrent('a snapshot', () => {
  test('shows a page in at most 4,000 characters, the same the second time', async ({ agent }) => {
    for (const path of paths) {
      await agent.act(
        { type: 'navigate', url: `/act/${path}` },
        ...(path === 'troubles' ? [{ type: 'wait', milliseconds: 1500 } as const] : []),
      )
      const seen = await agent.look()
      expect(seen.length, path).toBeLessThanOrEqual(4000)
      expect(seen.length, path).toBeGreaterThan(100)
      expect(await agent.look()).toBe(seen)
    }
  })

  test('a large page fits into the requested number of characters', async ({ agent }) => {
    await agent.open('/act/large')
    for (const maxCharacters of [300, 1000, 2000]) {
      const seen = await agent.look({ maxCharacters })
      expect(seen.length).toBeLessThanOrEqual(maxCharacters)
      expect(seen).toContain('more screens below: Part 2')
    }
  })

  test('names the links of a header in one line, and does not repeat the header on the next page', async ({
    agent,
  }) => {
    const first = await agent.open('/act/home')
    expect(first.text).toMatch(/^banner e\d+ \(.*· Docs ·.*\)$/m)
    expect(first.text).not.toContain('link "Docs"')
    const { text } = await agent.open('/act/people')
    expect(text).toMatch(/^banner e\d+ \(as before\)$/m)
    expect(text).not.toContain('link "Docs"')
    expect(await agent.look()).toContain('link "Docs"')
    expect((await agent.click('link "Docs"')).title).toBe('Docs')
  })

  test('shows the validation message of a field once', async ({ agent }) => {
    await agent.open('/act/form')
    await agent.click('button "Register"')
    expect((await agent.look()).match(/Enter an address/g)).toHaveLength(1)
  })

  test('shows where an awaited text is if it is out of view', async ({ agent }) => {
    const { text } = await agent.act({ type: 'navigate', url: '/act/orders' }, { type: 'wait', text: 'A-1033' })
    expect(text).toMatch(/under "Your orders", .* screens below:\n row: A-1033 \| Brass bell \| 247\.50 €/)
    const seen = await agent.act({ type: 'navigate', url: '/act/orders' }, { type: 'wait', text: 'A-1002' })
    expect(seen.text).not.toContain('under "Your orders"')
  })

  test('shows the text below a heading that was searched for', async ({ agent }) => {
    await agent.open('/act/docs')
    expect(await agent.look({ find: 'Set up the radio' })).toMatch(/h3 "Set up the radio"\n +code e\d+ /)
  })

  test('shows only controls on request', async ({ agent }) => {
    await agent.open('/act/form')
    const seen = await agent.look({ interactiveOnly: true })
    expect(seen).toContain('textbox "Email"')
    expect(seen).not.toContain('Quay Street')
    expect(seen).not.toContain('h1')
  })

  test('folds a table, and shows it whole if it is the scope', async ({ agent }) => {
    await agent.open('/act/orders')
    expect(await agent.look()).toMatch(/… \d+ more rows: find, or scope e\d+/)
    const whole = await agent.look({ scope: agent.ref('table "Orders"'), maxCharacters: 6000 })
    expect(whole).toContain('A-1040')
    expect(whole).not.toContain('Quay Street')
  })

  test('names a missing scope by its former role and name', async ({ agent }) => {
    await agent.open('/act/orders')
    const ref = agent.ref('table "Orders"')
    await agent.open('/act/home')
    expect(await agent.look({ scope: ref })).toContain(`${ref} was table "Orders"`)
  })

  test('names elements like a screen reader, and omits invisible text', async ({ agent }) => {
    const { text } = await agent.open('/act/names')
    const bare = text
      .replace(/ e\d+/g, '')
      .split('\n')
      .map((line) => line.trim())
    expect(bare).toEqual(
      expect.arrayContaining([...named, '"Not a control: button \'Pay\'"', 'aria-hidden', 'for the eyes alone']),
    )
    for (const unseen of ['★', 'folded away', 'Folded fact', 'unseen', 'hush']) expect(text).not.toContain(unseen)
  })

  test('is complemented by extract, which returns code in full and long text in parts', async ({ agent }) => {
    await agent.open('/act/docs')
    await agent.look({ find: 'radio --channel' })
    const code = await agent.act({ type: 'extract', target: agent.ref('code'), as: 'text' })
    expect(code.extracted).toEqual(['radio --channel 16\nradio --squelch 4\nradio listen'])
    const part = await agent.act({ type: 'extract', as: 'text', maxCharacters: 100 })
    expect(part.extracted[0]).toMatch(/… \d+ more of \d+ characters: from 100$/)
  })
})
