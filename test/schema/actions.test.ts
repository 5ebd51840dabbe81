import { describe, expect, test } from 'vitest'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { writtenIssues } from '../helpers/issues.ts'

const url = 'https://example.com'
const faults = (options: object) => {
  const { error } = ScrapeInput.safeParse({ url, ...options })
  return error ? writtenIssues(error) : []
}
const wait = (milliseconds: number) => ({ type: 'wait', milliseconds })

describe('an action', () => {
  test.each<[object, object]>([
    [{ type: 'wait', milliseconds: 1 }, {}],
    [{ type: 'click', selector: '#a' }, { all: false }],
    [{ type: 'screenshot' }, { fullPage: false }],
    [{ type: 'write', text: '' }, {}],
    [{ type: 'scroll' }, { direction: 'down' }],
    [{ type: 'scroll', direction: 'up', selector: 'div' }, {}],
    [{ type: 'pdf' }, { format: 'Letter', landscape: false, scale: 1 }],
    [{ type: 'pdf', format: 'A0', landscape: true, scale: 0.5 }, {}],
  ])('%j is accepted with the defaults %j', (sent, defaults) => {
    expect(ScrapeInput.parse({ url, actions: [sent] }).actions).toEqual([{ ...sent, ...defaults }])
  })

  test.each<[object, string]>([
    [{ type: 'hover' }, 'actions[0].type'],
    [{ type: 'wait', milliseconds: 0 }, 'actions[0].milliseconds'],
    [{ type: 'wait', milliseconds: 60_001 }, 'actions[0].milliseconds'],
    [{ type: 'click' }, 'actions[0].selector'],
    [{ type: 'click', selector: '' }, 'actions[0].selector'],
    [{ type: 'screenshot', quality: 101 }, 'actions[0].quality'],
    [{ type: 'write' }, 'actions[0].text'],
    [{ type: 'press' }, 'actions[0].key'],
    [{ type: 'scroll', direction: 'left' }, 'actions[0].direction'],
    [{ type: 'executeJavascript' }, 'actions[0].script'],
    [{ type: 'pdf', format: 'A7' }, 'actions[0].format'],
  ])('%j is refused, at %s', (action, path) => expect(faults({ actions: [action] })[0]?.path).toBe(path))

  test.each([[{ type: 'wait' }], [{ type: 'wait', milliseconds: 5, selector: 'a' }]])(
    '%j is refused: a wait takes one of milliseconds and selector',
    (action) => {
      expect(faults({ actions: [{ type: 'scrape' }, action] })).toEqual([
        expect.objectContaining({ path: 'actions[1]', message: expect.stringMatching(/milliseconds or selector/) }),
      ])
    },
  )
})

describe('a total wait of', () => {
  const element = { type: 'wait', selector: 'a' }

  test.each<[string, object]>([
    ['half of the timeout', { waitFor: 500, timeout: 1000 }],
    ['a minute of waits', { actions: [wait(30_000), wait(30_000)] }],
    ['a minute with waitFor', { waitFor: 30_000, actions: [wait(30_000)] }],
    ['a minute with an element, which counts a second', { actions: [wait(59_000), element] }],
  ])('%s is accepted', (_, options) => expect(faults(options)).toEqual([]))

  test.each<[string, object, RegExp]>([
    ['more than half of the timeout', { waitFor: 501, timeout: 1000 }, /half of timeout/],
    ['more than half of the default timeout', { waitFor: 30_001 }, /half of timeout/],
    ['over a minute of waits', { actions: [wait(30_000), wait(30_001)] }, /60000 ms, not 60001/],
    ['over a minute with waitFor', { waitFor: 30_000, actions: [wait(30_001)] }, /60000 ms, not 60001/],
    ['over a minute with an element', { actions: [wait(59_001), element] }, /60000 ms, not 60001/],
  ])('%s is refused', (_, options, message) => {
    expect(faults(options)).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
  })
})
