import { join } from 'node:path'
import { localTeamId } from '../../contracts/account-ports.ts'
import type { SessionRequest } from '../../contracts/session-port.ts'
import { fail } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { withDeadline } from '../../util/async.ts'
import { emulate, type Metrics, metricsOf, sortHeaders } from '../browser/emulation/emulate.ts'
import {
  type Machine,
  type BrowserSettings,
  findBrowser,
  type FoundBrowser,
  hasDisplay,
  hasWindows,
} from '../browser/find/find-browser.ts'
import { machineProbes } from '../browser/find/machine-probes.ts'
import type { Launch } from '../browser/launch/launcher.ts'
import type { Browser } from '../browser/launch/process.ts'
import { refuseConsent } from '../browser/page/consent.ts'
import { guardDocuments } from '../browser/page/navigate.ts'
import { collectState, restoreState, type StorageContext, watchOrigins } from '../browser/profile/browser-state.ts'
import type { OpenProfile, ProfileStore } from '../browser/profile/profile-store.ts'
import { setDownloads, type Downloads, keepDownloads } from './session-downloads.ts'
import type { ForwardProxies, ForwardProxy } from '../net/proxy/forward-proxy.ts'
import type { UpstreamProxy, ProxyCriteria } from '../net/proxy/upstream-proxy.ts'
import type { LiveTab } from './page/live-tab.ts'
import { createTabs, type Tabs } from './page/tabs.ts'

export type OpenOptions = {
  settings: BrowserSettings
  dataDir: string
  forwardProxies: ForwardProxies
  profiles: SessionProfiles
  launch: Launch
  chooseProxy(request: ProxyCriteria): UpstreamProxy | undefined
  log: Log
}
/** The browser of one session; all its pages are in one context. */
export type SessionBrowser = {
  browser: Browser
  contextId: string
  /** True if the session has its own browser and uses its default context. */
  isOwn: boolean
  tabs: Tabs
  /** Undefined if downloads are refused, because the browser's files are not accessible from here. */
  downloads: Downloads | undefined
  profile: SessionProfile
  metrics: Metrics
  proxyErrorOf: ForwardProxy['errorOf']
}

export const viewport = { width: 1280, height: 800 } as const
const contextMs = 15_000

/** Starts a browser for one session, with the storage of its profile and a blank tab. Cleans up if it fails. */
export async function openSessionBrowser(options: OpenOptions, request: SessionRequest, signal: AbortSignal) {
  const { forwardProxies, chooseProxy, settings, dataDir, log, profiles, launch } = options
  const opening = await openProfile(profiles, request)
  let browser: Browser | undefined
  try {
    const { blockAds = true, proxy = 'auto', location } = request.replay ?? {}
    const through = chooseProxy({ pool: proxy === 'enhanced' ? 'enhanced' : 'basic', country: location?.country })
    const { teamId } = request
    const use = { teamId, blockAds, ...(through && { proxy: through }) }
    const { forBrowsers: server, errorOf, mayOpen } = await forwardProxies.proxyFor(use)
    const probes = machineProbes(dataDir)
    const found = await findBrowser('full', settings, probes)
    if (request.isInWindow) requireWindow(request, found, probes.machine)
    const display = request.isInWindow ? 'window' : 'headless'
    browser = await launch(found, { log, proxy: server, windowSize: viewport, display }, signal)
    const isOwn = found.from !== 'remote'
    const contextId = await openContext(browser, isOwn ? 'default' : 'new', signal)
    const profile = await opening.restore({ connection: browser.connection, contextId }, signal)
    const prepare = preparation(request, browser, mayOpen)
    const { connection, profileDir } = browser
    const folder = profileDir && join(profileDir, 'kept-downloads')
    const downloads = folder ? await keepDownloads({ connection, contextId, folder }, signal) : undefined
    const tabs = await createTabs(connection, { contextId, prepare, downloads }, signal)
    return { browser, contextId, isOwn, tabs, downloads, profile, metrics: metricsFor(request), proxyErrorOf: errorOf }
  } catch (error) {
    await browser?.close()
    await opening.release()
    throw error
  }
}

const metricsFor = ({ replay }: SessionRequest): Metrics =>
  metricsOf({ mobile: replay?.mobile ?? false, viewport: replay?.screenshot?.viewport })

/** Fails unless the caller is the local user and a window can be shown on this machine. */
function requireWindow({ teamId }: SessionRequest, found: FoundBrowser, machine: Machine): void {
  if (teamId !== localTeamId) refuseWindow('Windows are opened for the local user alone.')
  if (!hasDisplay(machine)) refuseWindow('This machine has no display to show a window on.')
  if (!hasWindows(found)) refuseWindow('Only a headless browser, or one on another machine, was found.')
}

const refuseWindow = (message: string): never =>
  fail('FEATURE_UNAVAILABLE', { message, hint: 'Leave headless out; people can watch in the live view.' })

/** Opens the default context, which CDP clients expect, or a new one in a shared browser. */
function openContext({ connection }: Browser, which: 'default' | 'new', signal: AbortSignal): Promise<string> {
  const { browser } = connection
  return withDeadline({ step: 'open a context', ms: contextMs }, signal, async (within) => {
    const browserContextId = which === 'new' ? await newContext(browser, within) : await defaultContext(browser, within)
    await setDownloads(browser, { behavior: 'deny', browserContextId, eventsEnabled: true }, within)
    return browserContextId
  })
}

type BrowserSession = Browser['connection']['browser']

async function newContext(browser: BrowserSession, signal: AbortSignal): Promise<string> {
  return (await browser.send('Target.createBrowserContext', { disposeOnDetach: true }, signal)).browserContextId
}

/** Returns the id of the default context, which only a page reveals. That page becomes the first tab. */
async function defaultContext(browser: BrowserSession, signal: AbortSignal): Promise<string> {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', newWindow: true }, signal)
  const { targetInfos } = await browser.send('Target.getTargets', {}, signal)
  const id = targetInfos.find((target) => target.targetId === targetId)?.browserContextId
  if (id === undefined) throw new Error('The browser does not report the context of a page.')
  return id
}

/** Returns a function that prepares each tab like the replayed scrape: emulation, consent banners and allowed URLs. */
function preparation({ replay }: SessionRequest, { version }: Browser, mayOpen: ForwardProxy['mayOpen']) {
  const { mobile = false, location, skipTlsVerification = false, blockAds = true } = replay ?? {}
  const { headers = {}, url = '' } = replay ?? {}
  const { userAgent } = sortHeaders(headers, url)
  const emulation = { mobile, location, skipTlsVerification, version, userAgent }
  return async (tab: LiveTab, signal: AbortSignal) => {
    await Promise.all([
      emulate(tab, emulation, signal),
      ...(blockAds ? [refuseConsent(tab, signal)] : []),
      ...(mayOpen ? [guardDocuments(tab.session, tab.targetId, { mayOpen }, signal)] : []),
    ])
  }
}

type SessionProfiles = Pick<ProfileStore, 'open'>
/** Storage that a session restores at its start and may save at its end. */
type SessionProfile = {
  readonly warnings: readonly string[]
  /** Saves the changes of the session if its profile has saveChanges. Fails if the browser is gone. */
  save(): Promise<void>
  release(): Promise<void>
}

const saveMs = 30_000
const none: SessionProfile = { warnings: [], save: async () => {}, release: async () => {} }

/** Locks and reads the profile before the browser starts. Fails with PROFILE_IN_USE or PROFILE_UNREADABLE. */
async function openProfile(profiles: SessionProfiles, { teamId, profile, id }: SessionRequest) {
  const opened = profile && (await profiles.open(teamId, profile.name, { ...profile, by: `browser session ${id}` }))
  return {
    restore: (place: StorageContext, signal: AbortSignal) =>
      opened ? restore(opened, place, signal) : Promise.resolve(none),
    release: async () => opened?.release(),
  }
}

async function restore(profile: OpenProfile, place: StorageContext, signal: AbortSignal): Promise<SessionProfile> {
  const { warnings, partial } = await restoreState(place, profile.state, signal)
  const origins = await watchOrigins(place, undefined, signal)
  return {
    warnings,
    async save() {
      if (!profile.saveChanges) return
      const request = { visited: origins.seen(), before: profile.state, partial }
      const { state } = await withDeadline({ step: 'save the profile', ms: saveMs }, undefined, (within) =>
        collectState(place, request, within),
      )
      await profile.save(state)
    },
    async release() {
      origins.stop()
      await profile.release()
    },
  }
}
