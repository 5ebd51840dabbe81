/** Measures several servers on one database, PostgreSQL and SQLite: see README.md. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore } from '../src/engine/store/open-store.ts'
import type { Store } from '../src/engine/store/store.ts'
import { type Postgres, startPostgres } from '../test/helpers/postgres.ts'
import { madeSchema } from '../test/store/postgres/postgres-under-test.ts'
import { measureCrawl } from './cluster/crawl.ts'
import { measureFrontier } from './cluster/frontier.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { startSite } from './lib/start-site.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode, type Target } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...commonFlags,
    pages: { type: 'string', default: '800' },
    /** Sizes of the frontier, in rising order. */
    urls: { type: 'string', default: '100000' },
    'frontier-hosts': { type: 'string', default: '10000' },
    hosts: { type: 'string', default: '40' },
    /** Concurrent pages: a limit of the team, and so of all servers together. */
    concurrency: { type: 'string', default: '64' },
    /**
     * Concurrent pages per server when servers are compared: few enough for this machine, which also runs the site and
     * the database.
     */
    'per-server': { type: 'string', default: '8' },
  },
})
const file = userPath(values.server)
const options = {
  clock: { now: Date.now },
  cacheMaxBytes: 2 ** 30,
  jobRetentionMs: 86_400_000,
  log: { debug() {}, info() {}, warn: console.error, error: console.error },
}

async function frontier(database: Postgres, dir: string): Promise<Target[]> {
  const sizes = values.urls.split(',').map((size) => positive('--urls', size))
  const hosts = positive('--frontier-hosts', values['frontier-hosts'])
  const schema = await madeSchema(database.url)
  const stores: [string, () => Promise<Store>][] = [
    ['SQLite', () => openStore({ ...options, dir })],
    ['PostgreSQL', () => openStore({ ...options, dir: null, databaseUrl: schema.url })],
  ]
  const rows: string[][] = []
  const targets: Target[] = []
  for (const [name, open] of stores) {
    const store = await open()
    await store.ready()
    const found = await measureFrontier(store, sizes, hosts)
    await store.close()
    const [first] = found
    for (const { urls, addedPerSecond, claimP50, claimP95, rssMost } of found) {
      const cells = [addedPerSecond.toFixed(0), claimP50.toFixed(2), claimP95.toFixed(2), rssMost.toFixed(0)]
      rows.push([name, String(urls), ...cells])
      if (urls <= 100_000)
        targets.push({ what: `${name}: claim p95 of ${urls} URLs`, limit: 5, measured: claimP95, unit: 'ms' })
      if (first && urls > first.urls) {
        const what = `${name}: memory at ${urls} URLs over that at ${first.urls}`
        targets.push({ what, limit: 1.15, measured: rssMost / first.rssMost, unit: '×' })
      }
    }
  }
  await schema.drop()
  console.log(table(['frontier', 'URLs', 'URLs added/s', 'claim p50 ms', 'claim p95 ms', 'memory MB'], rows))
  return targets
}

async function crawl(database: Postgres, dir: string): Promise<Target[]> {
  const pages = positive('--pages', values.pages)
  const hosts = positive('--hosts', values.hosts)
  const site = await startSite(join(import.meta.dirname, 'cluster', 'site.ts'), [String(pages), '200'])
  const urls = Array.from({ length: pages }, (_, nth) => `http://127.0.1.${1 + (nth % hosts)}:${site.origin}/p/${nth}`)
  const common = { GOSSAMER_MAX_CONCURRENCY: values.concurrency }
  const schema = await madeSchema(database.url)
  const node = (nth: number) => ({
    ...common,
    GOSSAMER_DATABASE_URL: schema.url,
    GOSSAMER_DATA_DIR: join(dir, `node${nth}`),
  })
  const perServer = String(positive('--per-server', values['per-server']))
  const few = { GOSSAMER_CRAWL_SERVER_CONCURRENCY: perServer }
  const inFolder = (folder: string) => ({ ...common, ...few, GOSSAMER_DATA_DIR: join(dir, folder) })
  const measure = (name: string, envs: Record<string, string>[]) => measureCrawl({ file, name, urls, envs })
  const oneOnFolder = await measure(`one folder, one server of ${perServer} pages`, [inFolder('one')])
  const twoOnFolder = await measure(`one folder, two servers of ${perServer} pages`, [inFolder('two'), inFolder('two')])
  const one = await measure('SQLite, one server', [{ ...common, GOSSAMER_DATA_DIR: join(dir, 'own') }])
  const onPostgres = await measure('PostgreSQL, one server', [node(1)])
  const two = await measure('PostgreSQL, two servers', [node(1), node(2)])
  const small = (nth: number) => ({ ...node(nth), ...few })
  const oneSmall = await measure(`PostgreSQL, one server of ${perServer} pages`, [small(1)])
  const twoSmall = await measure(`PostgreSQL, two servers of ${perServer} pages`, [small(1), small(2)])
  await schema.drop()
  await site.end()
  const rows = [oneOnFolder, twoOnFolder, one, onPostgres, two, oneSmall, twoSmall]
  const cell = ({ name, pagesPerSecond, cpuMsPerPage }: (typeof rows)[number]) => [
    name,
    pagesPerSecond.toFixed(1),
    cpuMsPerPage.toFixed(1),
  ]
  console.log(table(['crawl', 'pages/s', 'CPU ms a page'], rows.map(cell)))
  return [
    {
      what: `time of two servers on one folder over one server, ${perServer} pages at once each`,
      limit: 1 / 1.7,
      measured: oneOnFolder.pagesPerSecond / twoOnFolder.pagesPerSecond,
      unit: '×',
    },
    {
      what: 'CPU of a page, two servers on one folder over one server',
      limit: 1.15,
      measured: twoOnFolder.cpuMsPerPage / oneOnFolder.cpuMsPerPage,
      unit: '×',
    },
    {
      what: 'CPU of a page, PostgreSQL over SQLite',
      limit: 1.5,
      measured: onPostgres.cpuMsPerPage / one.cpuMsPerPage,
      unit: '×',
    },
    {
      what: `time of two servers over one, ${perServer} pages at once each`,
      limit: 1 / 1.7,
      measured: oneSmall.pagesPerSecond / twoSmall.pagesPerSecond,
      unit: '×',
    },
  ]
}

const parts = { frontier, crawl }
const asked = positionals.length > 0 ? positionals : Object.keys(parts)
const database = await startPostgres()
try {
  await withWorkDir(async (dir) => {
    const targets: Target[] = []
    for (const [name, part] of Object.entries(parts))
      if (asked.includes(name)) targets.push(...(await part(database, join(dir, name))))
    console.log(describeTargets(targets))
    await writeJson(values.json, { node: process.version, targets })
    process.exitCode = exitCode(targets, values.check)
  })
} finally {
  await database.close()
}
