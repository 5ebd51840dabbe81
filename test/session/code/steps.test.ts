import { expect, test } from 'vitest'
import { parseSelector } from '../../../src/engine/code/playwright/steps.ts'

const part = (text: string) => ({ text, isExact: false })
const whole = (text: string) => ({ text, isExact: true })

test.each([
  ['a.b > c, d', [{ by: 'css', css: 'a.b > c, d' }]],
  ['css=a', [{ by: 'css', css: 'a' }]],
  ['text=Log in', [{ by: 'text', pattern: part('Log in') }]],
  ['text="Log in"', [{ by: 'text', pattern: whole('Log in') }]],
  ['"Log in"', [{ by: 'text', pattern: whole('Log in') }]],
  ['text=/log\\s?in/i', [{ by: 'text', pattern: { source: 'log\\s?in', flags: 'i' } }]],
  [
    "text=don't >> a",
    [
      { by: 'text', pattern: part("don't") },
      { by: 'css', css: 'a' },
    ],
  ],
  ['//ul/li', [{ by: 'xpath', path: '//ul/li' }]],
  ['id=x', [{ by: 'css', css: '[id="x"]' }]],
  ['data-testid=x', [{ by: 'css', css: '[data-testid="x"]' }]],
  [
    'ul >> nth=-1',
    [
      { by: 'css', css: 'ul' },
      { by: 'nth', index: -1 },
    ],
  ],
  [
    'role=button[name="Save"][pressed]',
    [{ by: 'role', role: 'button', name: whole('Save'), states: { pressed: true } }],
  ],
  ['role=heading[level=2]', [{ by: 'role', role: 'heading', level: 2, states: {} }]],
  [
    'button:has-text("Save")',
    [
      { by: 'css', css: 'button' },
      { by: 'filter', with: { text: part('Save') } },
    ],
  ],
  [
    ':has-text("Save")',
    [
      { by: 'css', css: '*' },
      { by: 'filter', with: { text: part('Save') } },
    ],
  ],
  [
    'li:has-text("a, b") a',
    [
      { by: 'css', css: 'li' },
      { by: 'filter', with: { text: part('a, b') } },
      { by: 'css', css: ':scope  a' },
    ],
  ],
  [
    'a:visible.b',
    [
      { by: 'css', css: 'a' },
      { by: 'filter', with: { isVisible: true } },
      { by: 'filter', with: { css: '.b' } },
    ],
  ],
  [
    'a:text-is("x"), b',
    [
      {
        by: 'either',
        ways: [
          [
            { by: 'css', css: 'a' },
            { by: 'both', way: [{ by: 'text', pattern: whole('x') }] },
          ],
          [{ by: 'css', css: 'b' }],
        ],
      },
    ],
  ],
])('%s', (selector, steps) => {
  expect(parseSelector(selector)).toEqual(steps)
})
