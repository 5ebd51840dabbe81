import type { Exchange, ExchangeListener } from '../../contracts/fetch.ts'
import type { ReadHtml } from '../../contracts/page-content.ts'
import type { Ports, Clock } from '../../contracts/ports.ts'
import { maxUploadBytes } from '../../schema/scrape/file-upload.ts'
import { lazyPort, once } from '../../util/async.ts'
import type { Config } from '../config.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

type PageSources = {
  network(): Promise<Pick<Ports, 'fetchPage'>>
  renderer(): Promise<Pick<Ports, 'renderPage'>>
  telemetry: Telemetry
  /** Starts the reader while the page is being fetched. */
  warm(): void
}

/** Listeners to every fetched page. */
export type Watchers = {
  show(exchange: Exchange): Promise<unknown>
  isWatched(): boolean
  /** Called when a listener is added or removed. Crawl threads replace it, to learn whether to report their pages. */
  changed(): void
}

/** Ports that fetch pages. Each page is returned after every listener has received it. */
export function openPagePorts(clock: Clock, { network, renderer, telemetry: { measure }, warm }: PageSources) {
  const listeners = new Set<ExchangeListener>()
  const show = (exchange: Exchange) => Promise.all([...listeners].map((listener) => listener(exchange)))
  const ports: Pick<Ports, 'fetchPage' | 'renderPage'> = {
    fetchPage: async (request) => {
      warm()
      const at = clock.now()
      const response = await measure({ kind: 'fetch', name: 'http' }, async () => (await network()).fetchPage(request))
      if (listeners.size > 0) await show({ at, request: getOf(request), response })
      return response
    },
    renderPage: async (request) => {
      const at = clock.now()
      const response = await measure({ kind: 'render', name: 'browser' }, async () =>
        (await renderer()).renderPage(request),
      )
      const metadata = { 'rendered-by': 'browser' }
      if (listeners.size > 0) await show({ at, request: getOf(request), response, metadata })
      return response
    },
  }
  const watchers: Watchers = {
    show,
    isWatched: () => listeners.size > 0,
    changed: () => {},
  }
  return {
    ports,
    watchers,
    watch(listener: ExchangeListener): () => void {
      listeners.add(listener)
      watchers.changed()
      return () => {
        listeners.delete(listener)
        watchers.changed()
      }
    },
  }
}

const getOf = ({ url, headers }: Pick<Exchange['request'], 'url' | 'headers'>) => ({ url, method: 'GET', headers })

/** Port for files on this machine that callers may name. */
export function filesPort({ fileFolders }: Config): Ports['files'] {
  const files = once(async () =>
    (await import('../../engine/document/document-reader.ts')).createLocalFiles(fileFolders, maxUploadBytes),
  )
  return lazyPort<Ports['files']>(files)
}

/** Ports that read HTML in worker threads, and convert files to HTML in child processes. */
export function openReaders({ telemetry: { measure }, worked }: { telemetry: Telemetry; worked(): void }) {
  const reader = once(async () => (await import('../../engine/html/worker/html-reader.ts')).createReader())
  const children = once(async () => (await import('../../engine/document/converter-pool.ts')).createConverterPool())
  const readHtml: ReadHtml = (...args) =>
    measure({ kind: 'read', name: 'html' }, async () => (await reader())(...args)).finally(worked)
  const documents = once(async () =>
    (await import('../../engine/document/document-reader.ts')).createDocumentReader({ readHtml }, children),
  )
  const readDocument: Ports['readDocument'] = (...args) =>
    measure({ kind: 'read', name: 'document' }, async () => (await documents())(...args))
  return {
    ports: { readHtml, readDocument },
    /** Starts a worker thread while the page is being fetched. */
    warm(): void {
      reader().then(
        (open) => open.warm(),
        // Reading the page will fail with the same error, and report it.
        () => undefined,
      )
    },
    close: () =>
      Promise.allSettled([children.close(async (open) => open.close()), reader.close(async (open) => open.close())]),
  }
}
