import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite } from '../helpers/site.ts'
import type { Site } from '../helpers/site.ts'
import { packedText } from '../helpers/site/codings.ts'
import { client, textOf } from './fetching.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

test.each([
  'gzip',
  'x-gzip',
  'br',
  'zstd',
  'deflate',
  'raw-deflate',
  'upper-case',
  'gzip-then-br',
  'deflate-in-gzip',
  'identity',
  'utf-8',
  'four-fold',
  'gzip-and-garbage',
])('unpacks %s', async (coding) => {
  expect(textOf(await client()(site.url(`/coded/${coding}`)))).toBe(packedText)
})

test('unpacks every member of a gzip body', async () => {
  expect(textOf(await client()(site.url('/coded/gzip-members')))).toBe('first, second')
})

test('shows what came of a body that was cut short', async () => {
  const cut = textOf(await client()(site.url('/coded/cut-gzip')))
  expect(packedText.startsWith(cut)).toBe(true)
  expect(cut).toContain('Grüße')
  expect((await client()(site.url('/coded/cut-br'))).body.length).toBeGreaterThan(0)
})

test('an empty body stays empty whatever its coding', async () => {
  expect((await client()(site.url('/coded/empty-gzip'))).body.length).toBe(0)
})

test.each([
  ['eight-fold', 'The page is wrapped in more than 4 content codings.'],
  ['unknown', 'The page uses an unknown content coding.'],
  ['constructor', 'The page uses an unknown content coding.'],
  ['not-gzip', 'The page does not match its declared content encoding.'],
  ['not-br', 'The page does not match its declared content encoding.'],
])('refuses %s: %s', async (coding, message) => {
  await expect(client()(site.url(`/coded/${coding}`))).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR', message })
})

test.each(['br', 'triple-gzip', 'gzip-members', 'empty-members'])(
  'stops unpacking the bomb %s at the limit, so that memory stays small',
  async (bomb) => {
    const get = client()
    await get(site.url('/coded/gzip'))
    const peakBefore = process.resourceUsage().maxRSS
    await expect(get(site.url(`/bomb/${bomb}`), { maxBytes: 5_000_000 })).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message: 'The page is larger than 5000000 bytes.',
    })
    expect(process.resourceUsage().maxRSS - peakBefore, 'peak memory, kilobytes').toBeLessThan(120_000)
  },
)

test('the limit is exact, and counts a body without a coding too', async () => {
  const size = Buffer.byteLength(packedText)
  for (const path of ['/coded/br', '/coded/identity']) {
    expect((await client()(site.url(path), { maxBytes: size })).body.length).toBe(size)
    await expect(client()(site.url(path), { maxBytes: size - 1 })).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  }
})

test('stops reading a long body at the limit', async () => {
  await expect(client()(site.url('/huge/400'))).rejects.toMatchObject({
    message: 'The page is larger than 1000000 bytes.',
  })
  await expect.poll(() => site.requests.at(-1)?.closed).toBe(true)
})
