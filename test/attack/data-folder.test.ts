import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { processesBelow } from '../helpers/processes.ts'
import { folderForAll, serverForAll, siteForAll } from '../helpers/for-all.ts'
import { html } from '../helpers/site/route.ts'
import { filesBelow, heldIn } from './held.ts'

const mark = 'MARK-TEXT-83ab'
/** Secrets that neither the data folder nor the log may contain, by kind. */
const secrets = { apiKey: 'SECRET-API-KEY-4b1d', webhook: 'SECRET-WEBHOOK-0c9e', profile: 'SECRET-PROFILE-6d2f' }
const page = html(
  `<title>${mark}</title><h1>${mark}</h1><p>A page with a fair number of words that say nothing in particular. ${mark}</p>`,
)

const folder = folderForAll()
const dataDir = join(folder.path, 'data')

const site = siteForAll({ routes: { '/kept/*': page } })
const server = serverForAll(() => ({
  GOSSAMER_DATA_DIR: dataDir,
  GOSSAMER_API_KEYS: secrets.apiKey,
  GOSSAMER_WEBHOOK_SECRET: secrets.webhook,
  GOSSAMER_PROFILE_KEY: secrets.profile,
  GOSSAMER_LOG_LEVEL: 'debug',
}))

const call = (path: string, body: object) =>
  read<Record<string, unknown>>(`${server.url}/v2/${path}`, body, secrets.apiKey)

const held = () => heldIn(dataDir)

/** Returns the secrets that the text contains. */
const found = (text: string, what: Readonly<Record<string, string>>) =>
  Object.keys(what).filter((name) => text.includes(what[name] ?? ''))

test('an ordinary scrape is stored in the data folder with address and text', async () => {
  expect(await call('scrape', { url: site.url('/kept/page') })).toMatchObject({ success: true })
  expect(found(held(), { text: mark, address: '/kept/page' })).toEqual(['text', 'address'])
})

test('no file and no log contains a key, a session secret or the passphrase of profiles', async () => {
  const { id, cdpUrl, liveViewUrl } = await call('browser', {})
  const doors = Object.fromEntries(
    Object.entries({ cdpUrl, liveViewUrl }).map(([name, url]) => [name, String(url).split('/').at(-1) ?? '']),
  )
  expect(Object.values(doors)).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)])
  expect(found(held(), { id: String(id) })).toEqual(['id'])
  expect(found(held() + server.program.stderr(), { ...secrets, ...doors })).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'child processes for pages and files have no secret in their environment',
  async () => {
    const base64 = readFileSync(new URL('../document/fixtures/office/rich.docx', import.meta.url), 'base64')
    expect(await call('parse', { file: { filename: 'rich.docx', base64 } })).toMatchObject({ success: true })
    const started = processesBelow(server.program.child.pid ?? 0).map((pid) => ({
      program: readFileSync(`/proc/${pid}/cmdline`, 'latin1'),
      secrets: found(readFileSync(`/proc/${pid}/environ`, 'latin1'), secrets),
    }))
    const isThere = (name: string) => started.some(({ program }) => program.includes(name))
    expect([isThere('convert-child'), isThere('--remote-debugging-pipe')]).toEqual([true, true])
    expect(started.filter(({ secrets: kept }) => kept.length > 0)).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')('only the owner may open the data folder and its files', () => {
  // The unpacked browser is a program without personal data.
  const data = filesBelow(dataDir).filter(({ path }) => !path.startsWith(join(dataDir, 'browser')))
  const open = data.filter(({ path }) => (statSync(path).mode & 0o077) !== 0)
  expect(open.map(({ path }) => path)).toEqual([])
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})
