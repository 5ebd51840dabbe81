import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/app/read-config.ts'
import type { Command, CommandContext } from '../../src/cli/command.ts'
import { browserCommand } from '../../src/cli/commands/browser-command.ts'
import { profileCommand } from '../../src/cli/commands/profile-command.ts'
import { createProfileStore } from '../../src/engine/browser/profile/profile-store.ts'
import { folderForEach } from '../helpers/for-all.ts'
import { runCommand } from './kit.ts'

const folder = folderForEach()
afterEach(() => vi.unstubAllEnvs())

type More = { flags?: CommandContext['flags']; settings?: Record<string, string>; isInteractive?: boolean }

/** Runs a command with its own profiles. */
const run = (command: Command, words: string[], { settings, ...more }: More = {}) =>
  runCommand(command, words, {
    config: readConfig({ 'data-dir': join(folder.path, 'data'), ...settings }, {}),
    ...more,
  })
const profile = (words: string[], more?: More) => run(profileCommand, words, more)

const state = {
  cookies: [
    {
      name: 'session',
      value: 'hunter2',
      domain: 'example.com',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    },
  ],
  origins: [{ origin: 'https://example.com', localStorage: [{ name: 'token', value: 'hunter2' }] }],
}
const fileOf = (content: unknown) => {
  const path = join(folder.path, 'state.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('gossamer profile', () => {
  test('imports a state saved by Playwright, lists and shows it without values, exports and deletes it', async () => {
    expect(await profile(['import', 'my shop', fileOf(state)])).toMatchObject({ code: 0, out: '' })
    const listed = await profile(['list'])
    expect(JSON.parse(listed.out)).toMatchObject([{ name: 'my shop', isEncrypted: false }])
    const shown = await profile(['show', 'my shop'])
    expect(JSON.parse(shown.out)).toMatchObject({
      cookies: [{ domain: 'example.com', count: 1 }],
      origins: [{ origin: 'https://example.com', localStorage: 1 }],
    })
    expect(listed.out + shown.out).not.toContain('hunter2')
    const file = join(folder.path, 'out.json')
    expect(await profile(['export', 'my shop', file])).toMatchObject({ code: 0, out: '' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(state)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await profile(['delete', 'my shop'])).toMatchObject({ code: 0 })
    expect(JSON.parse((await profile(['list'])).out)).toEqual([])
  })

  test('encrypts with the key of the settings', async () => {
    const settings = { 'profile-key': 'a long passphrase' }
    await profile(['import', 'p', fileOf(state)], { settings })
    expect((await profile(['list'], { isInteractive: true })).out).toMatch(/^p\tsaved \d{4}-.*\tencrypted\n$/)
    expect(await profile(['show', 'p'], { settings })).toMatchObject({ code: 0 })
    expect(await profile(['show', 'p'])).toMatchObject({ code: 1, err: expect.stringContaining('PROFILE_UNREADABLE') })
  })

  test('works on the profiles of the local team, or of a named one', async () => {
    await profile(['import', 'p', fileOf(state)])
    expect(JSON.parse((await profile(['list'], { flags: { team: 'other' } })).out)).toEqual([])
    const store = createProfileStore({ dir: join(folder.path, 'data'), clock: { now: Date.now } })
    expect(await store.list('local')).toMatchObject([{ name: 'p' }])
  })

  test.each([
    ['show', 'none'],
    ['delete', 'none'],
    ['export', 'none', 'never-written.json'],
  ])('%s reports that the profile does not exist', async (...words) => {
    expect(await profile(words)).toMatchObject({ code: 1, err: expect.stringContaining('gossamer profile list') })
  })

  test.each([
    [[]],
    [['show']],
    [['constructor', 'p']],
    [['import', 'p']],
    [['export', 'p']],
    [['show', 'x'.repeat(129)]],
    [['login', 'p']],
    [['login', 'p', 'file:///etc/passwd']],
    [['login', 'p', 'https://']],
  ])('%j is answered with its usage', (words) => expect(profile(words)).rejects.toThrow(/^usage: gossamer profile/))

  test.each([
    ['not JSON', 'hunter2', 'not a storage state'],
    ['another shape', { cookies: [{ name: 'hunter2' }] }, 'at cookies.0.value'],
    ['an address for an origin', { origins: [{ origin: 'https://example.com/a?hunter2' }] }, 'at origins.0.origin'],
  ])('a file with %s is refused, and not repeated', async (_, content, message) => {
    const refusal = profile(['import', 'p', fileOf(content)])
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.not.toThrow('hunter2')
  })
})

describe('gossamer browser', () => {
  test('path never prints the endpoint of a remote browser, which may contain a key', async () => {
    const settings = { 'browser-cdp-url': 'wss://127.0.0.1:1/hunter2' }
    for (const isInteractive of [true, false]) {
      const { out } = await run(browserCommand, ['path'], { settings, isInteractive })
      expect(out).not.toContain('hunter2')
    }
  })

  test.each([[[]], [['uninstall']]])('%j is answered with its usage', async (words) => {
    await expect(run(browserCommand, words)).rejects.toThrow(/^usage: gossamer browser/)
  })
})
