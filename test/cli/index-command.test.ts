import { afterEach, expect, test } from 'vitest'
import type { CommandContext } from '../../src/cli/command.ts'
import { indexCommand } from '../../src/cli/commands/data-commands.ts'
import { openStore } from '../../src/engine/store/sqlite/open-store.ts'
import { know } from '../contracts/page-index-world.ts'
import { runCommand, silentLog } from './kit.ts'
import type { Store } from '../../src/engine/store/store.ts'

const day = Date.UTC(2026, 4, 20)
const pages = [
  { url: 'https://example.com/kitchen', title: 'Kitchens', text: 'A kitchen has a stove.', teamId: 'local' },
  {
    url: 'https://docs.example.com/\u009bboat',
    title: 'Boats',
    text: 'A boat has a \u001b[31m keel.',
    teamId: 'local',
  },
  { url: 'https://example.com/theirs', title: 'Theirs', text: 'Another stove.', teamId: 'others' },
]

let store: Store
afterEach(() => store.close())

type More = { flags?: Partial<CommandContext['flags']>; isInteractive?: boolean }

async function run(words: string[], { flags, isInteractive = true }: More = {}) {
  store = await openStore({
    dir: null,
    clock: { now: () => day },
    cacheMaxBytes: 1e9,
    jobRetentionMs: 1e9,
    log: silentLog,
  })
  await know(store, ...pages)
  const app = { store: async () => store }
  return runCommand(indexCommand, words, { flags: { json: false, ...flags }, app, isInteractive })
}

test('shows the number of pages, the size of the index, and its hosts', async () => {
  const { code, out } = await run([])
  expect(code).toBe(0)
  expect(out).toMatch(/^3 pages, 0\.\d MB\n +2 {2}example\.com\n +1 {2}docs\.example\.com\n$/)
})

test('searches the pages of the local team, with operators', async () => {
  const { out } = await run(['search', 'stove', 'site:example.com'])
  expect(out).toBe('Kitchens\n  https://example.com/kitchen  (2026-05-01)\n  A kitchen has a stove.\n\n')
})

test('lets no page control the terminal', async () => {
  const { out } = await run(['search', 'keel'])
  expect(out).toContain('keel')
  expect(out).not.toContain('\u001b')
  expect(out).not.toContain('\u009b')
})

test.each([
  [{ site: 'example.com' }, '2 pages deleted from the index and the cache.\n'],
  [{ olderThan: '2w' }, '3 pages deleted from the index and the cache.\n'],
  [{ olderThan: '30d' }, '0 pages deleted from the index and the cache.\n'],
  [{ site: 'docs.example.com', olderThan: '1h' }, '1 page deleted from the index and the cache.\n'],
])('prunes with %o', async (flags, err) => expect(await run(['prune'], { flags })).toEqual({ code: 0, out: '', err }))

test.each<[string[], More['flags'], string]>([
  [['prune'], {}, 'usage:'],
  [['prune', 'example.com'], { olderThan: '1d' }, 'usage:'],
  [['search'], {}, 'usage:'],
  [['rebuild'], {}, 'usage:'],
  [['prune'], { olderThan: 'soon' }, '--older-than takes'],
  [['prune'], { olderThan: '5' }, '--older-than takes'],
  [['search', 'x'], { limit: '0' }, '--limit takes'],
  [['search', 'x'], { limit: '1000' }, '--limit takes'],
])('%j with %o is refused', async (words, flags, message) => {
  await expect(run(words, { flags: flags ?? {} })).rejects.toThrow(message)
})
