import { describe, expect, test } from 'vitest'
import { type Color, contrastOf, fromHex, blend, parseRgb, white } from '../../src/engine/browser/branding/color.ts'

const black: Color = [0, 0, 0, 1]

describe('a computed colour', () => {
  test.each([
    ['rgb(1, 2, 3)', [1, 2, 3, 1]],
    ['rgba(1, 2, 3, 0.25)', [1, 2, 3, 0.25]],
    ['oklch(0.5 0.1 150)', undefined],
    ['red', undefined],
    ['', undefined],
  ] as const)('%s is read as %j', (text, expected) => {
    expect(parseRgb(text)).toEqual(expected)
  })

  test('is blended with its background by its alpha', () => {
    expect(blend([255, 0, 0, 0.5], white)).toEqual([255, 127.5, 127.5, 1])
    expect(blend([255, 0, 0, 0], black)).toEqual(black)
  })
})

describe('comparison of two colours', () => {
  // Contrast of black and white, and of the lightest grey that text on white may have, from WCAG 2.2.
  test.each([
    [white, black, 21],
    [black, white, 21],
    [white, white, 1],
    [fromHex('#767676'), white, 4.54],
  ])('the contrast of %j and %j is %d', (one, other, expected) => {
    expect(contrastOf(one, other)).toBeCloseTo(expected, 2)
  })
})
