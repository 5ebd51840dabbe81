import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createYtDlp } from '../../src/engine/media/yt-dlp.ts'
import { createForwardProxies } from '../../src/engine/net/proxy/forward-proxy.ts'
import { scrapeIn, url } from '../helpers/scrape.ts'
import { fakeWorld, type World } from '../helpers/fakes.ts'
import { serve } from '../helpers/listen.ts'
import { tempDir } from '../helpers/program.ts'
import { client } from '../net/fetching.ts'
import type { PageContent } from '../../src/contracts/page-content.ts'
import { forTest } from '../helpers/for-all.ts'
import { ruleForAll } from '../net/rule-for-all.ts'

const both = { formats: ['audio', 'video'] }
const film = 'https://example.com/film.mp4'
const song = 'https://example.com/song.mp3'

function worldWith(parts: PageContent, site = {}): World {
  const world = fakeWorld(site)
  world.state.parts = () => ({ media: {}, product: null, ...parts })
  return world
}

describe('the formats audio and video', () => {
  test('return the addresses that the page names, without a program', async () => {
    const world = worldWith({ media: { audio: song, video: film } })
    const { metadata, ...fields } = await scrapeIn(world, both)
    expect(fields).toEqual({ audio: song, video: film })
    expect(metadata.creditsUsed).toBe(9)
    expect(world.searched).toEqual([])
  })

  test('run one program once for a missing address, with the time left', async () => {
    const world = worldWith({}, { url: 'https://example.com/b' })
    world.state.behind = { audio: song, video: film }
    expect(await scrapeIn(world, { ...both, timeout: 10_000 })).toMatchObject({ audio: song, video: film })
    expect(world.searched).toMatchObject([{ url: 'https://example.com/b', limitMs: 8000 }])
    await scrapeIn(world, { ...both, maxAge: 0, timeout: 300_000 })
    expect(world.searched[1]?.limitMs).toBe(20_000)
  })

  test.each([
    ['not installed', /no audio.*yt-dlp is installed.*GOSSAMER_YT_DLP_PATH/],
    ['too slow', /no audio.*did not respond in time/],
    ['found none', /no audio.*found none/],
  ] as const)('warn if the program is %s', async (error, wanted) => {
    const world = worldWith({ media: { video: film } })
    world.state.behind = { error }
    const { metadata, ...fields } = await scrapeIn(world, both)
    expect(fields).toEqual({ video: film, warning: expect.stringMatching(wanted) })
    expect(metadata.creditsUsed).toBe(5)
  })
})

describe('an address of an audio or video file', () => {
  test.each([
    ['video/mp4', url, { video: url }],
    ['audio/mpeg', url, { audio: url }],
    ['application/octet-stream', film, { video: film }],
    ['application/vnd.apple.mpegurl', url, { video: url }],
  ])('of type %s is returned', async (type, address, wanted) => {
    const world = fakeWorld({ headers: { 'content-type': type }, body: '\0\x01' })
    expect(await scrapeIn(world, { ...both, url: address })).toMatchObject(wanted)
  })

  test('is not read to its end', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const server = forTest(
      await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'video/mp4' })
        const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
        response.on('close', () => (clearInterval(timer), resolve()))
      }),
    )
    const get = client()
    const page = await get(`${server.origin}/film`, { maxBytes: 10_000 })
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'video/mp4' }, body: new Uint8Array() })
    await gone
  })
})

describe('the format product', () => {
  const profile = { title: 'Mug', url, variants: [{ availability: { inStock: true } }] }

  test('returns the product of the page', async () => {
    const { metadata: _, ...fields } = await scrapeIn(worldWith({ product: profile }), { formats: ['product'] })
    expect(fields).toEqual({ product: profile })
  })

  test('is omitted with a warning if there is none', async () => {
    const { metadata: _, ...fields } = await scrapeIn(worldWith({}), { formats: ['product'] })
    expect(fields).toEqual({ warning: expect.stringContaining('no product') })
  })
})

test('a program that finds media cannot reach a refused address', async () => {
  const requests: string[] = []
  const server = await serve((request, response) => {
    requests.push(request.url ?? '')
    response.end('{}')
  })
  const dir = tempDir()
  const forwardProxies = createForwardProxies({ ruleOf: ruleForAll([]), adHosts: { holds: () => false, size: 0 } })
  onTestFinished(async () => {
    server.close()
    dir.remove()
    await forwardProxies.close()
  })
  const inside = `${server.origin}/secret`
  const program = join(dir.path, 'yt-dlp')
  const body = `const { port, hostname } = new URL(process.argv[process.argv.indexOf('--proxy') + 1])
    process.getBuiltinModule('node:http').get({ host: hostname, port, path: process.argv.at(-1) }, ({ statusCode }) =>
      process.stdout.write(JSON.stringify({ ext: 'mp4', url: 'https://ex.com/' + statusCode }), () => process.exit()))`
  writeFileSync(program, `#!${process.execPath}\n${body}\n`)
  chmodSync(program, 0o755)
  const proxy = async (teamId: string) =>
    `http://${(await forwardProxies.proxyFor({ teamId, blockAds: false })).server}`
  const search = createYtDlp({ program, proxy, environment: {} })
  const signal = new AbortController().signal
  expect(await search({ teamId: 'red', url: inside, limitMs: 20_000, signal })).toEqual({ video: 'https://ex.com/502' })
  expect(requests).toEqual([])
})
