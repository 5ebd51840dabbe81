import { describe, expect, test } from 'vitest'
import {
  blend,
  type Color,
  contrastOf,
  fromHex,
  parseRgb,
  toHex,
  white,
} from '../../src/engine/browser/branding/color.ts'
import { firstFamily } from '../../src/engine/browser/branding/brand-fonts.ts'
import { bestFavicon } from '../../src/engine/browser/branding/read-branding.ts'
import { chooseLogo, declaredLogo } from '../../src/engine/browser/branding/logo.ts'
import { baseUnitOf, roundnessOf } from '../../src/engine/browser/branding/brand-layout.ts'
import { asColor, type Role, variableColor } from '../../src/engine/browser/branding/samples.ts'
import type { RawIcon, RawLogo } from '../../src/engine/page-script/branding/logos.ts'

const found = (role: Role, ...variables: [string, string][]) => {
  const color = variableColor(variables, role, parseRgb)
  return color && toHex(color)
}
const picture = (facts: Partial<RawLogo>): RawLogo => ({
  kind: 'img',
  src: 'https://site.test/a.png',
  box: [20, 20, 120, 40],
  hint: '',
  name: '',
  link: 'none',
  place: 'other',
  ...facts,
})
const icon = (rel: string, href: string, sizes = '', type = ''): RawIcon => ({ rel, href, sizes, type })

const declared = (...jsonLd: string[]) =>
  declaredLogo({
    jsonLd,
    url: 'https://site.test/a/',
    icons: [icon('apple-touch-icon', 'https://site.test/touch.png')],
  })

test.each([
  ['"Open Sans", Arial, sans-serif', 'Open Sans'],
  ['__Inter_d65c78, __Inter_Fallback_d65c78', 'Inter'],
  ['__DM_Sans_a1b2c3', 'DM Sans'],
  ['-apple-system, BlinkMacSystemFont, "Segoe UI"', 'system-ui'],
  ['', undefined],
])('the name of a font from the stack %j is %j', (stack, expected) => expect(firstFamily(stack)).toBe(expected))

test.each([
  [[8, 16, 24, 32, 64, 16], 8],
  [[4, 12, 20, 8, 4, 12], 4],
  [[10, 20, 30, 10, 50], 10],
  [[8, 16, 24, 32, 13, 8, 16, 24, 8, 16], 8],
  [[7, 11, 13, 17, 19], undefined],
  [[8, 16], undefined],
  [[0, 1, 2, 3, 400, 8, 16, 24, 32, 8], 8],
])('the base unit of spacing of %j is %s', (values, expected) => expect(baseUnitOf(values)).toBe(expected))

test.each([
  ['0px', 'sharp'],
  ['8px', 'soft'],
  ['9999px', 'round'],
  ['50%', 'round'],
  ['4%', 'round'],
  [undefined, undefined],
] as const)('roundness of corners of %s is %s', (radius, expected) => expect(roundnessOf(radius)).toBe(expected))

describe('a style variable', () => {
  const red = 'rgb(200, 0, 0)'

  test('with the shortest name determines the colour of a role', () => {
    expect(found('error', ['--color-danger-text', 'rgb(1, 1, 1)'], ['--color-danger', red])).toBe('#C80000')
    expect(found('error', ['--theme-color-error', 'rgb(1, 1, 1)'], ['--error', red])).toBe('#C80000')
  })

  test.each([
    ['--success-bg', red],
    ['--on-success', red],
    ['--success-100', red],
    ['--wp--preset--color--success', red],
    ['--successor', red],
    ['--success', '12px'],
    ['--success', 'rgba(0, 0, 0, 0.2)'],
  ])('%s: %s does not determine the colour of a role', (name, value) => {
    expect(found('success', [name, value])).toBeUndefined()
  })

  test.each([
    ['142 76% 36%', 'hsl(142 76% 36%)'],
    ['142, 76%, 36%', 'hsl(142, 76%, 36%)'],
    ['#fff', '#fff'],
    ['1 2 3', '1 2 3'],
  ])('with the value %s is read as the colour %s', (value, expected) => expect(asColor(value)).toBe(expected))
})

describe('the logo', () => {
  const inHeader = picture({ place: 'header', link: 'home' })

  test.each([
    ['links home from the header', [picture({}), inHeader]],
    ['is called a logo in the markup', [picture({ place: 'header' }), picture({ place: 'header', hint: 'site-logo' })]],
    ['is not that of a customer', [picture({ place: 'main', hint: 'customer-logo acme' }), inHeader]],
    ['is not an icon of the menu', [picture({ place: 'header', box: [0, 0, 20, 20], hint: 'menu' }), inHeader]],
    ['has the name of the site', [inHeader, picture({ place: 'header', link: 'home', name: 'Acme Inc.' })]],
    [
      'is not the one in the footer',
      [picture({ place: 'footer', link: 'home', hint: 'logo', box: [0, 4000, 90, 30] }), inHeader],
    ],
  ])('%s', (_, candidates) => expect(chooseLogo(candidates, 'Acme')).toBe(1))

  test('is not an image of the main content', () => {
    expect(
      chooseLogo([picture({ place: 'main' }), picture({ place: 'main', box: [0, 900, 800, 400] })], ''),
    ).toBeUndefined()
    expect(chooseLogo([], '')).toBeUndefined()
  })

  test.each([
    ['{"logo":"/l.png"}', 'https://site.test/l.png'],
    ['{"@graph":[{"publisher":{"logo":{"url":"https://cdn.test/l.svg"}}}]}', 'https://cdn.test/l.svg'],
    ['[{"logo":{"@type":"ImageObject","contentUrl":"l.png"}}]', 'https://site.test/a/l.png'],
    ['{"logo":7}', 'https://site.test/touch.png'],
    ['{"logo":', 'https://site.test/touch.png'],
  ])('declared as %s has the URL %s', (text, expected) => expect(declared(text)).toBe(expected))
})

test.each([
  ['an SVG', [icon('icon', 'a.png', '192x192'), icon('icon', 'b.svg')], 'b.svg'],
  ['the largest image', [icon('icon', 'a.png', '16x16'), icon('icon', 'b.png', '48x48')], 'b.png'],
  [
    'an icon for tabs rather than one for home screens',
    [icon('apple-touch-icon', 'a.png', '180x180'), icon('icon', 'b.ico')],
    'b.ico',
  ],
  ['an icon for home screens if it is the only one', [icon('apple-touch-icon', 'a.png')], 'a.png'],
  ['the default file of browsers', [], 'https://site.test/favicon.ico'],
])('the favicon is %s', (_, icons, expected) => expect(bestFavicon(icons, 'https://site.test/a/b')).toBe(expected))

const black: Color = [0, 0, 0, 1]

describe('a computed colour', () => {
  test.each([
    ['rgb(1, 2, 3)', [1, 2, 3, 1]],
    ['rgba(1, 2, 3, 0.25)', [1, 2, 3, 0.25]],
    ['oklch(0.5 0.1 150)', undefined],
    ['red', undefined],
    ['', undefined],
  ] as const)('%s is read as %j', (text, expected) => expect(parseRgb(text)).toEqual(expected))

  test('is blended with its background by its alpha', () => {
    expect(blend([255, 0, 0, 0.5], white)).toEqual([255, 127.5, 127.5, 1])
    expect(blend([255, 0, 0, 0], black)).toEqual(black)
  })
})

// Contrast of black and white, and of the lightest grey that text on white may have, from WCAG 2.2.
test.each([
  [white, black, 21],
  [black, white, 21],
  [white, white, 1],
  [fromHex('#767676'), white, 4.54],
])('the contrast of the colours %j and %j is %d', (one, other, expected) => {
  expect(contrastOf(one, other)).toBeCloseTo(expected, 2)
})
