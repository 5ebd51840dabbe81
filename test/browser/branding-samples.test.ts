import { motionOf } from '../../src/engine/browser/branding/read-branding.ts'
import { describe, expect, test } from 'vitest'
import { buttonStyles, secondaryButton } from '../../src/engine/browser/branding/buttons.ts'
import { parseRgb, toHex } from '../../src/engine/browser/branding/color.ts'
import { fontsOf, typographyOf } from '../../src/engine/browser/branding/brand-fonts.ts'
import { pageBackground, textColors } from '../../src/engine/browser/branding/palette.ts'
import { layoutOf } from '../../src/engine/browser/branding/brand-layout.ts'
import {
  colorTexts,
  backgroundOf,
  properties,
  type Property,
  toSamples,
} from '../../src/engine/browser/branding/samples.ts'
import type { RawElement, RawElements } from '../../src/engine/page-script/branding/elements.ts'

const window = { width: 1000, height: 800 }
type Facts = Partial<Omit<RawElement, 'style'>> & { css?: Partial<Record<Property, string>> }

const usual: Partial<Record<Property, string>> = {
  color: 'rgb(0, 0, 0)',
  'background-color': 'rgba(0, 0, 0, 0)',
  'background-image': 'none',
  'border-top-style': 'none',
  'font-size': '16px',
  'font-weight': '400',
}

/** Elements below a root and a body, which are samples 0 and 1. */
function raw(...elements: Facts[]): RawElements {
  const page = [{ tag: 'html', parent: -1 }, { tag: 'body', parent: 0 }, ...elements]
  return {
    styles: page.map(({ css }: Facts) =>
      properties.map((property) => ({ ...usual, ...css })[property] ?? '').join('\n'),
    ),
    elements: page.map(({ css: _css, ...facts }: Facts, style) => ({
      tag: 'div',
      kind: '',
      parent: 1,
      box: [0, 0, 1000, 2400] as const,
      glyphs: 0,
      label: '',
      hint: '',
      ...facts,
      style,
    })),
  }
}
const samplesOf = (...elements: Facts[]) => toSamples(raw(...elements), parseRgb)
const painted = (color: string, more: Facts = {}): Facts => ({
  ...more,
  css: { 'background-color': color, ...more.css },
})
const white = [255, 255, 255, 1] as const

const backgroundWith = (...elements: Facts[]) => toHex(pageBackground(samplesOf(...elements), window))
const facesOf = (...elements: Facts[]) =>
  buttonStyles(samplesOf(...elements), window).map(({ face, members }) => `${toHex(face)} x${members.length}`)
const text = (glyphs: number, color: string, more: Facts = {}): Facts => ({ tag: 'p', glyphs, ...more, css: { color } })
const hexes = (...elements: Facts[]) =>
  Object.fromEntries(
    Object.entries(textColors(samplesOf(...elements), white)).map(([role, color]) => [role, color && toHex(color)]),
  )
const set = (tag: string, glyphs: number, css: Facts['css']): Facts => ({ tag, glyphs, ...(css && { css }) })
test('colours to convert are returned once, including those of gradients', () => {
  const gradient = 'linear-gradient(90deg, oklch(0.5 0.1 20) 0%, rgb(1, 2, 3) 100%)'
  const texts = colorTexts(raw({ css: { 'background-image': gradient, fill: 'none' } }))
  expect(texts.toSorted()).toEqual(['oklch(0.5 0.1 20)', 'rgb(0, 0, 0)', 'rgb(1, 2, 3)', 'rgba(0, 0, 0, 0)'])
})

test('the background of an element is blended from translucent surfaces', () => {
  const samples = samplesOf(painted('rgb(0, 0, 0)'), painted('rgba(255, 255, 255, 0.5)', { parent: 2 }))
  expect(backgroundOf(samples[3])).toEqual([127.5, 127.5, 127.5, 1])
})

describe('the background of the page', () => {
  test('is white if nothing is painted', () => expect(backgroundWith()).toBe('#FFFFFF'))

  test('is the colour of the largest visible area', () => {
    expect(backgroundWith(painted('rgb(1, 1, 1)'), painted('rgb(2, 2, 2)', { box: [0, 600, 1000, 1800] }))).toBe(
      '#020202',
    )
  })

  test('is not the mean of a gradient that fills the viewport', () => {
    const hero = { css: { 'background-image': 'linear-gradient(rgb(90, 0, 200), rgb(0, 90, 250))' } }
    expect(backgroundWith({ ...hero, box: [0, 0, 1000, 2000] })).toBe('#FFFFFF')
  })

  test('ignores dialogs and areas behind images', () => {
    const dialog = painted('rgb(1, 1, 1)', { tag: 'dialog' })
    const picture = { tag: 'img', box: [0, 0, 1000, 1500] as const }
    expect(backgroundWith(painted('rgb(3, 3, 3)'), dialog, picture)).toBe('#030303')
  })
})

describe('buttons', () => {
  const box = [100, 100, 160, 48] as const
  const button = (label: string, color: string, more: Facts = {}) =>
    painted(color, { tag: 'button', label, box, ...more })

  test('with the same style form one group, the most colourful first', () => {
    expect(
      facesOf(
        button('More', 'rgb(230, 230, 230)'),
        button('Next', 'rgb(0, 80, 200)'),
        button('Back', 'rgb(0, 80, 200)'),
      ),
    ).toEqual(['#0050C8 x2', '#E6E6E6 x1'])
  })

  test.each([
    ['without words', button('', 'rgb(200, 0, 0)')],
    ['too large', button('Buy', 'rgb(200, 0, 0)', { box: [0, 0, 900, 300] })],
    ['with the colour of their background', button('Buy', 'rgb(255, 255, 255)')],
    ['of a dialog', button('Accept', 'rgb(200, 0, 0)', { kind: 'dialog' })],
    ['that are links without padding', button('Buy', 'rgb(200, 0, 0)', { tag: 'a' })],
  ])('exclude elements %s', (_, element) => expect(facesOf(element)).toEqual([]))

  test('have as secondary style that of the button next to the main one', () => {
    const beside = { box: [280, 100, 160, 48] as const }
    const styles = buttonStyles(
      samplesOf(
        button('Start', 'rgb(0, 80, 200)'),
        button('Demo', 'rgb(235, 235, 235)', beside),
        button('Hire us', 'rgb(0, 150, 90)', { box: [100, 700, 160, 48] }),
      ),
      window,
    )
    expect(styles.map(({ members }) => members[0]?.label)).toEqual(['Start', 'Hire us', 'Demo'])
    expect(styles[0] && secondaryButton(styles, styles[0])?.members[0]?.label).toBe('Demo')
  })
})

describe('text', () => {
  test('is primary if it has most contrast, even if more text is grey', () => {
    expect(hexes(text(300, 'rgb(100, 100, 100)'), text(200, 'rgb(20, 20, 20)'))).toEqual({
      textPrimary: '#141414',
      textSecondary: '#646464',
      link: undefined,
    })
  })

  test('has the primary colour of the headings', () => {
    const heading = { tag: 'h1', css: { color: 'rgb(10, 10, 10)', 'font-size': '48px' }, glyphs: 20 }
    expect(hexes(heading, text(500, 'rgb(80, 80, 80)'))).toMatchObject({
      textPrimary: '#0A0A0A',
      textSecondary: '#505050',
    })
  })
})

test('typography is inferred from the text of the page', () => {
  const samples = samplesOf(
    set('p', 500, { 'font-family': 'Lora, serif', 'font-size': '18px', 'line-height': '27px', 'font-weight': '300' }),
    set('p', 20, { 'font-family': 'Lora, serif', 'font-size': '40px', 'font-weight': '700' }),
    set('h2', 30, { 'font-family': '"Sora"', 'font-size': '32px', 'line-height': '36.8px', 'font-weight': '600' }),
    set('code', 60, { 'font-family': 'Menlo', 'font-size': '14px', 'font-weight': '500' }),
    set('i', 4, { 'font-family': '"Font Awesome 6 Free"', 'font-size': '90px' }),
  )
  expect(typographyOf(samples)).toEqual({
    fontFamilies: { primary: 'Lora', heading: 'Sora', code: 'Menlo' },
    fontSizes: { h2: '32px', body: '18px' },
    fontWeights: { light: 300, regular: 400, medium: 500, bold: 600 },
    lineHeights: { heading: 1.15, body: 1.5 },
  })
  expect(fontsOf(samples)).toEqual([
    { family: 'Lora', role: 'body' },
    { family: 'Sora', role: 'heading' },
    { family: 'Menlo', role: 'code' },
  ])
})

const moving = (duration: string): Facts => ({
  css: { 'transition-duration': duration, 'transition-timing-function': 'cubic-bezier(0.4, 0, 0.2, 1), ease' },
})

describe('layout and motion', () => {
  test('include a tall narrow block at the right as a sidebar', () => {
    expect(layoutOf(samplesOf({ tag: 'aside', box: [740, 100, 260, 700] }), window)).toEqual({ sidebar: 'right' })
  })

  test('ignore a transition that occurs once', () => {
    expect(motionOf(samplesOf(moving('0.9s')))).toEqual({})
    expect(motionOf(samplesOf(moving('0.9s'), moving('0.2s, 0.5s'), moving('0.2s')))).toEqual({
      transitionDuration: '0.2s',
      easing: 'cubic-bezier(0.4, 0, 0.2, 1)',
    })
  })
})
