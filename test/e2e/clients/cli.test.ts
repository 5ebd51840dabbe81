import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawn } from '../../attack/hostile.ts'
import { installedVersion, onLoopback, reaching, refusalOf, startService } from './kit.ts'
import { clients, type Refused, type Working } from './methods.ts'
import { forAll } from '../../helpers/for-all.ts'

const { methods, version } = clients['firecrawl-cli']
const program = join(import.meta.dirname, '../../../node_modules/firecrawl-cli/dist/index.js')

const service = forAll(startService)

type Run = { code: number; stdout: string; stderr: string }

/** Runs a command of the CLI, whose files are in the folder of the test, and returns its output. */
const run = (...words: string[]) =>
  new Promise<Run>((resolve) => {
    const options = { env: { ...onLoopback(service), NO_COLOR: '1' }, cwd: service.folder, timeout: 60_000 }
    const child = execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    )
    child.stdin?.end()
  })
async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}
const parsed = async (...words: string[]): Promise<unknown> => JSON.parse(await printed(...words))

const url = (path = '/few/one') => service.site.url(path)
const idIn = (text: string) => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? expect.unreachable(text)
const launched = async () => idIn(await printed('browser', 'launch-session'))
const scraped = async () => idIn((await run('scrape', url())).stderr)
type Printed = { data: { id: string } }
const watched = async () => {
  const words = ['--name', 'Few', '--schedule', 'hourly', '--page', url()]
  return ((await parsed('monitor', 'create', ...words)) as Printed).data.id
}

const noted = { feedbackId: expect.any(String) }

/** Checks the output of each command. */
const calls: Record<Working<typeof methods>, () => Promise<unknown>> = {
  agent: async () => {
    const words = ['What is the only one?', '--urls', url(), '--wait', '--poll-interval', '1']
    expect(await printed('agent', ...words)).toContain('The only one.')
  },
  scrape: async () => {
    expect(await printed('scrape', url())).toContain('The only one.')
    expect(
      await parsed('scrape', url(), '-f', 'markdown,links,html', '--country', 'DE', '--max-age', '0'),
    ).toMatchObject({ markdown: expect.any(String), links: expect.any(Array), html: expect.any(String) })
    await printed('scrape', url(), url('/article'))
    expect(readFileSync(join(service.folder, '.firecrawl/127.0.0.1-article.md'), 'utf8')).toContain('lighthouse')
  },
  'interact --code': async () =>
    expect(await printed('interact', '--scrape-id', await scraped(), '--code', 'await page.title()')).toContain('One'),
  'interact stop': async () => {
    const id = await scraped()
    await printed('interact', '-s', id, '-c', '1 + 1')
    expect(await printed('interact', 'stop', id)).toContain('Credits billed')
  },
  parse: async () => {
    writeFileSync(join(service.folder, 'a.html'), '<h1>A file</h1><p>Its text.</p>')
    expect(await printed('parse', 'a.html')).toBe('# A file\n\nIts text.\n')
  },
  search: async () => {
    expect(await printed('search', 'lighthouse', '--limit', '1')).toContain(url('/article'))
    expect(await parsed('search', 'lighthouse', '--limit', '1', '--scrape', '--json')).toMatchObject({
      data: { web: [{ markdown: expect.any(String) }] },
    })
  },
  map: async () => expect(await printed('map', url('/few/'))).toContain(url()),
  'experimental download': async () =>
    expect(await printed('experimental', 'download', url('/few/'), '--limit', '1', '-y')).toBeDefined(),
  crawl: async () => {
    const job = await parsed('crawl', url('/many/'), '--wait', '--poll-interval', '1', '--limit', '105')
    expect(job).toMatchObject({ status: 'completed', data: expect.objectContaining({ length: 105 }) })
  },
  'crawl ID': async () => {
    const id = idIn(await printed('crawl', url('/few/'), '--limit', '2'))
    expect(await parsed('crawl', id, '--status')).toMatchObject({ id, total: expect.any(Number) })
  },
  'crawl ID --cancel': async () => {
    const id = idIn(await printed('crawl', url('/held/')))
    expect(await parsed('crawl', id, '--cancel')).toMatchObject({ id, status: 'cancelled' })
  },
  'browser launch-session': async () => {
    await launched()
    await printed('browser', 'close')
  },
  'browser execute': async () => {
    await launched()
    expect(await printed('browser', 'execute', '--node', 'console.log(1 + 1)')).toBe('2\n')
    await printed('browser', 'close')
  },
  'browser list': async () => {
    const id = await launched()
    expect(await printed('browser', 'list', 'active')).toContain(id)
    await printed('browser', 'close')
  },
  'browser close': async () => {
    const id = await launched()
    expect(await printed('browser', 'close')).toContain(id)
  },
  'monitor create': async () => {
    const words = [
      '--name',
      'Site',
      '--cron',
      '*/30 * * * *',
      '--timezone',
      'Europe/Berlin',
      '--crawl-url',
      url('/few/'),
    ]
    const data = { name: 'Site', schedule: { cron: '*/30 * * * *', timezone: 'Europe/Berlin' } }
    expect(await parsed('monitor', 'create', ...words)).toMatchObject({ success: true, data })
  },
  'monitor list': async () => {
    const id = await watched()
    expect(JSON.stringify(await parsed('monitor', 'list', '--limit', '5'))).toContain(id)
  },
  'monitor get': async () => {
    const id = await watched()
    expect(await parsed('monitor', 'get', id)).toMatchObject({ data: { id, status: 'active' } })
  },
  'monitor update': async () =>
    expect(await parsed('monitor', 'update', await watched(), '--state', 'paused')).toMatchObject({
      data: { status: 'paused' },
    }),
  'monitor run': async () =>
    expect(await parsed('monitor', 'run', await watched())).toMatchObject({ data: { trigger: 'manual' } }),
  'monitor checks': async () => {
    const id = await watched()
    await printed('monitor', 'run', id)
    expect(await parsed('monitor', 'checks', id)).toMatchObject({ data: [{ monitorId: id }] })
  },
  'monitor check': async () => {
    const id = await watched()
    const { data } = (await parsed('monitor', 'run', id)) as Printed
    expect(await parsed('monitor', 'check', id, data.id, '--page-status', 'new')).toMatchObject({
      data: { id: data.id },
    })
  },
  'monitor delete': async () =>
    expect(await parsed('monitor', 'delete', await watched())).toMatchObject({ success: true }),
  // Checks of monitors may still run.
  '--status': () => expect.poll(() => printed('--status')).toMatch(/Concurrency.* 0\/\d+ jobs/),
  feedback: async () =>
    expect(await parsed('feedback', 'scrape', await scraped(), '--rating', 'good', '--json')).toMatchObject(noted),
  'search-feedback': async () => {
    const { id } = (await parsed('search', 'lighthouse', '--limit', '1', '--json')) as { id: string }
    const rated = ['--rating', 'bad', '--missing-content', 'lamps']
    expect(await parsed('search-feedback', id, ...rated, '--json')).toMatchObject(noted)
  },
  'credit-usage': async () => {
    await printed('scrape', url())
    expect(await printed('credit-usage')).toMatch(/Used Credits: [1-9]/)
  },
  doctor: async () => expect((await run('doctor')).stdout).toMatch(/API Key Validity +accepted/),
  'doctor ID': async () => {
    await run('scrape', url('/redirect/loop'))
    const id = idIn(await (await fetch(`${service.url}/v2/team/activity?limit=1`)).text())
    expect(await printed('doctor', id)).toContain('redirects in a loop')
  },
}

/** Commands of services that do not exist here. */
const refused: Record<Refused<typeof methods>, string[]> = {
  research: ['research', 'search-papers', 'orb webs'],
  developer: ['developer', 'orb webs'],
}

describe('the CLI of Firecrawl', () => {
  it('has exactly the listed commands', async () => {
    const [, commands = ''] = (await printed('--help')).split('Commands:')
    const shown = [...commands.matchAll(/^ {2}([a-z-]+)[ |]/gm)].map(([, name]) => name)
    // The first is no longer listed, the second is not a command.
    const all = new Set([...shown, 'browser', '--status'])
    expect([...all].toSorted()).toEqual([...new Set(Object.keys(methods).map((name) => name.split(' ')[0]))].toSorted())
    expect(installedVersion('firecrawl-cli')).toBe(version)
  })

  // A call starts up to three programs, so a normal run draws half of the calls.
  it.each(drawn(Object.entries(calls)))('%s', async (name, call) => {
    await reaching(service, methods[name as keyof typeof calls], call)
  })

  it.each(Object.entries(refused))('%s is refused, with an alternative', async (name, words) => {
    const { code, stderr } = await run(...words)
    expect([code, stderr]).toEqual([1, expect.stringMatching(refusalOf(methods[name as keyof typeof refused]))])
  })

  it('shows errors to its users', async () => {
    const { code, stderr } = await run('scrape', url(), '-f', 'markdown', '--wait-for', '40000')
    expect([code, stderr]).toEqual([1, expect.stringContaining('waitFor may be at most half of timeout.')])
  })
})
