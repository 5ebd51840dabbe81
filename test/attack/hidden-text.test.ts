import { describe, expect } from 'vitest'
import { test } from '../session/page/fixture.ts'
import { hiddenLive, livePath } from '../helpers/site/hidden-live.ts'

describe.concurrent('a live page with hidden text', () => {
  test('does not show that text in snapshots', async ({ agent }) => {
    for (const [way, html] of Object.entries(hiddenLive)) {
      expect(html).toContain('HIDDEN_')
      const { text } = await agent.act({ type: 'navigate', url: livePath(html) })
      expect(text, way).toContain('Seen words.')
      const { extracted } = await agent.act({ type: 'extract', as: 'text' }, { type: 'extract', as: 'markdown' })
      const all = [text, ...extracted, await agent.look(), await agent.look({ find: 'Seen' })]
      // The query is the caller's own words, which the answer repeats.
      const found = await agent.look({ find: 'HIDDEN_' })
      expect(
        [...all, found.replaceAll('"HIDDEN_"', '')].filter((each) => each.includes('HIDDEN_')),
        way,
      ).toEqual([])
    }
  })

  test('shows that text on request, marked as hidden', async ({ agent }) => {
    const hidden = `<p style="color: white">WHITE</p><div style="display: none">NONE</div><h2 style="opacity: 0">CLEAR</h2><button style="opacity: 0">BUTTON</button><a href="/x" style="position: absolute; left: -9999px">SKIP</a>`
    await agent.act({ type: 'navigate', url: livePath(`${hidden}<button>Plain</button>`) })
    const lines = (await agent.look({ showHidden: true })).split('\n').map((line) => line.trim())
    const of = (word: string) => lines.find((line) => line.includes(word))
    for (const word of ['WHITE', 'NONE', 'CLEAR']) expect(of(word)).toBe(`hidden text "${word}"`)
    expect(of('BUTTON')).toMatch(/^button "BUTTON" e\d+ hidden$/)
    expect(of('SKIP')).toMatch(/^link "SKIP" e\d+ hidden/)
    expect(of('Plain')).toMatch(/^button "Plain" e\d+$/)
    expect(lines).toContain('Seen words.')
    expect(await agent.look({ find: 'white', showHidden: true })).toContain('hidden text "WHITE"')
    expect((await agent.act({ type: 'wait', milliseconds: 1 })).text).not.toContain('WHITE')
  })
})

const off = 'position: absolute; left: -9999px'
const dot = 'position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)'
const box = 'width="16" height="16" viewBox="0 0 9 9"'
/** HTML of a control, and its line in the snapshot, without the ref. */
const named: Readonly<Record<string, [html: string, line: string]>> = {
  'a button with an icon and a text for screen readers': [
    `<button><svg ${box}></svg><span style="${dot}">Close</span></button>`,
    'button "Close"',
  ],
  'an icon of a font': [
    `<style>.icon::before { content: '☰' }</style><a href="/m" class="icon"><span style="${off}">Menu</span></a>`,
    'link "Menu" /m',
  ],
  'a text behind its picture': [
    `<style>.logo { display: block; width: 90px; height: 30px; background: url(/x.png) #036; text-indent: -9999px; overflow: hidden }</style><a href="/h" class="logo">Home page</a>`,
    'link "Home page" /h',
  ],
  'a text of no size behind its picture': [
    '<a href="/h" style="display: block; width: 90px; height: 30px; background: #036; font: 0/0 a; color: transparent">Front page</a>',
    'link "Front page" /h',
  ],
  'a link that lies over a card': [
    `<div style="position: relative"><p>Card</p><a href="/c" style="position: absolute; inset: 0"><span style="${dot}">Read the card</span></a></div>`,
    'link "Read the card" /c',
  ],
  'a box drawn over its field': [
    '<label><input type="checkbox" style="opacity: 0; position: absolute"><i>✓</i> Terms</label>',
    'checkbox "✓ Terms"',
  ],
  'a field with a label for screen readers': [
    `<label for="q" style="${dot}">Search the shop</label><input id="q">`,
    'textbox "Search the shop"',
  ],
  'the field of an editor': ['<textarea style="opacity: 0" aria-label="Source"></textarea>', 'textbox "Source"'],
  'a file field under a button': ['<input type="file" style="opacity: 0" aria-label="Photo">', 'file "Photo"'],
  'a label in words of its own': ['<button aria-label="Next page">›</button>', 'button "Next page"'],
}

describe.concurrent('an honest live page', () => {
  test('keeps the names of its controls, which can be used as targets', async ({ agent }) => {
    for (const [what, [html, line]] of Object.entries(named)) {
      const { text } = await agent.act({ type: 'navigate', url: livePath(html) })
      const lines = text.split('\n').map((each) => each.trim().replace(/ e\d+/, ''))
      expect(lines, what).toContain(line)
      const target = /^\w+ "[^"]+"/.exec(line)?.[0] ?? ''
      expect((await agent.act({ type: 'scroll', target })).ok, what).toBe(true)
    }
  })

  const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"/>'
  const visible = [
    [
      'on a picture',
      `<div style="position: relative; height: 99px"><img src='${picture}' style="position: absolute" width="300" height="90"><h2 style="position: relative; color: white">Words</h2></div>`,
    ],
    [
      'on a picture of its box',
      '<div style="background: linear-gradient(navy, teal); color: white"><p>Words</p></div>',
    ],
    [
      'on a box that is placed',
      '<div style="position: relative; height: 99px"><div style="position: absolute; inset: 0; background: navy"></div><p style="position: relative; color: white">Words</p></div>',
    ],
    [
      'on what is drawn before it',
      '<style>.p { position: relative; color: white } .p::before { content: ""; position: absolute; inset: 0; background: navy; z-index: -1 }</style><p class="p">Words</p>',
    ],
    [
      'in letters of a gradient',
      '<p style="background: linear-gradient(red, blue); background-clip: text; color: transparent">Words</p>',
    ],
    ['with an edge', '<p style="color: white; text-shadow: 0 0 3px black">Words</p>'],
    ['on a dark page', '<style>body { background: #111; color: #eee }</style><p>Words</p>'],
    [
      'in a carousel',
      '<div style="overflow: hidden; width: 300px"><div style="display: flex; transform: translateX(-600px)"><p style="flex: 0 0 300px">Words</p><p style="flex: 0 0 300px">Two</p><p style="flex: 0 0 300px">Three</p></div></div>',
    ],
    ['with little opacity', '<p style="opacity: 0.3">Words</p>'],
    [
      'in a price with a text for screen readers',
      `<p>Price: <span style="${off}">Words 12.99</span><span aria-hidden="true">12<sup>99</sup></span></p>`,
    ],
  ] as const
  test('shows visible text, and the spoken form of a price', async ({ agent }) => {
    for (const [where, html] of visible)
      expect((await agent.act({ type: 'navigate', url: livePath(html) })).text, where).toContain('Words')
  })
})
