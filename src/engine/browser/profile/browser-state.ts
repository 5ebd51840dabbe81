import type { Protocol } from 'devtools-protocol'
import type { OriginState, ProfileCookie, ProfileState } from '../../../contracts/profile-state.ts'
import { withDeadline } from '../../../util/async.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Connection } from '../cdp/cdp-connection.ts'
import type { Session } from '../cdp/cdp-session.ts'
import { createTab, type Tab } from '../page/tab.ts'
import { closePage, openPageIn } from '../pool/browser-context.ts'
import type { OpenProfile } from './profile-store.ts'

/** `warnings` report what could not be saved, by origin and without content. */
export type Collected = { state: ProfileState; warnings: string[] }

const maxStateChars = 50 * 1024 * 1024
const originMs = 30_000

/**
 * Restores a profile in an empty context without requests. Must be called before the first navigation. The state of
 * `partial` origins must not replace that of the profile.
 */
export async function restoreState(context: StorageContext, state: ProfileState | undefined, signal: AbortSignal) {
  if (!state) return { warnings: [], partial: [] }
  const refused = await restoreCookies(context, state.cookies, signal)
  const warnings = refused > 0 ? [`The browser refused cookies of the profile: ${refused}.`] : []
  if (state.origins.length === 0) return { warnings, partial: [] }
  const partial: string[] = []
  const page = await openStoragePage(context, signal)
  try {
    for (const origin of state.origins) {
      const failed = await attempt(origin.origin, signal, (within) => restoreOrigin(page, origin, within))
      if (failed !== 0) partial.push(origin.origin)
    }
  } finally {
    await page.close()
  }
  const partly = partial.map(
    (origin) => `Not all of the profile's storage of ${origin} could be restored, so changes to it are not saved.`,
  )
  return { warnings: [...warnings, ...partly], partial }
}

type CollectOptions = {
  visited: readonly string[]
  /** Previous state of the profile: origins that were not visited or cannot be read are copied from it. */
  before: ProfileState | undefined
  partial?: readonly string[]
  maxChars?: number
}

/** Returns the current storage of the context. Databases and files beyond the limit are omitted with a warning. */
export async function collectState(
  context: StorageContext,
  { visited: allVisited, before, partial = [], maxChars = maxStateChars }: CollectOptions,
  signal: AbortSignal,
): Promise<Collected> {
  const visited = allVisited.filter((origin) => !partial.includes(origin))
  const cookies = await collectCookies(context, signal)
  const known = before?.origins ?? []
  const origins = known.filter(({ origin }) => !visited.includes(origin))
  if (visited.length === 0) return { state: { cookies, origins }, warnings: [] }
  const warnings: string[] = []
  let room = maxChars - JSON.stringify({ cookies, origins }).length
  const page = await openStoragePage(context, signal)
  try {
    for (const origin of visited) {
      const found = await attempt(origin, signal, (within) => collectOrigin(page, origin, room, within))
      if (!found) warnings.push(`The storage of ${origin} could not be read, so the profile keeps its earlier state.`)
      if (found?.warning !== undefined) warnings.push(found.warning)
      const state = found ? found.state : known.find((each) => each.origin === origin)
      if (!state) continue
      origins.push(state)
      room -= JSON.stringify(state).length
    }
  } finally {
    await page.close()
  }
  return { state: { cookies, origins }, warnings }
}

/** A failure of one origin must not affect the others. */
function attempt<T>(origin: string, signal: AbortSignal, work: (within: AbortSignal) => Promise<T>) {
  return withDeadline({ step: `the storage of ${origin}`, ms: originMs }, signal, work).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
}

/** Returns how many parts could not be restored. */
async function restoreOrigin(page: StoragePage, state: OriginState, signal: AbortSignal): Promise<number> {
  const { origin, localStorage, indexedDB = [], opfs = [] } = state
  await page.goTo(origin, signal)
  // Passed as text, because the browser parses arguments as JavaScript, in which the name __proto__ is not a property.
  const items = await page.call('restoreItems', [JSON.stringify(localStorage)], signal)
  const databases = indexedDB.length > 0 ? await page.call('restoreDatabases', [JSON.stringify(indexedDB)], signal) : 0
  const files = opfs.length > 0 ? await page.call('restoreFiles', [JSON.stringify(opfs)], signal) : 0
  return items + databases + files
}

async function collectOrigin(page: StoragePage, origin: string, room: number, signal: AbortSignal) {
  await page.goTo(origin, signal)
  const items = await page.call('collectItems', [], signal)
  let left = room - JSON.stringify(items).length
  const databases = await page.call('collectDatabases', [left], signal)
  left -= databases.text.length
  const files = await page.call('collectFiles', [left], signal)
  const indexedDB = JSON.parse(databases.text) as NonNullable<OriginState['indexedDB']>
  const opfs = JSON.parse(files.text) as NonNullable<OriginState['opfs']>
  const isEmpty = items.length + indexedDB.length + opfs.length === 0
  const isTooLarge = databases.tooLarge + files.tooLarge > 0
  const isLost = databases.unreadable + databases.lostRecords + files.unreadable > 0
  const warning = isTooLarge
    ? `The storage of ${origin} is too large: databases and files beyond the limit of the profile were left out.`
    : `Some databases, records or files of ${origin} cannot be copied out of a browser and are left out of the profile.`
  return {
    state: isEmpty
      ? undefined
      : {
          origin,
          localStorage: items,
          ...(indexedDB.length > 0 && { indexedDB }),
          ...(opfs.length > 0 && { opfs }),
        },
    ...((isTooLarge || isLost) && { warning }),
  }
}

/** Returns all cookies of a context, including session cookies, which most logins use. */
async function collectCookies({ connection, contextId }: StorageContext, signal: AbortSignal) {
  const { cookies } = await connection.browser.send('Storage.getCookies', { browserContextId: contextId }, signal)
  return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey }) => ({
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    ...(sameSite && { sameSite }),
    ...(partitionKey && {
      partitionKey: partitionKey.topLevelSite,
      _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor,
    }),
  }))
}

/** Sets the cookies that have not expired, and returns how many of them the browser refused. */
async function restoreCookies(
  { connection, contextId }: StorageContext,
  cookies: readonly ProfileCookie[],
  signal: AbortSignal,
): Promise<number> {
  const nowSeconds = Date.now() / 1000
  const current = cookies.filter(({ expires }) => expires < 0 || expires > nowSeconds).map(paramOf)
  const set = (batch: readonly Protocol.Network.CookieParam[]) =>
    connection.browser.send('Storage.setCookies', { cookies: batch, browserContextId: contextId }, signal)
  if (current.length === 0) return 0
  try {
    await set(current)
    return 0
  } catch {
    // One invalid cookie makes the browser refuse all of them.
    signal.throwIfAborted()
    const results = await Promise.allSettled(current.map((cookie) => set([cookie])))
    return results.filter(({ status }) => status === 'rejected').length
  }
}

function paramOf({
  expires,
  sameSite,
  partitionKey,
  _crHasCrossSiteAncestor,
  ...cookie
}: ProfileCookie): Protocol.Network.CookieParam {
  return {
    ...cookie,
    ...(expires >= 0 && { expires }),
    ...(sameSite && { sameSite }),
    ...(partitionKey !== undefined && {
      partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor: _crHasCrossSiteAncestor ?? true },
    }),
  }
}

export type ProfileTab = {
  connection: Pick<Connection, 'browser' | 'attach'>
  /** A page that has not navigated yet. */
  tab: Pick<Tab, 'session' | 'contextId' | 'reuse'>
  profile: OpenProfile
  log: Pick<Log, 'warn'>
}

/** Runs work with the storage of a profile, and saves it afterwards if requested. A failed save is only a warning. */
export async function withState<T>(
  { connection, tab, profile, log }: ProfileTab,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ result: T; warnings: string[] }> {
  const context = { connection, contextId: tab.contextId }
  const restore = () => restoreState(context, profile.state, signal)
  const restored = await (tab.reuse ? tab.reuse.once(restore) : restore())
  const origins = await watchOrigins(context, tab.session, signal)
  try {
    const result = await work()
    if (!profile.saveChanges) return { result, warnings: restored.warnings }
    const saved = await save().catch((error: unknown) => {
      signal.throwIfAborted()
      log.warn('profile.save', { error })
      return ['The changes could not be saved to the profile.']
    })
    return { result, warnings: [...restored.warnings, ...saved] }
  } finally {
    origins.stop()
  }

  async function save(): Promise<string[]> {
    const options = { visited: origins.seen(), before: profile.state, partial: restored.partial }
    const { state, warnings } = await collectState(context, options, signal)
    await profile.save(state)
    return warnings
  }
}

export type StorageContext = { connection: Pick<Connection, 'browser' | 'attach'>; contextId: string }

const openPageMs = 10_000

/** The page declares an icon, because a browser with a window would otherwise request one from the site. */
const emptyPage = Buffer.from('<!doctype html><link rel="icon" href="data:,">').toString('base64')

/** A page of the context that can open any origin without a request to it. */
type StoragePage = Awaited<ReturnType<typeof openStoragePage>>

async function openStoragePage({ connection, contextId }: StorageContext, signal: AbortSignal) {
  const { session, targetId } = await openPageIn(connection, contextId, signal)
  const close = () => closePage(connection, targetId)
  try {
    await withDeadline({ step: 'open a page for the storage', ms: openPageMs }, signal, (within) =>
      answerAll(session, within),
    )
  } catch (error) {
    await close()
    throw error
  }
  const tab = createTab(session, targetId, { contextId, attach: connection.attach })
  return {
    close,
    /** Navigates to an origin. Fails if the browser opens nothing or another origin. */
    goTo: (origin: string, during: AbortSignal) => goToOrigin(tab, origin, during),
    call: tab.call,
  }
}

/** Answers every navigation with an empty page and blocks other requests, so no request leaves the browser. */
async function answerAll(session: Session, signal: AbortSignal): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, resourceType }) => {
    const answer =
      resourceType === 'Document'
        ? session.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: 200,
            responseHeaders: [
              { name: 'content-type', value: 'text/html' },
              { name: 'cache-control', value: 'no-store' },
            ],
            body: emptyPage,
          })
        : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    answer.catch(() => undefined)
  })
  await Promise.all([
    // Otherwise a service worker of the site would answer.
    session.send('Network.setBypassServiceWorker', { bypass: true }, signal),
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, signal),
  ])
}

async function goToOrigin(tab: Tab, origin: string, signal: AbortSignal): Promise<void> {
  const { errorText } = await tab.session.send('Page.navigate', { url: `${origin}/` }, signal)
  if (errorText !== undefined) throw new Error(`The page could not be opened: ${errorText}.`)
  const opened = await tab.evaluate<string>('location.origin', signal)
  if (opened !== origin) throw new Error('The browser opened another origin.')
}

/** Maximum number of origins; the first ones are kept. More of them indicate a crawl rather than a visit. */
const maxOrigins = 100

/**
 * Records the origins visited in a context, in pages, frames and windows. Must start after the storage is restored and
 * before the first navigation. The frames are those of the page of `session`.
 */
export async function watchOrigins(
  { connection, contextId }: StorageContext,
  session: Session | undefined,
  signal: AbortSignal,
) {
  const origins = new Set<string>()
  const record = (address: string) => {
    const origin = originOf(address)
    if (origin !== undefined && origins.size < maxOrigins) origins.add(origin)
  }
  const recordTarget = ({ targetInfo }: { targetInfo: Protocol.Target.TargetInfo }) => {
    if (targetInfo.browserContextId === contextId) record(targetInfo.url)
  }
  const ends = [
    session?.on('Page.frameNavigated', ({ frame }) => record(frame.url)),
    connection.browser.on('Target.targetCreated', recordTarget),
    connection.browser.on('Target.targetInfoChanged', recordTarget),
  ]
  await connection.browser.send('Target.setDiscoverTargets', { discover: true }, signal)
  return { seen: () => Array.from(origins), stop: () => ends.forEach((end) => end?.()) }
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
