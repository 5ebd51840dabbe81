import type { Config } from '../config.ts'
import type { Log } from '../core/log.ts'
import type { Ports } from '../core/ports.ts'
import type { OpenSessions, SessionsOptions } from '../engine/session/sessions.ts'
import type { Store } from '../engine/store/open-store.ts'
import type { OpenEgress } from './open-egress.ts'
import type { Network } from './open-network.ts'
import { browserFolder, openProfiles } from './open-renderer.ts'

type Parts = {
  ports: Pick<Ports, 'clock' | 'readHtml'>
  store: () => Promise<Store>
  network: () => Promise<Network>
  egress: () => Promise<OpenEgress>
  /** Whether only this machine reaches the server. */
  reach: 'this machine' | 'others'
  ownBaseUrl: SessionsOptions['ownBaseUrl']
  log: Log
}

/** Live browsers. */
export async function openSessions(config: Config, parts: Parts): Promise<OpenSessions> {
  const { createSessions } = await import('../engine/session/sessions.ts')
  const { openSession } = await import('../engine/session/open.ts')
  const { createSandboxes } = await import('../engine/session/code/sandbox/find.ts')
  const { createInstalled } = await import('../engine/session/code/sandbox/installed.ts')
  const { createPlainLaunch } = await import('../engine/browser/launch/plain.ts')
  const { ports, store, network, log, ownBaseUrl } = parts
  const egress = await parts.egress()
  const { browserPath, browserCdpUrl } = config
  const sandboxFor = createSandboxes({ allowWeakSandbox: weakSandbox(config, parts.reach) })
  const options = {
    settings: { browserPath, browserCdpUrl },
    dataDir: browserFolder(config),
    egress,
    profiles: await openProfiles(config, ports.clock),
    launch: createPlainLaunch(),
    chooseProxy: (await network()).chooseProxy,
    sandboxFor,
    programsFor: createInstalled(config),
    toMarkdown: markdownBy(ports.readHtml),
    faultOf: (url: string) => egress.faultOf(url),
    log,
  }
  return createSessions({
    records: (await store()).sessions,
    canRun: async (language) => (await sandboxFor(language)) !== undefined,
    open: (wish, ears, signal) => openSession(options, wish, ears, signal),
    maxSessions: config.maxSessions ?? roomFor(process.availableMemory()),
    ownBaseUrl,
    clock: ports.clock,
    log,
  })
}

function weakSandbox({ unsandboxedCode }: Config, reach: Parts['reach']) {
  if (unsandboxedCode === 'always') return 'always'
  return unsandboxedCode === 'local' && reach === 'this machine' ? 'node only' : 'never'
}

/** What one browser takes with a page in it. */
const sessionBytes = 400 * 1024 * 1024

const roomFor = (freeBytes: number) => Math.max(1, Math.min(8, Math.floor(freeBytes / sessionBytes)))

const markdownBy =
  (readHtml: Ports['readHtml']) =>
  async (html: string, url: string, signal: AbortSignal): Promise<string> => {
    const content = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
    const { markdown } = await readHtml({ ...content, html, url, wanted: ['markdown'], attributes: [] }, signal)
    return markdown ?? ''
  }
