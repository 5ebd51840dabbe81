import type { Exchange, ExchangeListener } from '../../contracts/fetch.ts'
import type { Ports, Clock } from '../../contracts/ports.ts'
import { maxUploadBytes } from '../../schema/scrape/upload.ts'
import { lazyPort, once } from '../../util/lazy.ts'
import type { Config } from '../config.ts'

type PageSources = {
  network(): Promise<Pick<Ports, 'fetchPage'>>
  renderer(): Promise<Pick<Ports, 'renderPage'>>
  /** Starts what will read the page, while the page is on its way. */
  warm(): void
}

/** The ports that get pages, and a way to see every page that comes. A page is not answered before its listeners have it. */
export function openPagePorts(clock: Clock, { network, renderer, warm }: PageSources) {
  const listeners = new Set<ExchangeListener>()
  const show = (exchange: Exchange) => Promise.all([...listeners].map((listener) => listener(exchange)))
  const ports: Pick<Ports, 'fetchPage' | 'renderPage'> = {
    fetchPage: async (request) => {
      warm()
      const at = clock.now()
      const response = await (await network()).fetchPage(request)
      if (listeners.size > 0) await show({ at, request: getOf(request), response })
      return response
    },
    renderPage: async (request) => {
      const at = clock.now()
      const response = await (await renderer()).renderPage(request)
      const metadata = { 'rendered-by': 'browser' }
      if (listeners.size > 0) await show({ at, request: getOf(request), response, metadata })
      return response
    },
  }
  return {
    ports,
    watch(listener: ExchangeListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const getOf = ({ url, headers }: Pick<Exchange['request'], 'url' | 'headers'>) => ({ url, method: 'GET', headers })

/** Files of this machine that callers may name. */
export function filesPort({ fileFolders }: Config): Ports['files'] {
  const files = once(async () =>
    (await import('../../engine/document/local-files.ts')).createLocalFiles(fileFolders, maxUploadBytes),
  )
  return lazyPort<Ports['files']>(files, { read: true })
}
