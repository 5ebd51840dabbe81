import { describe, expect, test } from 'vitest'
import {
  chromaOf,
  type Color,
  contrastOf,
  distanceOf,
  fromHex,
  isColorful,
  blend,
  parseRgb,
  toHex,
  white,
} from '../../src/engine/browser/branding/color.ts'

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

  test('is written with two digits a part', () => {
    expect(toHex([1, 171, 254.6, 1])).toBe('#01ABFF')
    expect(fromHex('#01ABFF')).toEqual([1, 171, 255, 1])
  })

  test('lies over its ground by its alpha', () => {
    expect(blend([255, 0, 0, 0.5], white)).toEqual([255, 127.5, 127.5, 1])
    expect(blend([255, 0, 0, 0], black)).toEqual(black)
  })
})

describe('how two colours compare', () => {
  // Contrast of black and white, and of the lightest grey that text on white may have, from WCAG 2.2.
  test.each([
    [white, black, 21],
    [black, white, 21],
    [white, white, 1],
    [fromHex('#767676'), white, 4.54],
  ])('the contrast of %j and %j is %d', (one, other, expected) => {
    expect(contrastOf(one, other)).toBeCloseTo(expected, 2)
  })

  test('black and white are as far from each other as colours of the same hue can be', () => {
    expect(distanceOf(black, white)).toBeCloseTo(1, 3)
    expect(distanceOf(white, white)).toBe(0)
  })

  test('pure red has the chroma that Oklab gives it', () => {
    expect(chromaOf(fromHex('#FF0000'))).toBeCloseTo(0.2577, 3)
  })

  test.each([
    ['#FFFFFF', false],
    ['#0F172A', false],
    ['#475569', false],
    ['#14532D', true],
    ['#0050A0', true],
    ['#B3131B', true],
  ])('%s counts as a colour: %s', (hex, expected) => {
    expect(isColorful(fromHex(hex))).toBe(expected)
  })
})
