import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { runProgram } from '../helpers/program.ts'
import { overHttp } from '../helpers/transports.ts'
import { describePostgres } from '../helpers/postgres.ts'
import { clusterEnv, clusterForAll, results, sql, startNode } from './cluster-kit.ts'

const pages = 200

describePostgres('a database that is gone', () => {
  const folder = folderForAll()
  const cluster = clusterForAll(pages, 40)
  const page = (nth: number) => `${cluster.tree.origin}/p/${nth}`
  const crawl = () => ({ url: page(0), crawlEntireDomain: true, scrapeOptions: { maxAge: 0 } })

  test('until calls have failed: a crawl continues afterwards', async () => {
    const { database, tree } = cluster
    const server = await startNode(await cluster.schema(), folder.path)
    const { id } = await read<{ id: string }>(`${server.url}/v2/crawl`, crawl())
    await expect.poll(() => tree.visits.size).toBeGreaterThan(60)
    const overMcp = await overHttp(server.url)
    await database.stop()
    let isBack = false
    const start = async () => {
      if (!isBack) await database.start()
      isBack = true
    }
    // If the test fails, its retry needs a running database.
    onTestFinished(start)
    const calls = await Promise.all([
      read(`${server.url}/v2/crawl`, crawl()),
      read(`${server.url}/v2/crawl/${id}`),
      read(`${server.url}/v2/team/activity`),
      read(`${server.url}/v2/scrape`, { url: page(1) }),
      read(`${server.url}/v2/team/credit-usage`),
    ])
    for (const answer of calls)
      expect(answer).toMatchObject({
        success: false,
        code: 'DATABASE_UNAVAILABLE',
        error: 'The database does not answer.',
        hint: expect.stringContaining('gossamer doctor'),
      })
    expect((await fetch(`${server.url}/ready`)).status).toBe(503)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    // The owner of a key cannot be looked up either, so MCP over HTTP fails before the message is read.
    await expect(overMcp.call('activity', {})).rejects.toThrow('DATABASE_UNAVAILABLE')
    await overMcp.close()
    await start()
    const status = await results(() => server.url, id)
    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    expect(status).toMatchObject({ status: 'completed', completed: pages, total: pages, creditsUsed: pages })
    expect(status.data.map(({ metadata }) => new URL(metadata.sourceURL).pathname).toSorted()).toEqual(
      tree.paths.toSorted(),
    )
    await server.stop()
    expect(server.program.stderr()).not.toMatch(/unhandled|TypeError/i)
  })

  test('within a second: no call fails', async () => {
    const server = await startNode(await cluster.schema(), folder.path)
    await read(`${server.url}/v2/scrape`, { url: page(1) })
    await cluster.database.stop()
    const back = sleep(1000).then(() => cluster.database.start())
    const [answer] = await Promise.all([read(`${server.url}/v2/team/activity`), back])
    expect(answer).toMatchObject({ success: true })
    await server.stop()
  })

  test('from the start: the server does not start, and doctor gives the reason without the password', async () => {
    const env = clusterEnv('postgres://gossamer:hushed@127.0.0.1:9/none', folder.path)
    const served = await runProgram(['serve', '--port', '0'], env)
    expect(served.code).toBe(1)
    expect(served.stderr).toContain('DATABASE_UNAVAILABLE: The database does not answer.')
    const doctor = await runProgram(['doctor', '--json'], env)
    const { findings } = JSON.parse(doctor.stdout) as { findings: { topic: string }[] }
    expect(findings.find(({ topic }) => topic === 'Database')).toEqual({
      topic: 'Database',
      state: 'fault',
      says: '127.0.0.1:9/none: connect ECONNREFUSED 127.0.0.1:9',
      advice: expect.stringContaining('GOSSAMER_DATABASE_URL'),
    })
    expect(served.stderr + served.stdout + doctor.stdout + doctor.stderr).not.toContain('hushed')
  })

  test('with a newer schema: the server changes nothing', async () => {
    const database = await cluster.schema()
    const env = clusterEnv(database, folder.path)
    await runProgram(['keys', 'list'], env)
    await sql(database, 'UPDATE schema_version SET version = version + 1')
    const served = await runProgram(['serve', '--port', '0'], env)
    expect(served.code).toBe(1)
    expect(served.stderr).toContain('written by a later version of this program')
  })
})
