import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, type TestContext } from 'vitest'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import { processesWith, quiet, until } from './programs/machine.ts'
import { openRenderer, textOf } from './programs/rendering.ts'

const root = folderForAll()
const site = siteForAll()
afterAll(async () => expect(processesWith(root.path)).toEqual([]))

type Options = Parameters<typeof openRenderer>[1]

/** A renderer whose browsers are recognised by their folder. */
async function open(onTestFinished: TestContext['onTestFinished'], options: Options = {}) {
  const profileRoot = join(root.path, crypto.randomUUID())
  mkdirSync(profileRoot)
  const events: string[] = []
  const log = { ...quiet, warn: (event: string) => void events.push(event) }
  const opened = await openRenderer([`127.0.0.1:${site.port}`], { profileRoot, log, ...options })
  onTestFinished(async () => {
    await opened.close()
    await until(() => processesWith(profileRoot).length === 0)
    expect(readdirSync(profileRoot)).toEqual([])
  })
  return { ...opened, profileRoot, events }
}

function readOf(pid: number, file: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Each browser has its own folder. */
const browsersIn = (profileRoot: string) => readdirSync(profileRoot)
const killBrowsers = (profileRoot: string) => {
  for (const pid of processesWith(profileRoot)) process.kill(pid, 'SIGKILL')
}

/** Renderers do not name the folder: they are found below their browser. */
function renderersIn(profileRoot: string): number[] {
  return belowAll(processesWith(profileRoot)).filter((pid) => readOf(pid, 'cmdline').includes('--type=renderer'))
}

const parentIn = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])

function belowAll(pids: readonly number[]): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = ids.map(Number).filter((pid) => !pids.includes(pid) && pids.includes(parentIn(readOf(pid, 'stat'))))
  return children.length > 0 ? Array.from(new Set([...children, ...belowAll([...pids, ...children])])) : []
}

const requested = (path: string) => site.requests.filter(({ url }) => url === path).length
const slowPage = () => `/slow/1500?${crypto.randomUUID()}`

describe.runIf(process.platform === 'linux').concurrent('a visit', () => {
  test('whose browser is killed is repeated in another browser, unless it has actions', async ({ onTestFinished }) => {
    const { render, profileRoot, events } = await open(onTestFinished)
    const path = slowPage()
    const visit = render(site.url(path))
    await until(() => requested(path) === 1)
    killBrowsers(profileRoot)
    expect(textOf(await visit)).toContain('Late but here.')
    expect(requested(path)).toBe(2)
    expect(events).toContain('browser.repeat')

    const once = slowPage()
    const actions = [{ type: 'scrape' } as const]
    const withSteps = render(site.url(once), { actions }).catch((error: unknown) => error)
    await until(() => requested(once) === 1)
    killBrowsers(profileRoot)
    expect(await withSteps).toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED' })
    expect(requested(once)).toBe(1)
  })

  test('whose browser is killed twice fails, and the next one succeeds', async ({ onTestFinished }) => {
    const { render, profileRoot } = await open(onTestFinished)
    const path = slowPage()
    const visit = render(site.url(path)).catch((error: unknown) => error)
    for (const times of [1, 2]) {
      await until(() => requested(path) === times)
      killBrowsers(profileRoot)
    }
    expect(await visit).toMatchObject({
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      message: 'The browser failed while it read the page.',
    })
    expect(textOf(await render(site.url('/plain')))).toContain('Plain page')
  })

  test('whose tab is killed is repeated in the same browser', async ({ onTestFinished }) => {
    const { render, profileRoot } = await open(onTestFinished)
    const visit = render(site.url('/plain'), { waitForMs: 1500 })
    await until(() => renderersIn(profileRoot).length > 0 && requested('/plain') > 0)
    const before = browsersIn(profileRoot)
    for (const pid of renderersIn(profileRoot)) process.kill(pid, 'SIGKILL')
    expect(textOf(await visit)).toContain('Plain page')
    expect(browsersIn(profileRoot)).toEqual(before)
  })

  test('to a page that exhausts its memory fails or is stopped, and the next one succeeds', async ({
    onTestFinished,
  }) => {
    const { render } = await open(onTestFinished)
    const ended = await render(site.url('/hostile/memory')).catch((error: unknown) => error)
    if (ended instanceof Error)
      expect(ended).toMatchObject({ code: expect.stringMatching(/^SCRAPE_(?:SITE_ERROR|TIMEOUT)$/) })
    else expect(ended).toMatchObject({ warning: expect.stringContaining('was stopped') })
    expect(textOf(await render(site.url('/plain')))).toContain('Plain page')
  })

  test('whose caller aborts is closed, with its connection to the site', async ({ onTestFinished }) => {
    const { render, profileRoot } = await open(onTestFinished)
    for (let times = 0; times < 5; times++) {
      const abort = new AbortController()
      const path = `/hang?${crypto.randomUUID()}`
      const visit = render(site.url(path), { signal: abort.signal }).catch((error: unknown) => error)
      await until(() => requested(path) === 1)
      abort.abort(new Error('gone'))
      expect(await visit).toMatchObject({ message: 'gone' })
      await until(() => site.requests.some(({ url, closed }) => url === path && closed))
    }
    await until(() => renderersIn(profileRoot).length <= 3)
  })
})

describe.runIf(process.platform === 'linux').concurrent('a renderer', () => {
  test('opens no more concurrent pages than permitted', async ({ onTestFinished }) => {
    const { render } = await open(onTestFinished, { maxPages: 2 })
    const id = crypto.randomUUID()
    const visits = Array.from({ length: 5 }, (_, at) => render(site.url(`/slow/400?${id}${at}`)))
    const seen: number[] = []
    for (const visit of visits) {
      await visit
      seen.push(site.requests.filter(({ url }) => url.includes(id)).length)
    }
    expect(seen.every((requests, at) => requests <= at + 3)).toBe(true)
    expect(seen.at(-1)).toBe(5)
  })

  test('replaces its browser after a number of pages, without losing a page', async ({ onTestFinished }) => {
    const { render, profileRoot } = await open(onTestFinished, { wear: { pages: 3 } })
    const seen = new Set<string>()
    for (let visit = 0; visit < 7; visit++) {
      await render(site.url('/plain'))
      for (const name of browsersIn(profileRoot)) seen.add(name)
    }
    const pages = await Promise.all(Array.from({ length: 8 }, () => render(site.url('/plain'))))
    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(seen.size).toBeGreaterThanOrEqual(2)
    await until(() => browsersIn(profileRoot).length <= 1)
  })

  test('ends an unused browser, and starts another on demand', async ({ onTestFinished }) => {
    const { render, profileRoot } = await open(onTestFinished, { wear: { idleMs: 100 } })
    await render(site.url('/plain'))
    await until(() => processesWith(profileRoot).length === 0)
    expect(await render(site.url('/plain'))).toMatchObject({ status: 200 })
  })

  test('that is closed while it starts or works leaves nothing, and accepts no more pages', async ({
    onTestFinished,
  }) => {
    const { render, close, profileRoot } = await open(onTestFinished)
    const visits = Promise.allSettled([render(site.url('/hang')), render(site.url('/plain'))])
    await close()
    expect((await visits).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await until(() => processesWith(profileRoot).length === 0)
    await expect(render(site.url('/plain'))).rejects.toThrow('closed')
  })
})
