import { expect, test } from 'vitest'
import type { CommandContext } from '../../src/cli/command.ts'
import { keysCommand, teamsCommand } from '../../src/cli/commands/access-commands.ts'
import { tempDir, tempStore } from '../store/kit.ts'
import { runCommand } from './kit.ts'

async function setting() {
  const { store } = await tempStore({ dir: await tempDir(), clock: { now: Date.now } })
  const app = { store: async () => store }
  const run =
    (command: typeof teamsCommand) =>
    (words: string[], flags: CommandContext['flags'] = {}) =>
      runCommand(command, words, { flags, app, isInteractive: !flags.json })
  return { store, teams: run(teamsCommand), keys: run(keysCommand) }
}

test('a team is added, changed, shown and listed', async () => {
  const { teams } = await setting()
  const { out } = await teams(['add', 'acme'], { concurrency: '4', rate: '60,crawl=5', credits: '100' })
  expect(out).toBe('acme\tmaxConcurrency 4\trequestsPerMinute *=60,crawl=5\tmonthlyCredits 100\n')
  await teams(['set', 'acme'], { concurrency: 'default', credits: 'none', allow: 'ignoreRobotsTxt', browsers: '0' })
  const shown = '\trequestsPerMinute *=60,crawl=5\tmonthlyCredits none\tmaxSessions 0\tpermissions ignoreRobotsTxt\n'
  expect((await teams(['show', 'acme'])).out).toBe(`acme${shown}`)
  expect((await teams(['set', 'acme'], { unsandboxed: 'no' })).out).toContain('unsandboxedCode false')
  await teams(['set', 'acme'], { unsandboxed: 'default' })
  const hosts = 'wiki.corp:8080,10.1.0.0/16'
  expect((await teams(['set', 'acme'], { privateHosts: hosts })).out).toContain(`privateHosts ${hosts}`)
  expect((await teams(['set', 'acme'], { privateHosts: 'none' })).out).toContain('privateHosts none')
  await teams(['set', 'acme'], { privateHosts: 'default' })
  await teams(['add', 'beta'])
  expect((await teams(['list'])).out).toBe(`acme${shown}beta\tas in the settings\n`)
  expect(JSON.parse((await teams(['list'], { json: true })).out)).toMatchObject([
    { id: 'acme', monthlyCredits: null },
    { id: 'beta' },
  ])
})

test('a key created with limits gets its own team', async () => {
  const { store, keys } = await setting()
  await keys(['add', 'reader'], {
    credits: '500',
    domains: 'docs.example.com,deny:x.example.org,example.org,parts:cdn.example.net',
  })
  expect((await store.teams.find('reader'))?.terms).toEqual({
    monthlyCredits: 500,
    allowDomains: ['docs.example.com', 'example.org'],
    denyDomains: ['x.example.org'],
    resourceDomains: ['cdn.example.net'],
  })
  await keys(['add', 'other'], { team: 'shared' })
  await expect(keys(['add', 'third'], { team: 'shared', credits: '5' })).rejects.toThrow(/has keys already/)
  expect((await store.keys.list()).map(({ name }) => name)).toEqual(['reader', 'other'])
})

test('a new secret is shown once, and later only that it exists', async () => {
  const { store, teams } = await setting()
  const { out, err } = await teams(['add', 'acme'], { secret: 'new' })
  const { webhookSecret = null } = (await store.teams.find('acme'))?.terms ?? {}
  expect(webhookSecret).toMatch(/^[\w-]{32}$/)
  expect(err).toContain(String(webhookSecret))
  expect(out).toBe('acme\twebhookSecret set\n')
})

test.each<[CommandContext['flags'], RegExp]>([
  [{ concurrency: '0' }, /--concurrency takes a whole number from 1 on/],
  [{ concurrency: 'none' }, /--concurrency takes a whole number from 1 on or default, but got: none/],
  [{ browsers: 'few' }, /--browsers takes a whole number from 0 on, none or default, but got: few/],
  [{ credits: '-1' }, /--credits takes/],
  [{ rate: 'fast' }, /--rate: "fast" is not a rate/],
  [{ rate: 'crwal=5' }, /--rate: unknown endpoint "crwal": expected one of scrape, crawl/],
  [{ privateHosts: 'wiki.corp,10.0.0.0/99' }, /--private-hosts takes .* but got: 10\.0\.0\.0\/99/],
  [{ domains: 'deny:exa mple.com' }, /--domains takes .* but got: exa mple\.com/],
  [{ allow: 'everything' }, /--allow takes some of zeroDataRetention/],
  [{ secret: 'short' }, /--secret takes new, none, default, or at least 8 characters/],
])('%j is refused, and nothing is stored', async (flags, message) => {
  const { store, teams } = await setting()
  await expect(teams(['add', 'acme'], flags)).rejects.toThrow(message)
  expect(await store.teams.list()).toEqual([])
})
