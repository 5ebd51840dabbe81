import { randomBytes } from 'node:crypto'
import type { Clock, Ports } from '../../contracts/ports.ts'
import type { SessionEvents, Language, SessionEvent, Sessions } from '../../contracts/session-port.ts'
import { once, lazyPort } from '../../util/async.ts'
import type { Config } from '../config.ts'
import { createCluster } from './nodes/cluster.ts'
import type { OfTeam } from '../../contracts/page-content.ts'
import type { SandboxSettings } from '../../engine/code/sandbox/find-sandbox.ts'
import type { OpenSessions, SessionsOptions } from '../../engine/session/registry/open-sessions.ts'
import type { Log } from '../../kernel/log.ts'
import type { OpenForwardProxies, Network } from './open-network.ts'
import { browserFolder, openProfiles, openSecrets } from './open-browser.ts'
import type { Store } from '../../engine/store/store.ts'

/** Callers of this process: the user who started it (stdio, command line), or clients over HTTP. */
export type Callers = 'own user' | 'over HTTP'

type SessionParts = Pick<SessionsOptions, 'hasOthers'> & {
  ports: Pick<Ports, 'account' | 'clock' | 'jobs' | 'readHtml'>
  store: () => Promise<Store>
  network: () => Promise<Network>
  forwardProxies: () => Promise<OpenForwardProxies>
  callers: Callers
  ownBaseUrl: SessionsOptions['ownBaseUrl']
  log: Log
  /** Id of this server if several share the database. */
  nodeId: string | null
}

/** Creates the sessions port of this process; it opens no browser yet. */
async function openSessions(config: Config, parts: SessionParts): Promise<OpenSessions> {
  const { createSessions } = await import('../../engine/session/registry/open-sessions.ts')
  const { openSession } = await import('../../engine/session/live-session.ts')
  const { createSandboxes } = await import('../../engine/code/sandbox/find-sandbox.ts')
  const { findPrograms } = await import('../../engine/code/sandbox/programs.ts')
  const { createLauncher } = await import('../../engine/browser/launch/launcher.ts')
  const { ports, store, network, log, hasOthers, ownBaseUrl } = parts
  const forwardProxies = await parts.forwardProxies()
  const { browserPath, browserCdpUrl } = config
  const bestSandbox = createSandboxes({ allowWeakSandbox: weakSandbox(config, parts.callers) })
  const secrets = await openSecrets(config, ports.clock)
  const sandboxOf = async (teamId: string, language: Language) =>
    bestSandbox(language, (await ports.account.limitsOf(teamId)).unsandboxedCode ? 'any' : 'strong')
  const options = {
    settings: { browserPath, browserCdpUrl },
    dataDir: browserFolder(config),
    forwardProxies,
    profiles: await openProfiles(config, ports.clock),
    launch: createLauncher(),
    chooseProxy: (await network()).chooseProxy,
    programsFor: findPrograms(config),
    log,
  }
  return createSessions({
    records: (await store()).sessions,
    jobs: ports.jobs,
    nodeId: parts.nodeId,
    canRun: async (language, teamId) => (await sandboxOf(teamId, language)) !== undefined,
    open: (request, callbacks, signal) => {
      const sandboxFor = (language: Language) => sandboxOf(request.teamId, language)
      const toMarkdown = markdownBy(ports.readHtml, request)
      const findSecret = (name: string) => secrets.find(request.teamId, name)
      return openSession({ ...options, sandboxFor, toMarkdown, findSecret }, request, callbacks, signal)
    },
    maxSessions: config.maxSessions ?? maxSessionsIn(process.availableMemory()),
    limitsOf: ports.account.limitsOf,
    hasOthers,
    ownBaseUrl,
    clock: ports.clock,
    log,
  })
}

/**
 * Languages whose code may run in a weak sandbox. The address of the server does not matter, because a proxy, tunnel or
 * container may be in front of it.
 */
export function weakSandbox(
  { unsandboxedCode }: Pick<Config, 'unsandboxedCode'>,
  callers: Callers,
): SandboxSettings['allowWeakSandbox'] {
  if (unsandboxedCode === 'always') return 'always'
  return unsandboxedCode === 'local' && callers === 'own user' ? 'node only' : 'never'
}

/** Memory of one browser with one page, bytes. */
const sessionBytes = 400 * 1024 * 1024

const maxSessionsIn = (freeBytes: number) => Math.max(1, Math.min(8, Math.floor(freeBytes / sessionBytes)))

const markdownBy =
  (readHtml: Ports['readHtml'], { teamId }: OfTeam) =>
  async (html: string, url: string, signal: AbortSignal): Promise<string> => {
    const content = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
    const { markdown } = await readHtml({ ...content, teamId, html, url, wanted: ['markdown'], attributes: [] }, signal)
    return markdown ?? ''
  }

/** Events of live browsers. Listeners may be added before the first browser is opened. */
function sessionEvents(): { events: SessionEvents; emit(event: SessionEvent): void } {
  const listeners = new Set<(event: SessionEvent) => void>()
  return {
    events(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit: (event) => listeners.forEach((listener) => listener(event)),
  }
}

export type BrowserTools = Omit<SessionParts, 'nodeId' | 'ports'> & { clock: Clock }

const newNodeId = (): string => randomBytes(9).toString('base64url')

/** Live browsers of this server and of servers that share its database. Their first call creates the port. */
export function openLiveBrowsers(config: Config, tools: BrowserTools, ports: () => SessionParts['ports']) {
  const { store, clock, log } = tools
  const id = sharesDatabase(config) ? newNodeId() : null
  const { events: own, emit } = sessionEvents()
  const local = once(async () => {
    const opened = await openSessions(config, { ...tools, ports: ports(), nodeId: id })
    opened.listen(emit)
    return opened
  })
  const cluster = id === null ? undefined : createCluster(config, { id, store, local, events: own, clock, log })
  const open = once(cluster?.sessions ?? local)
  const events: SessionEvents = (listener) => {
    const stops = [own, ...(cluster ? [cluster.events] : [])].map((source) => source(listener))
    return () => stops.forEach((stop) => stop())
  }
  const end = async () => {
    // First, so that other servers open no more sessions here.
    await cluster?.leave()
    await open.close((opened) => opened.end())
    // Other servers may have opened sessions here without a call of the port.
    await local.close((opened) => opened.end())
  }
  return {
    port: lazyPort<Sessions>(open),
    events,
    cluster,
    /** Closes the sessions of this server. */
    end,
  }
}

/** False if a remote service does the work: the database is then not used. */
const sharesDatabase = ({ databaseUrl, remoteUrl }: Config) => databaseUrl !== undefined && remoteUrl === undefined
