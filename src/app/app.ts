import type { Clock, Ports } from '../contracts/ports.ts'
import type { SessionEvents, Sessions } from '../contracts/session.ts'
import { createAuthenticate } from '../engine/account/authenticate.ts'
import { type Ctx, type NewCtx, permissions, type Team } from '../kernel/ctx.ts'
import { type Caller, runLocally, under } from '../kernel/invoke.ts'
import type { Log } from '../kernel/log.ts'
import { billed } from '../middleware/billed.ts'
import { followed } from '../middleware/followed.ts'
import { createSlots, limited, type Slots } from '../middleware/limited.ts'
import { permitted } from '../middleware/permitted.ts'
import { recorded } from '../middleware/recorded.ts'
import { createRunning } from '../middleware/tracked.ts'
import { uploaded } from '../middleware/uploaded.ts'
import { checked, validated } from '../middleware/validated.ts'
import { warned } from '../middleware/warned.ts'
import { operations } from '../operations/index.ts'
import { type Lazy, once } from '../util/lazy.ts'
import type { Config } from './config.ts'
import { wire, type Wiring } from './wiring/wire.ts'
import type { Store } from '../engine/store/store.ts'

const clock: Clock = { now: Date.now }

/** Whoever runs the program on their own machine is its operator. */
export const localTeam: Team = { id: 'local', key: null, permissions }

export type App = {
  operations: typeof operations
  caller: Caller
  newCtx: NewCtx
  authenticate: (authorization: string | undefined) => Promise<Team | undefined>
  store: () => Promise<Store>
  watchExchanges: Wiring['watchExchanges']
  sessions: Sessions
  sessionEvents: SessionEvents
  endSessions: Wiring['endSessions']
  /** Goes on with the jobs that an earlier process left. */
  resume(): void
  close(): Promise<void>
}

/** Puts settings, ports, policies and operations together. Opens and loads nothing: each part is made when it is first used. */
export function createApp(config: Config, log: Log): App {
  const slots = createSlots(config)
  const running = createRunning()
  const endpoints = once(async () => {
    const { openEndpointServer } = await import('../surfaces/http/endpoint-server.ts')
    return openEndpointServer({ endpoint: (key) => ports.sessions.endpoint(key), log })
  })
  const { ports, store, watchExchanges, sessionEvents, endSessions, close } = wire(config, {
    clock,
    slots,
    log,
    reach: isReachableByOthers(config) ? 'others' : 'this machine',
    ownBaseUrl: async () => (await endpoints()).url,
  })
  return {
    operations,
    caller: under([running.tracked, uploaded(ports.files), followed], createCaller(config, ports, slots)),
    newCtx: (init) => newCtx(init, ports, log),
    authenticate: createAuthenticate({
      configured: config.apiKeys,
      permissions: config.permissions,
      findStored: async (key) => (await store()).keys.find(key),
      keyless: async () =>
        (await needsKey(config, store)) ? undefined : { ...localTeam, permissions: config.permissions },
    }),
    store,
    watchExchanges,
    sessions: ports.sessions,
    sessionEvents,
    endSessions,
    resume: () => ports.crawler.wake(),
    close: async () => {
      await running.settled()
      await close()
      await endpoints.close((server) => server.close())
    },
  }
}

/** Here, under all policies; or at the remote service, which has policies of its own. */
function createCaller(config: Config, ports: Ports, slots: Slots): Caller {
  if (config.remoteUrl === undefined) {
    const unknownKeys = config.strict ? 'refuse' : 'warn'
    const policies = [
      warned,
      validated(unknownKeys),
      permitted,
      limited(slots, clock),
      recorded(ports.jobs),
      billed(ports.usage, clock, config.monthlyCredits),
    ]
    return under(policies, runLocally)
  }
  const remote = once(async () => {
    const { createRemoteCaller } = await import('../surfaces/remote/remote.ts')
    return createRemoteCaller({
      baseUrl: config.remoteUrl ?? '',
      ...(config.remoteKey !== undefined && { apiKey: config.remoteKey }),
    })
  })
  return under([checked], async (operation, input, ctx) => (await remote())(operation, input, ctx))
}

function newCtx(init: Parameters<NewCtx>[0], ports: Ports, log: Log): Ctx {
  return {
    progress: () => {},
    ...init,
    jobId: crypto.randomUUID(),
    startedAt: clock.now(),
    log,
    warn: () => {},
    queuedMs: 0,
    ports,
  }
}

/** A server that only this machine reaches may go without keys until one is set; any other may not. */
async function needsKey(config: Config, store: Lazy<Store>): Promise<boolean> {
  if (isReachableByOthers(config) || config.apiKeys.length > 0) return true
  const { keys, describe } = await store()
  const count = (await keys.list()).length
  // Where the data folder cannot be used nobody knows what keys it holds.
  return count > 0 || describe().warning !== undefined
}

/** Behind a proxy a server on loopback is reached from elsewhere all the same. */
export const isReachableByOthers = ({ host, publicUrl, trustProxy }: Config) =>
  !isLoopback(host) || trustProxy || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname))

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
