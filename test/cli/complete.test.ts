import { expect, test } from 'vitest'
import { flagOf, isSwitch, settingKeys } from '../../src/app/read-config.ts'
import { completions } from '../../src/cli/completion.ts'
import { commandNames, commandOf } from '../../src/cli/usage/command-table.ts'
import { operations, tools } from '../../src/operations/index.ts'

const offered = (...typed: string[]) =>
  completions(typed)
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0])

test('offers every command, and its next words', () => {
  expect(offered('')).toEqual(commandNames)
  expect(offered('cr')).toEqual(['crawl'])
  for (const name of commandNames) {
    const verbs = commandOf(name).forms.flatMap(({ verb }) => verb ?? [])
    if (name !== 'call' && name !== 'help') expect(offered(name, '')).toEqual(verbs)
  }
  expect(offered('keys', 're')).toEqual(['revoke'])
  expect(offered('keys', 'add', '')).toEqual([])
  expect(completions(['keys', 'li'])).toMatch(/^list\t\w.*\n$/)
})

test('offers operations and tools after call, and topics after help', () => {
  const names = new Set([...operations, ...tools].map(({ name }) => name))
  expect(offered('call', '').toSorted()).toEqual([...names].toSorted())
  expect(offered('help', 'cr')).toEqual(expect.arrayContaining(['crawl', 'crawl-host-concurrency']))
  expect(offered('help', 'set')).toContain('settings')
})

test('offers the flags of a command and every setting, and no flag of another command', () => {
  expect(offered('crawl', '--ou')).toEqual(['--out'])
  expect(offered('tools', '--ou')).toEqual([])
  expect(offered('index', 'prune', '--ol')).toEqual(['--older-than'])
  const flags = offered('scrape', '--')
  for (const key of settingKeys) if (!isSwitch(key)) expect(flags).toContain(flagOf(key))
  expect(flags).toEqual(expect.arrayContaining(['--formats', '--json', '--strict', '--no-search-results-pages']))
  expect(flags).not.toContain('--warc')
})

test('offers the values of a flag that has a fixed list, and skips values before the command', () => {
  expect(offered('--log-level', 'si')).toEqual(['silent'])
  expect(offered('--log-level=si')).toEqual(['--log-level=silent'])
  expect(offered('serve', '--unsandboxed-code', '').toSorted()).toEqual(['always', 'local', 'never'])
  expect(offered('--port', '80', 'keys', 'l')).toEqual(['list'])
  expect(offered('--port=80', '--strict', 'keys', 'l')).toEqual(['list'])
  expect(offered('crawl', '--out', '')).toEqual([])
})
