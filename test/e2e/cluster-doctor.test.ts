import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../src/contracts/ports.ts'
import { describePostgres, startPostgres } from '../helpers/postgres.ts'
import { runProgram, tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { clusterEnv, sql as ask } from './cluster-kit.ts'
import { type Member, secret, startMember } from './cluster-members.ts'
import { forAll } from '../helpers/for-all.ts'

type Report = { findings: Finding[]; servers: { url: string; role: string; isAlive: boolean; clockAheadMs: number }[] }

const about = ({ findings }: Report, topic: string) => findings.filter((finding) => finding.topic === topic)

/** Clock of the server; the database keeps its own time. */
const clockAhead = (ms: number) => `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+${ms}`

describePostgres('doctor on a cluster', () => {
  let schema: Awaited<ReturnType<typeof madeSchema>>
  const folder = tempDir()
  const members: Member[] = []
  const start = async (role: string, more?: Record<string, string>) => {
    const member = await startMember(schema.url, role, more)
    members.push(member)
    return member
  }
  const doctor = async (more: Record<string, string> = { GOSSAMER_NODE_SECRET: secret }) => {
    const env = clusterEnv(schema.url, folder.path, more)
    const { code, stdout, stderr } = await runProgram(['doctor', '--cluster'], env)
    expect(stderr).toBe('')
    return { code, ...(JSON.parse(stdout) as Report) }
  }
  const sql = (text: string, params?: unknown[]) => ask(schema.url, text, params)
  let [api, worker] = [] as unknown as [Member, Member]
  const database = forAll(startPostgres)
  beforeAll(async () => {
    schema = await madeSchema(database.url)
    ;[api, worker] = await Promise.all([start('api'), start('worker')])
    await start('browser')
  })
  afterAll(async () => {
    await Promise.all(members.map((member) => member.stop()))
    folder.remove()
  })
  test('lists each server, and finds no problem', async () => {
    const report = await doctor()
    expect(report.code).toBe(0)
    expect(report.findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(about(report, `Server ${api.url}`)).toMatchObject([
      { says: expect.stringMatching(/^api, \d.*, last report \d s ago, 0 live browsers, .* answers in \d+ ms$/) },
    ])
    // The worker accepts no calls, but reports its state.
    expect(about(report, `Server ${worker.url}`)).toMatchObject([{ says: expect.stringMatching(/^worker, /) }])
    expect(about(report, 'Roles')).toMatchObject([{ says: '1 api, 1 worker, 1 browser' }])
    expect(about(report, 'Queue')).toMatchObject([{ says: expect.stringContaining('0 jobs running') }])
    expect(report.servers.map(({ role, isAlive }) => [role, isAlive])).toContainEqual(['browser', true])
  })

  test('reports a differing secret, an object store of one server only, and a wrong clock', async () => {
    const other = await start('api', {
      GOSSAMER_NODE_SECRET: 'quite another secret than theirs',
      GOSSAMER_OBJECTS_URL: 's3://id:hidden-secret@bucket?endpoint=http://127.0.0.1:1',
      NODE_OPTIONS: clockAhead(35_000),
    })
    onTestFinished(async () => {
      other.program.kill('SIGTERM')
      await other.program.exited
    })
    const report = await doctor()
    expect(report.code).toBe(1)
    const [reached, clock] = about(report, `Server ${other.url}`)
    expect(reached).toMatchObject({
      state: 'fault',
      says: expect.stringContaining('refuses calls of other servers (status 401)'),
      advice: expect.stringContaining('GOSSAMER_NODE_SECRET'),
    })
    expect(clock).toMatchObject({ state: 'fault', says: expect.stringMatching(/3\d s ahead/) })
    const settings = about(report, 'Settings').map(({ says }) => says)
    expect(settings).toEqual([
      expect.stringMatching(/^GOSSAMER_NODE_SECRET is not the same .*; another on /),
      expect.stringMatching(
        `^GOSSAMER_OBJECTS_URL is not the same on all servers: not set on .*; set on ${other.url}$`,
      ),
    ])
    expect(JSON.stringify(report)).not.toContain('hidden')
  })

  test('finds servers behind one URL, and one of an older version', async () => {
    await sql(
      `INSERT INTO node (id, role, url, started_at, lease_until, facts, server_time, database_time)
        SELECT 'twin', role, url, started_at, lease_until, json_build_object('process', 'other 1 1', 'version', '0.0.1',
          'schema', 1, 'settings', facts::json -> 'settings'), server_time, database_time FROM node WHERE url = $1`,
      [api.url],
    )
    const report = await doctor()
    expect(report.code).toBe(1)
    expect(about(report, 'Settings')).toMatchObject([
      { says: `2 servers say that they are reached at ${api.url}`, advice: expect.stringContaining('balancer') },
    ])
    expect(about(report, 'Versions')).toMatchObject([{ state: 'fault', says: expect.stringContaining(api.url) }])
    const twin = about(report, `Server ${api.url}`).find(({ state }) => state === 'fault')
    expect(twin?.advice).toContain('another program may answer')
    await sql("DELETE FROM node WHERE id = 'twin'")
  })

  test('reports a killed server and the missing roles', async () => {
    worker.program.kill('SIGKILL')
    await worker.program.exited
    await sql('UPDATE node SET database_time = database_time - 60000 WHERE url = $1', [worker.url])
    const report = await doctor()
    expect(report.code).toBe(1)
    expect(about(report, `Server ${worker.url}`)).toMatchObject([
      { state: 'fault', says: expect.stringMatching(/^worker, no report for 6\d s: it was killed/) },
    ])
    expect(about(report, 'Roles')).toMatchObject([
      { state: 'fault', says: expect.stringContaining('no server runs jobs') },
    ])
  })
})
