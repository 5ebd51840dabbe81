import { describe, expect, test } from 'vitest'
import { flagOf } from '../../src/app/read-config.ts'
import { helpText } from '../../src/cli/help.ts'
import { plain } from '../../src/cli/terminal-io.ts'
import { commandNames, commandOf } from '../../src/cli/usage/command-table.ts'
import { everywhere } from '../../src/cli/usage/command-flags.ts'
import { flagText } from '../../src/cli/usage/syntax.ts'

const linesOf = (text: string) => text.trimEnd().split('\n')
const topics = [undefined, ...commandNames]

describe.each(topics)('help %s', (topic) => {
  test('fits on one screen', () => {
    const lines = linesOf(helpText(topic, plain))
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
  })
})

test('lists every command, and every flag common to all', () => {
  const text = helpText(undefined, plain)
  for (const name of commandNames) expect(text).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  for (const key of everywhere) expect(text).toContain(flagOf(key))
  expect(text).toMatch(/-h, --help.*\n.*-v, --version/)
})

test.each(commandNames)('help %s shows every form, flag and setting', (name) => {
  const text = helpText(name, plain).replace(/\s+/g, ' ')
  for (const { verb, words = [], flags = [], about = '' } of commandOf(name).forms) {
    expect(text).toContain(['gossamer', name, ...(verb ? [verb] : []), ...words].join(' '))
    expect(text).toContain(about)
    for (const key of flags) expect(text).toContain(flagText(key))
  }
  for (const key of commandOf(name).settings ?? []) expect(text).toContain(`${flagOf(key)} `)
})

test.each([
  ['crwal', /no command crwal\. Did you mean crawl\?/],
  ['setings', /Did you mean settings\?/],
  ['dat-dir', /Did you mean data-dir\?/],
])('help %s is refused', (topic, message) => expect(() => helpText(topic, plain)).toThrow(message))
