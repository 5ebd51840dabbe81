import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { send } from '../helpers/api.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { bin, cleanEnv } from '../helpers/program.ts'
import { overHttp } from '../helpers/transports.ts'
import { sendPage, smallSite } from '../crawl/kit.ts'

/** A separate disk for one program: a private file system in memory, mostly filled by one file. */
const onSmallDisk = ['unshare', '--mount', '--user', '--map-root-user', 'sh', '-c']
const script = 'mount -t tmpfs -o size=48m tmpfs "$0" && head -c 44m /dev/zero > "$0/ballast" && exec "$@"'
const [program = '', ...wrapped] = onSmallDisk
const canMount = spawnSync(program, [...wrapped, 'mount -t tmpfs tmpfs /mnt']).status === 0
const name = canMount
  ? 'a full disk'
  : 'a full disk (skipped: this test makes a small disk with unshare and mount, which are not allowed here)'

const pages = 60
const folder = folderForAll()
const disk = join(folder.path, 'disk')
let server: { url: string; freeSpace(): void; stop(): Promise<void> }

const site = forAll(() =>
  smallSite({
    '/robots.txt': (_, response) => response.writeHead(404).end(),
    '/': Array.from({ length: pages - 1 }, (_, at) => `/page/${at}`),
    '*': ({ pathname }, response) => sendPage(response, randomBytes(45_000).toString('base64') + pathname, [], 1),
  }),
)
beforeAll(async () => {
  if (canMount) server = await startServer()
})
afterAll(async () => {
  if (canMount) await server.stop()
})

async function startServer(): Promise<typeof server> {
  mkdirSync(disk)
  const args = [...wrapped, script, disk, process.execPath, bin, 'serve', '--port', '0']
  const env = cleanEnv({ GOSSAMER_DATA_DIR: join(disk, 'data'), GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise<void>((resolve) => void child.on('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /listens on (http:\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    void exited.then(() => reject(new Error(`the server ended: ${output}`)))
  })
  return {
    url,
    freeSpace: () => rmSync(join(`/proc/${child.pid}/root`, disk, 'ballast')),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function ask(path: string, body?: object) {
  const response = await send(`${server.url}${path}`, body && { body })
  return { http: response.status, ...((await response.json()) as { id?: string; warning?: string }) }
}

it.runIf(canMount)(
  `${name} is reported, new jobs are refused, and a crawl continues when there is room again`,
  async () => {
    const patience = { interval: 200 }
    expect(await ask('/health')).toMatchObject({ http: 200, status: 'ok' })
    const { id } = await ask('/v2/crawl', { url: site.url('/'), sitemap: 'skip', scrapeOptions: { maxAge: 0 } })
    const state = () => ask(`/v2/crawl/${id}?limit=1`)
    await expect.poll(async () => (await state()).warning, patience).toMatch(/^STORAGE_FULL: /)
    expect(await state()).toMatchObject({
      http: 200,
      status: 'scraping',
      completed: expect.toSatisfy((done: number) => done < pages),
    })
    expect(await ask('/health')).toMatchObject({
      http: 200,
      status: 'degraded',
      warning: expect.stringMatching(/^STORAGE_FULL: /),
    })
    expect(await ask('/ready')).toMatchObject({ http: 503, code: 'STORAGE_FULL' })

    const refused = { http: 507, code: 'STORAGE_FULL', hint: expect.stringContaining('GOSSAMER_DATA_DIR') }
    expect(await ask('/v2/crawl', { url: site.url('/') })).toMatchObject(refused)
    expect(await ask('/v2/batch/scrape', { urls: [site.url('/')] })).toMatchObject(refused)
    const mcp = await overHttp(server.url)
    expect(await mcp.call('crawl', { url: site.url('/') })).toMatchObject({ code: 'STORAGE_FULL' })
    await mcp.close()
    expect(await ask('/v2/scrape', { url: site.url('/page/1'), maxAge: 0 })).toMatchObject({ http: 200 })

    server.freeSpace()
    await expect.poll(async () => await state(), patience).toMatchObject({ status: 'completed', completed: pages })
    expect(await state()).not.toHaveProperty('warning')
    await expect.poll(async () => await ask('/health'), patience).not.toHaveProperty('warning')
    expect(await ask('/v2/batch/scrape', { urls: [site.url('/')] })).toMatchObject({ http: 200 })
  },
)
