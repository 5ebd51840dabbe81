import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import { z } from 'zod'
import { fail } from '../../src/kernel/error.ts'
import { type JobState, defineOperation } from '../../src/kernel/operation.ts'
import type { HttpAppOptions } from '../../src/surfaces/http/app.ts'
import { listen, type Listening } from '../../src/surfaces/http/server.ts'
import { acceptUpgrades, type UpgradeOptions, type Upgrades } from '../../src/surfaces/ws/upgrade.ts'
import { watchRoute } from '../../src/surfaces/ws/watch.ts'
import { key, memoryLog, newCtx, team, toyApp, toyFacts, validating } from './toys.ts'

/** Jobs by id, which a test may change. */
export type ToyJobs = Map<string, JobState>

/** Returns the progress of a job. The job `theirs` belongs to another team, `broken` fails. */
const jobStatus = (jobs: ToyJobs) =>
  defineOperation({
    ...toyFacts,
    name: 'toy_status',
    route: 'GET /v2/job/:id',
    example: { id: 'a' },
    input: z.object({ id: z.string().max(9), skip: z.int().default(0), limit: z.int().max(100).default(100) }),
    errors: ['JOB_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
    watch: 'documents',
    run: async ({ id, skip, limit }) => {
      if (id === 'theirs') fail('JOB_OF_OTHER_TEAM')
      if (id === 'broken') throw new Error('secret cause')
      const job = jobs.get(id) ?? fail('JOB_NOT_FOUND')
      return { ...job, data: job.data.slice(skip, skip + limit) }
    },
  })

/** The same operation without WebSocket. */
const plain = { ...jobStatus(new Map()), name: 'toy_plain', route: 'GET /v2/plain/:id' as const, watch: undefined }

export type WatchToys = {
  server: Listening
  upgrades: Upgrades
  log: ReturnType<typeof memoryLog>
  jobs: ToyJobs
  close(): Promise<void>
}

/** A server with jobs to watch; close it after use. */
export async function serveJobs(
  over: Partial<HttpAppOptions> = {},
  upgrading: Partial<UpgradeOptions> = {},
): Promise<WatchToys> {
  const log = memoryLog()
  const jobs: ToyJobs = new Map()
  const { watch: _, ...unwatched } = plain
  const options = {
    operations: [jobStatus(jobs), unwatched],
    invoke: validating,
    newCtx,
    authenticate: async (authorization: string | undefined) => (authorization === key ? team : undefined),
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: ['https://good.example'],
    log,
    ...over,
  }
  const server = await listen({ app: toyApp(options), host: '127.0.0.1', port: 0, log })
  const upgrades = acceptUpgrades(server.server, { ...options, routes: [watchRoute(options)], ...upgrading })
  return { server, upgrades, log, jobs, close: async () => void (await upgrades.close(), await server.close(0)) }
}

type Message = { type: string; data?: { status?: string; data?: object[] }; error?: string; code?: string }
export type Watching = {
  socket: WebSocket
  messages: Message[]
  /** The close code. */
  closed: Promise<number>
}

/** Opens a socket as the SDK does: with the key as its protocol. */
export function watchJob(
  { server }: Pick<WatchToys, 'server'>,
  path: string,
  { protocol = 'good', ...options }: ClientOptions & { protocol?: string } = {},
): Watching {
  const address = server.url.replace('http', 'ws') + path
  const socket = new WebSocket(address, protocol === '' ? [] : [protocol], options)
  const messages: Message[] = []
  socket.on('message', (bytes: Buffer) => messages.push(JSON.parse(bytes.toString()) as Message))
  const closed = once(socket, 'close').then(([code]) => code as number)
  return { socket, messages, closed }
}
