import { describe, expect, test } from 'vitest'
import type { PageContent } from '../../src/contracts/page-content.ts'
import { failure } from '../../src/kernel/error.ts'
import { fakeWorld, type World } from '../helpers/fakes.ts'
import { loadIn, wallPage } from '../helpers/scrape.ts'

const used = ({ fetched, rendered }: World) => ({ http: fetched.length, browser: rendered.length })

describe('a page with a missing part', () => {
  const one = 'One half. '.repeat(20)
  const half: PageContent = { markdown: one, unfilled: ['loading message'] }
  /** The first reading is that of plain HTTP. */
  function halfWorld(rendered: PageContent): World {
    const world = fakeWorld()
    let reads = 0
    world.state.browser = () => ({})
    world.ports.readHtml = async () => (reads++ === 0 ? half : rendered)
    return world
  }

  test('is read by the browser, and its host does not count as one that needs it', async () => {
    const world = halfWorld({ markdown: `${one} The other.` })
    expect((await loadIn(world)).content).toEqual({ markdown: `${one} The other.` })
    expect(used(world)).toEqual({ http: 1, browser: 1 })
    expect(world.noted).toEqual([{ host: 'example.com', came: 'filled' }])
  })

  test('is read by the browser; if that finds no more, the next page of its host is not', async () => {
    const world = halfWorld(half)
    expect((await loadIn(world)).content).toEqual({ markdown: one })
    expect(world.noted).toEqual([{ host: 'example.com', came: 'not filled' }])
    const next = halfWorld(half)
    next.noted.push(...world.noted)
    expect((await loadIn(next)).content).toEqual({ markdown: one })
    expect(used(next)).toEqual({ http: 1, browser: 0 })
  })

  test.each<[string, PageContent, World['state']['browser'], RegExp]>([
    ['there is no browser', half, undefined, /installed/],
    [
      'the browser fails',
      half,
      () => {
        throw failure('SCRAPE_SITE_ERROR')
      },
      /failed \(SCRAPE_SITE_ERROR\)/,
    ],
    ['the browser meets a challenge', half, () => wallPage, /a message that content is loading\.$/],
    ['the browser meets an error', { markdown: one }, () => ({ status: 503 }), /loading\.$/],
    ['the browser loses what was there', { markdown: '' }, () => ({}), /loading\.$/],
  ])('stays incomplete with a warning if %s', async (_, rendered, browser, why) => {
    const world = halfWorld(rendered)
    world.state.browser = browser
    const { content } = await loadIn(world, { proxy: 'basic' })
    expect(content).toMatchObject({ ...half, warning: expect.stringMatching(why) })
    expect(world.noted).toEqual([])
  })

  test('is returned even if a browser takes too long', async () => {
    const world = halfWorld(half)
    world.ports.renderPage = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    expect((await loadIn(world, { timeout: 1000 })).content.warning).toMatch(/took too long/)
  })
})
