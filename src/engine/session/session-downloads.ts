import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withDeadline } from '../../util/async.ts'
import { sanitiseLine } from '../../util/sanitise-text.ts'
import type { Connection } from '../browser/cdp/cdp-connection.ts'
import { type CdpParams, type Session, CdpError } from '../browser/cdp/cdp-session.ts'
import { kindOf } from '../document/kind.ts'
import { isTextKind, kindOfName, typeOfKind, typeOfName } from '../document/media-types.ts'

/** Result of a download: the file, or the reason why it was not stored. */
export type Download = { name: string; url?: string } & ({ file: KeptFile } | { why: string })
type DownloadListener = (event: { method: string; params: Record<string, unknown> }, bytes?: Buffer) => void
type DownloadLimits = ShelfLimits & { settleMs: number }
type Options = { connection: Pick<Connection, 'browser'>; contextId: string; folder: string }

const defaultLimits: DownloadLimits = { fileBytes: 20_000_000, allBytes: 50_000_000, files: 20, settleMs: 10_000 }
const maxName = 100
/** Maximum number of unreported downloads; the newest are kept. */
const maxUnreported = 100

type Running = {
  guid: string
  name: string
  url: string
  bytes: number
  ended: PromiseWithResolvers<Download>
  isReported?: true
}

export type Downloads = Awaited<ReturnType<typeof keepDownloads>>

/** Keeps downloaded files: the browser writes them below its profile, where they are read and deleted immediately. */
export async function keepDownloads(
  { connection: { browser }, contextId, folder }: Options,
  signal: AbortSignal,
  limits = defaultLimits,
) {
  const shelf = createShelf(limits)
  const queue = createQueue(limits.settleMs)
  const followers = createFollowers()
  const remove = (guid: string) => rm(join(folder, guid), { force: true }).catch(() => undefined)
  function refuse({ guid }: Running, why: string): void {
    browser.send('Browser.cancelDownload', { guid, browserContextId: contextId }).catch(() => undefined)
    queue.end(guid, { why })
    followers.ended(guid)
    void remove(guid)
  }

  async function read({ guid, name }: Running): Promise<void> {
    const bytes = await readFile(join(folder, guid)).catch(() => undefined)
    await remove(guid)
    followers.ended(guid, bytes)
    const kept = bytes && shelf.add({ name, mediaType: typeOf(name, bytes), bytes })
    queue.end(guid, kept ?? { why: 'the browser did not provide it' })
  }

  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ends = [
    browser.on('Browser.downloadWillBegin', (event) => {
      followers.started(event)
      const download = queue.begin(event.guid, plainName(event.suggestedFilename), event.url)
      const why = shelf.refusal(0, queue.otherSizes(download))
      if (why !== undefined) refuse(download, why)
    }),
    browser.on('Browser.downloadProgress', ({ guid, state, totalBytes, receivedBytes }) => {
      const download = queue.find(guid)
      if (!download) return
      download.bytes = Math.max(totalBytes, receivedBytes)
      const why = shelf.refusal(download.bytes, queue.otherSizes(download))
      if (state === 'canceled') refuse(download, 'it was cancelled')
      else if (why !== undefined) refuse(download, why)
      else if (state === 'completed') void read(download)
    }),
  ]
  const behaviour = { behavior: 'allowAndName', downloadPath: folder, browserContextId: contextId } as const
  await setDownloads(browser, { ...behaviour, eventsEnabled: true }, signal)
  return {
    /** Returns downloads that ended since the last call. Waits for running ones; reports a slow one once as late. */
    take: queue.take,
    find: shelf.find,
    all: shelf.all,
    /** Stores a file of our own within the same limits. */
    keep: shelf.add,
    /** Calls a function with download events, and the bytes of a complete file. Returns a function that stops it. */
    follow: followers.add,
    stop() {
      ends.forEach((stop) => stop())
      shelf.clear()
    },
  }
}

function createFollowers() {
  const all = new Set<DownloadListener>()
  const emit = (method: string, params: object, bytes?: Buffer) =>
    all.forEach((listener) => listener({ method: `Browser.${method}`, params: { ...params } }, bytes))
  return {
    add(listener: DownloadListener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    started: (event: object) => emit('downloadWillBegin', event),
    ended: (guid: string, bytes?: Buffer) =>
      emit('downloadProgress', { guid, state: bytes ? 'completed' : 'canceled' }, bytes),
  }
}

/** Running downloads, and those that ended since the last report. */
function createQueue(settleMs: number) {
  const running = new Map<string, Running>()
  let ended: readonly Download[] = []
  return {
    find: (guid: string) => running.get(guid),
    /** Returns the received or announced sizes of the other downloads, in bytes. */
    otherSizes: (download: Running) => [...running.values()].flatMap((each) => (each === download ? [] : [each.bytes])),
    begin(guid: string, name: string, url: string): Running {
      const download: Running = { guid, name, url, bytes: 0, ended: Promise.withResolvers() }
      running.set(guid, download)
      return download
    },
    end(guid: string, how: { file: KeptFile } | { why: string }): void {
      const download = running.get(guid)
      if (!download) return
      running.delete(guid)
      const result = { name: download.name, url: download.url, ...how }
      ended = [...ended, result].slice(-maxUnreported)
      download.ended.resolve(result)
    },
    async take(): Promise<readonly Download[]> {
      const waited = [...running.values()].filter(({ isReported }) => !isReported)
      const ends = () => Promise.all(waited.map(({ ended: end }) => end.promise))
      await withDeadline({ step: 'wait for downloads', ms: settleMs }, undefined, ends).catch(() => undefined)
      const late = waited.filter(({ guid }) => running.has(guid))
      for (const each of late) each.isReported = true
      const finished = ended
      ended = []
      return [...finished, ...late.map(({ name }) => ({ name, why: lateReason }))]
    },
  }
}

const lateReason = 'it is still downloading; a later act will report it'

/** Returns the last part of a suggested path, for display only. */
function plainName(suggested: string): string {
  const last = sanitiseLine(suggested).split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*$/.test(last) ? 'file' : last.slice(0, maxName)
}

/** A file downloaded by a page of the session, kept in memory until the session ends. */
export type KeptFile = { id: string; name: string; mediaType: string; bytes: Buffer }
type ShelfLimits = { fileBytes: number; allBytes: number; files: number }

function createShelf(limits: ShelfLimits) {
  const files = new Map<string, KeptFile>()
  let count = 0

  /** Returns why a file of this size cannot be stored in addition to other files and running downloads. */
  function refusal(size: number, coming: readonly number[] = []): string | undefined {
    const sizes = [...[...files.values()].map(({ bytes }) => bytes.length), ...coming]
    const held = sizes.reduce((sum, each) => sum + each, 0)
    if (size > limits.fileBytes) return `it is larger than ${inMb(limits.fileBytes)} MB`
    if (held + size > limits.allBytes) return `the files of a session may have ${inMb(limits.allBytes)} MB in all`
    return sizes.length >= limits.files ? `a session keeps at most ${limits.files} files` : undefined
  }

  return {
    refusal,
    add(given: Omit<KeptFile, 'id'>): { file: KeptFile } | { why: string } {
      const why = refusal(given.bytes.length)
      if (why !== undefined) return { why }
      const file = { id: `f${++count}`, ...given }
      files.set(file.id, file)
      return { file }
    },
    find: (id: string) => files.get(id),
    all: () => Array.from(files.values()),
    clear: () => files.clear(),
  }
}

const inMb = (bytes: number) => bytes / 1_000_000

/** The bytes show whether the file is text; the name shows which kind of text. */
function typeOf(name: string, bytes: Uint8Array): string {
  const [held, named] = [kindOf(undefined, bytes, ''), kindOfName(name)]
  const isVague = held === 'binary' || isTextKind(held)
  const byName = named && isVague && isTextKind(named) === isTextKind(held) ? typeOfName(name) : undefined
  return byName ?? typeOfKind(held) ?? 'application/octet-stream'
}

/** Sets the download behaviour of a context. Chromium 150 accepts its default context only without an id. */
export async function setDownloads(
  browser: Pick<Session, 'send'>,
  behaviour: CdpParams<'Browser.setDownloadBehavior'> & { browserContextId: string },
  signal: AbortSignal,
): Promise<void> {
  const { browserContextId: _, ...ofDefault } = behaviour
  const send = (params: CdpParams<'Browser.setDownloadBehavior'>) =>
    browser.send('Browser.setDownloadBehavior', params, signal)
  await send(behaviour).catch(async (thrown: unknown) => {
    const isUnknown = thrown instanceof CdpError && thrown.message.includes('Failed to find browser context')
    if (!isUnknown) throw thrown
    await send(ofDefault)
  })
}
