import { describe, expect, test } from 'vitest'
import { plainLine, sentencesOf } from '../../src/util/plain-markdown.ts'

const times = (part: string, count: number) => part.repeat(count)

test.each([
  ['## A **bold** `word` and [a link](/x "t") here', 'A bold word and a link here'],
  ['> - [x] done ![alt](a.png) [![logo](l.png)](/home)', 'done alt logo'],
  ['[a](</x y>) [b](/x_(y)) [c](/x', 'a b [c](/x'],
  ['see [1] and [a [b](/c) at the end)', 'see [1] and a [b at the end)'],
  ['``a`b`` and ~~gone~~ and snake_case', 'a`b and gone and snake_case'],
  ['| a | b |', 'a · b'],
  ['| a |  |  | b |', 'a · · · b'],
])('%j is read as %j', (line, words) => expect(plainLine(line)).toBe(words))

test('a full stop ends a sentence, with the closing quotes', () => {
  expect(sentencesOf('He said "no." Dr. Smith (yes.) went e.g. home.')).toEqual([
    'He said "no."',
    'Dr. Smith (yes.)',
    'went e.g. home.',
  ])
})

/** If the time were quadratic, each line would take more than a minute. */
describe('a long line is read in linear time', () => {
  test.each([
    ['brackets', times('[', 500_000)],
    ['pictures without end', times('![](<', 200_000)],
    ['links without end', times('[](<', 200_000)],
    ['links with one end', `${times('[](<>', 200_000)})`],
    ['backticks', `x${times('`', 500_000)}x`],
    ['runs of backticks', times('`a ', 100_000)],
    ['spaces of a row', `| a${times('\u2003', 300_000)}b |`],
  ])('%s', (_, line) => expect(plainLine(line).length).toBeGreaterThan(0))

  test('quotes', () => expect(sentencesOf(`a${times('"', 500_000)} b`)).toHaveLength(1))
})
