import { expect, test } from 'vitest'
import { plain, type Style } from '../../src/cli/terminal-io.ts'
import { createLog } from '../../src/kernel/log.ts'
import { readableLog } from '../../src/main.ts'

function logOf({ columns = 0, style = plain }: { columns?: number; style?: Style } = {}) {
  let written = ''
  const write = (text: string) => void (written += text)
  return { log: createLog('debug', readableLog({ write, style, columns: () => columns })), written: () => written }
}

test.each([
  [{}, 'browser.close'],
  [{ path: 'a b', count: 2, list: ['x'] }, 'browser.close (path: a b, count: 2, list: ["x"])'],
  [{ text: 'two\nlines' }, 'browser.close (text: two lines)'],
  [{ text: 'a\u001b[2Jb' }, 'browser.close (text: a\uFFFD[2Jb)'],
  [{ cause: new TypeError('outer', { cause: new Error('inner') }) }, 'browser.close (cause: outer ← inner)'],
  [{ apiKey: 'hunter2' }, 'browser.close (apiKey: [hidden])'],
])('an event with %j is one readable line', (facts, line) => {
  const { log, written } = logOf()
  log.warn('browser.close', facts)
  expect(written()).toMatch(/^\d\d:\d\d:\d\d warn [^\n]+\n$/)
  expect(written()).toContain(` warn ${line}\n`)
})

test('only the level is coloured', () => {
  const { log, written } = logOf({ style: (format, text) => `<${String(format)}>${text}` })
  log.error('e')
  log.warn('w')
  expect(written()).toMatch(/<red>error e\n.*<yellow>warn w\n/)
})
