import { describe, expect, test } from 'vitest'
import { parseRgb, toHex } from '../../src/engine/browser/branding/color.ts'
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
describe('the name of a font', () => {
  test.each([
    ['"Open Sans", Arial, sans-serif', 'Open Sans'],
    ['__Inter_d65c78, __Inter_Fallback_d65c78', 'Inter'],
    ['__DM_Sans_a1b2c3', 'DM Sans'],
    ['-apple-system, BlinkMacSystemFont, "Segoe UI"', 'system-ui'],
    ['', undefined],
  ])('from the stack %j is %j', (stack, expected) => {
    expect(firstFamily(stack)).toBe(expected)
  })
})

describe('the unit of distances', () => {
  test.each([
    [[8, 16, 24, 32, 64, 16], 8],
    [[4, 12, 20, 8, 4, 12], 4],
    [[10, 20, 30, 10, 50], 10],
    [[8, 16, 24, 32, 13, 8, 16, 24, 8, 16], 8],
    [[7, 11, 13, 17, 19], undefined],
    [[8, 16], undefined],
    [[0, 1, 2, 3, 400, 8, 16, 24, 32, 8], 8],
  ])('of %j is %s', (values, expected) => {
    expect(baseUnitOf(values)).toBe(expected)
  })
})

describe('roundness', () => {
  test.each([
    ['0px', 'sharp'],
    ['8px', 'soft'],
    ['9999px', 'round'],
    ['50%', 'round'],
    ['4%', 'round'],
    [undefined, undefined],
  ] as const)('of corners of %s is %s', (radius, expected) => {
    expect(roundnessOf(radius)).toBe(expected)
  })
})

describe('a style variable', () => {
  const red = 'rgb(200, 0, 0)'

  test('gets its role from the colour with the plainest name', () => {
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
  ])('%s: %s is not used', (name, value) => {
    expect(found('success', [name, value])).toBeUndefined()
  })

  test.each([
    ['142 76% 36%', 'hsl(142 76% 36%)'],
    ['142, 76%, 36%', 'hsl(142, 76%, 36%)'],
    ['#fff', '#fff'],
    ['1 2 3', '1 2 3'],
  ])('%s is the colour %s', (value, expected) => {
    expect(asColor(value)).toBe(expected)
  })
})

describe('the logo', () => {
  const inHeader = picture({ place: 'header', link: 'home' })

  test.each([
    ['leads home from the header', [picture({}), inHeader]],
    ['is called so', [picture({ place: 'header' }), picture({ place: 'header', hint: 'site-logo' })]],
    ['is not that of a customer', [picture({ place: 'main', hint: 'customer-logo acme' }), inHeader]],
    ['is not an icon of the menu', [picture({ place: 'header', box: [0, 0, 20, 20], hint: 'menu' }), inHeader]],
    ['bears the name of the site', [inHeader, picture({ place: 'header', link: 'home', name: 'Acme Inc.' })]],
    [
      'is not the one in the footer',
      [picture({ place: 'footer', link: 'home', hint: 'logo', box: [0, 4000, 90, 30] }), inHeader],
    ],
  ])('%s', (_, candidates) => {
    expect(chooseLogo(candidates, 'Acme')).toBe(1)
  })

  test('is not a picture in the text', () => {
    expect(
      chooseLogo([picture({ place: 'main' }), picture({ place: 'main', box: [0, 900, 800, 400] })], ''),
    ).toBeUndefined()
    expect(chooseLogo([], '')).toBeUndefined()
  })

  const told = (...jsonLd: string[]) =>
    declaredLogo({
      jsonLd,
      url: 'https://site.test/a/',
      icons: [icon('apple-touch-icon', 'https://site.test/touch.png')],
    })

  test.each([
    ['{"logo":"/l.png"}', 'https://site.test/l.png'],
    ['{"@graph":[{"publisher":{"logo":{"url":"https://cdn.test/l.svg"}}}]}', 'https://cdn.test/l.svg'],
    ['[{"logo":{"@type":"ImageObject","contentUrl":"l.png"}}]', 'https://site.test/a/l.png'],
    ['{"logo":7}', 'https://site.test/touch.png'],
    ['{"logo":', 'https://site.test/touch.png'],
  ])('described as %s is at %s', (text, expected) => {
    expect(told(text)).toBe(expected)
  })

  test.each([
    ['the drawn one', [icon('icon', 'a.png', '192x192'), icon('icon', 'b.svg')], 'b.svg'],
    ['the largest', [icon('icon', 'a.png', '16x16'), icon('icon', 'b.png', '48x48')], 'b.png'],
    [
      'one for tabs before one for home screens',
      [icon('apple-touch-icon', 'a.png', '180x180'), icon('icon', 'b.ico')],
      'b.ico',
    ],
    ['one for home screens if there is no other', [icon('apple-touch-icon', 'a.png')], 'a.png'],
    ['the one every browser tries', [], 'https://site.test/favicon.ico'],
  ])('of the icons is %s', (_, icons, expected) => {
    expect(bestFavicon(icons, 'https://site.test/a/b')).toBe(expected)
  })
})
