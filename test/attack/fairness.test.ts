import type { IncomingMessage } from 'node:http'
import { chmodSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPool } from '../../src/engine/browser/pool/pool.ts'
import { createConverterPool } from '../../src/engine/document/converter-pool.ts'
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import { createYtDlp } from '../../src/engine/media/yt-dlp.ts'
import { toAppError } from '../../src/kernel/error.ts'
import { createPacer } from '../../src/engine/search/providers/shared/call-api.ts'
import { retryAfterOf } from '../../src/surfaces/http/responses.ts'
import { openHere, quiet } from '../browser/programs/machine.ts'
import { bytes } from '../helpers/fakes.ts'
import { says } from '../helpers/model-server.ts'
import { tempDir } from '../helpers/program.ts'
import { serveJobs, watchJob } from '../http/watch-toys.ts'
import { modelAt, request as question } from '../model/kit.ts'
import { forTest } from '../helpers/for-all.ts'
import { setUp, wish } from '../session/fixture.ts'

const never = new AbortController().signal
const modelWith = modelAt()

const csv = (text: string) => ({
  kind: 'csv' as const,
  source: { bytes: bytes(text), url: '', contentType: undefined, pdf: { mode: 'auto' as const } },
})

/** A resource that all teams share. */
type Shared = {
  /** Maximum number of calls of one team that run at the same time. */
  places: number
  /** Work that ends late, or never. */
  long(teamId: string, signal: AbortSignal): Promise<unknown>
  short(teamId: string): Promise<unknown>
}

function fileConverters(): Shared {
  const program = new URL('../document/programs/unruly-child.ts', import.meta.url)
  const children = forTest(createConverterPool({ program, maxChildren: 2 }))
  const convert = (teamId: string, text: string, signal = never) => children.convert({ teamId, ...csv(text) }, signal)
  return {
    places: 2,
    long: (teamId, signal) => convert(teamId, 'loop', signal),
    short: (teamId) => convert(teamId, 'a'),
  }
}

function readerThreads(): Shared {
  const reader = forTest(createReader({ usualThreads: 1, maxThreads: 1, patienceMs: 1 }))
  const read = (teamId: string, html: string, signal = never) => {
    const content = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
    return reader({ ...content, teamId, html, url: 'https://ex.com/', wanted: ['markdown'], attributes: [] }, signal)
  }
  const page = '<p>Some words that fill a paragraph of a very long page.</p>'.repeat(100_000)
  return {
    places: 1,
    long: (teamId, signal) => read(teamId, page, signal),
    short: (teamId) => read(teamId, '<p>a</p>'),
  }
}

function browserPages(): Shared {
  const pool = forTest(createPool({ launch: () => openHere(), log: quiet, maxPages: 2 }))
  const visit = (teamId: string, signal: AbortSignal, work: () => Promise<unknown>) =>
    pool.withTab({ teamId, contextOptions: {}, signal, tries: 1 }, work)
  return {
    places: 2,
    long: (teamId, signal) => visit(teamId, signal, () => once(signal, 'abort')),
    short: (teamId) => visit(teamId, never, async () => {}),
  }
}

function languageModel(): Shared {
  const { model } = modelWith('openai', ({ prompt }) => (prompt === 'long' ? { trouble: 'hangs' } : says('Hello')))
  const ask = (teamId: string, text: string, signal = never) =>
    model.text(question({ teamId, input: [{ role: 'user', text }], signal }))
  return { places: 8, long: (teamId, signal) => ask(teamId, 'long', signal), short: (teamId) => ask(teamId, 'short') }
}

function mediaPrograms(): Shared {
  const dir = tempDir()
  onTestFinished(() => dir.remove())
  const program = join(dir.path, 'yt-dlp')
  writeFileSync(program, '#!/bin/sh\ncase "$*" in *long*) exec sleep 600;; *) echo "{}";; esac\n')
  chmodSync(program, 0o755)
  const find = createYtDlp({ program, proxy: async () => '', environment: { PATH: '/usr/bin:/bin' } })
  const search = (teamId: string, url: string, signal = never) => find({ teamId, url, limitMs: 600_000, signal })
  return {
    places: 2,
    long: (teamId, signal) => search(teamId, 'long', signal),
    short: (teamId) => search(teamId, 'short'),
  }
}

test.each([
  ['the programs that convert files', fileConverters],
  ['the threads that read pages', readerThreads],
  ['the pages of the browser', browserPages],
  ['the language model', languageModel],
  ['the programs that find media', mediaPrograms],
])('a team that keeps %s busy does not block other teams', async (_, open) => {
  const { places, long, short } = open()
  const end = new AbortController()
  let ended = 0
  const all = Array.from({ length: places + 12 }, () =>
    long('greedy', end.signal).then(
      () => (ended += 1),
      () => {},
    ),
  )
  await short('small')
  await short('small')
  // Its running calls may have ended by now, but no waiting call was served before those of the small team.
  expect(ended).toBeLessThanOrEqual(2 * places)
  end.abort(new Error('enough'))
  await Promise.all(all)
})

/** Takes a slot for the team, or returns the refusal. */
type Take = (teamId: string) => Promise<'taken' | [status: number, retryAfter: number | undefined]>

async function liveSessions(): Promise<Take> {
  const { sessions } = await setUp({ maxSessions: 4, hasOthers: true })
  return async (teamId) => {
    const refused = await sessions.create(wish({ teamId }), never).then(() => undefined, toAppError)
    return refused ? [refused.status, retryAfterOf(refused)] : 'taken'
  }
}

/** Each key belongs to a separate team. */
const authenticate = async (key = '') => ({ id: key.replace('Bearer ', ''), key: 'test', permissions: [] })

async function webSockets(): Promise<Take> {
  const toys = await serveJobs({ authenticate }, { maxSockets: 4 })
  toys.jobs.set('a', { status: 'scraping', completed: 0, total: 1, data: [] })
  onTestFinished(() => toys.close())
  return async (teamId) => {
    const { socket, closed } = watchJob(toys, '/v2/job/a', { protocol: teamId })
    closed.catch(() => {})
    const [, answer] = (await Promise.race([once(socket, 'open'), once(socket, 'unexpected-response')])) as [
      unknown,
      IncomingMessage?,
    ]
    return answer ? [answer.statusCode ?? 0, Number(answer.headers['retry-after'])] : 'taken'
  }
}

test.each([
  ['live browsers', liveSessions],
  ['sockets', webSockets],
])('a team that takes all available %s leaves some for others', async (_, open) => {
  const take = await open()
  const all = async (teamId: string) => {
    const outcomes = []
    for (let nth = 0; nth < 6; nth++) outcomes.push(await take(teamId))
    return outcomes
  }
  const refused = [429, expect.any(Number)]
  expect(await all('greedy')).toEqual(['taken', 'taken', refused, refused, refused, refused])
  expect(await all('small')).toEqual(['taken', refused, refused, refused, refused, refused])
  expect(await take('late')).toBe('taken')
})

test('teams take turns at a search provider, and a team that would have to wait too long is refused', async () => {
  const time = { now: 0 }
  const waits: (() => void)[] = []
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      waits.push(() => {
        time.now += ms
        resolve()
      })
    })
  const pacer = createPacer({ count: 1, perMs: 1000 }, { now: () => time.now, wait, random: () => 0 })
  const served: string[] = []
  const search = (teamId: string, maxWaitMs = 5000) =>
    pacer.waitTurn({ teamId, signal: never, endsAt: undefined, maxWaitMs }).then(() => served.push(teamId))
  await search('greedy')
  const all = [search('greedy'), search('greedy')]
  // `pauseMs` is 0, so that the provider is not paused for other teams.
  await expect(search('greedy', 2000)).rejects.toMatchObject({ kind: 'rate limited', pauseMs: 0 })
  all.push(search('small', 2000))
  for (const nth of all.keys()) {
    await vi.waitUntil(() => waits.length > nth, 20_000)
    waits[nth]?.()
  }
  await Promise.all(all)
  expect(served).toEqual(['greedy', 'greedy', 'small', 'greedy'])
})
