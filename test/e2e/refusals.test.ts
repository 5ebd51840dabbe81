import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { answer, gone, html } from '../helpers/site/route.ts'

const dir = tempDir()
let site: Site
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/robots.txt': answer(200, { 'content-type': 'text/plain' }, 'User-agent: *\nDisallow: /closed'),
      '/closed/': html('<a href="/closed/a">A</a>'),
      '/hang': ({ response }) => gone(response),
    },
  })
  server = await startServer({
    GOSSAMER_DATA_DIR: dir.path,
    GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
    GOSSAMER_BROWSER_PATH: '/nowhere/chrome',
    GOSSAMER_PERMISSIONS: 'zeroDataRetention',
  })
})
afterAll(async () => {
  await server.stop()
  await site.close()
  dir.remove()
})

async function call<T = Record<string, unknown>>(path: string, body?: object, signal?: AbortSignal) {
  const post = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${server.url}${path}`, { ...(body && post), ...(signal && { signal }) })
  return { status: response.status, body: (await response.json()) as T }
}

describe('a scrape is refused with the code of the public service', () => {
  test.each<[string, number, string, object]>([
    ['actions, without a browser', 400, 'SCRAPE_ACTIONS_NOT_SUPPORTED', { actions: [{ type: 'scrape' }] }],
    ['branding, without a browser', 500, 'SCRAPE_BRANDING_NOT_SUPPORTED', { formats: ['branding'] }],
    [
      'a model, without data retention',
      500,
      'SCRAPE_ZDR_VIOLATION_ERROR',
      { zeroDataRetention: true, onlyCleanContent: true },
    ],
    ['the sound of a file', 500, 'SCRAPE_AUDIO_UNSUPPORTED_URL', { url: '/csv', formats: ['audio'] }],
    ['the film of a file', 500, 'SCRAPE_VIDEO_UNSUPPORTED_URL', { url: '/csv', formats: ['video'] }],
  ])('that asks for %s: %i %s', async (_, status, code, { url = '/article', ...options }: { url?: string }) => {
    const answered = await call('/v2/scrape', { ...options, url: site.url(url) })
    expect(answered).toMatchObject({ status, body: { success: false, code, hint: expect.any(String) } })
  })

  test('that its caller has left', async () => {
    const leave = new AbortController()
    const left = call('/v2/scrape', { url: site.url('/hang') }, leave.signal).catch(() => 'left')
    await expect.poll(() => site.requests.some(({ url }) => url === '/hang')).toBe(true)
    leave.abort()
    expect(await left).toBe('left')
    const jobs = async () => {
      const { body } = await call<{ data: { id: string; target: string }[] }>('/v2/team/activity?endpoint=scrape')
      return body.data.filter(({ target }) => target === site.url('/hang'))
    }
    await expect.poll(async () => (await jobs()).length).toBe(1)
    const [job] = await jobs()
    expect(await call(`/v2/scrape/${job?.id}`)).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND', details: { errorCode: 'SCRAPE_JOB_CANCELLED' } },
    })
  })
})

test('a crawl whose start robots.txt forbids says so beside its errors', async () => {
  const { body: crawl } = await call<{ id: string }>('/v2/crawl', { url: site.url('/closed/'), sitemap: 'skip' })
  await expect.poll(async () => (await call(`/v2/crawl/${crawl.id}`)).body['status']).toBe('completed')
  expect((await call(`/v2/crawl/${crawl.id}/errors`)).body).toMatchObject({
    errors: [],
    warning: expect.stringMatching(/^CRAWL_DENIAL: .*robots\.txt/),
    robotsBlocked: [site.url('/closed/')],
  })
})
