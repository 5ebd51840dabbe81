import { expect, test } from 'vitest'
import { commandsIn } from '../../../src/engine/session/pilot/follow-prompt.ts'

const acts = (prompt: string) =>
  commandsIn(prompt)?.map((command) => ('read' in command ? command.read : command.ways[0]))

test.each<[string, unknown]>([
  ['click Next', [[{ type: 'click', target: 'Next' }]]],
  ['Click on the "Sign in" button.', [[{ type: 'click', target: 'button "Sign in"' }]]],
  ['click the button that says "Add to cart"', [[{ type: 'click', target: 'button "Add to cart"' }]]],
  ['click the link named Prices', [[{ type: 'click', target: 'link "Prices"' }]]],
  ['open the link with the text "About us"', [[{ type: 'click', target: 'link "About us"' }]]],
  ['select the radio button "Express delivery"', [[{ type: 'check', target: '"Express delivery"' }]]],
  ['choose the option called Large parcel', [[{ type: 'check', target: 'Large parcel' }]]],
  ['tick the box I agree', [[{ type: 'check', target: 'I agree' }]]],
  ['tick the box labelled "I agree"', [[{ type: 'check', target: '"I agree"' }]]],
  ['type Ann into the field called Name', [[{ type: 'fill', target: 'Name', value: 'Ann' }]]],
  ['press Enter', [[{ type: 'press', key: 'Enter' }]]],
  ['press the Save button', [[{ type: 'click', target: 'button "Save"' }]]],
  ['type Ann into the Name field', [[{ type: 'fill', target: 'Name', value: 'Ann' }]]],
  ['enter "a, b and c" in Notes', [[{ type: 'fill', target: 'Notes', value: 'a, b and c' }]]],
  ['type hello', [[{ type: 'type', value: 'hello' }]]],
  ['select Sailing boat in the Kind dropdown', [[{ type: 'select', target: 'Kind', options: ['Sailing boat'] }]]],
  ['check I agree', [[{ type: 'check', target: 'I agree' }]]],
  ['scroll down', [[{ type: 'scroll' }]]],
  ['scroll to the bottom of the page', [[{ type: 'scroll', direction: 'end' }]]],
  ['go back', [[{ type: 'back' }]]],
  ['reload the page', [[{ type: 'reload' }]]],
  ['wait for Welcome', [[{ type: 'wait', text: 'Welcome' }]]],
  ['open https://example.com/a', [[{ type: 'navigate', url: 'https://example.com/a' }]]],
  ['What is the title?', ['title']],
  ['extract the table', [[{ type: 'extract', as: 'rows' }]]],
  [
    'search for brass bell',
    [
      [
        { type: 'fill', target: 'searchbox', value: 'brass bell' },
        { type: 'press', key: 'Enter' },
      ],
    ],
  ],
  ['click Terms and Conditions', [[{ type: 'click', target: 'Terms and Conditions' }]]],
  [
    'Please type Tom and Jerry into Search, then press Enter and click the first link',
    [
      [{ type: 'fill', target: 'Search', value: 'Tom and Jerry' }],
      [{ type: 'press', key: 'Enter' }],
      [{ type: 'click', target: 'link "first"' }],
    ],
  ],
  ['click "Link account"', [[{ type: 'click', target: '"Link account"' }]]],
  ['fill in the "Date of birth" field with 1990', [[{ type: 'fill', target: '"Date of birth"', value: '1990' }]]],
])('a prompt is read as plain commands: %s', (prompt, expected) => expect(acts(prompt)).toEqual(expected))

test.each([
  'Find the cheapest bell and put it in the cart',
  'click',
  'Add one',
  'click Next, then tell me what it costs',
  'click Next and say what it costs',
  'click a and '.repeat(80) + 'buy it',
  'extract all prices as a list of numbers',
  '',
  'click '.repeat(300),
])('a prompt is not read as plain commands: %s', (prompt) => expect(commandsIn(prompt)).toBeUndefined())
