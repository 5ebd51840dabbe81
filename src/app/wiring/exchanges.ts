import type { Exchange, ExchangeListener, FetchPage } from '../../contracts/fetch.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { RenderPage } from '../../contracts/render.ts'

/** Lets somebody see every page that comes. A page is not answered before its listeners have it. */
export function createExchanges(clock: Clock) {
  const listeners = new Set<ExchangeListener>()
  const tell = (exchange: Exchange) => Promise.all([...listeners].map((listener) => listener(exchange)))

  const ofFetch =
    (fetchPage: FetchPage): FetchPage =>
    async (request) => {
      const at = clock.now()
      const response = await fetchPage(request)
      const { url, headers } = request
      if (listeners.size > 0) await tell({ at, request: { url, method: 'GET', headers }, response })
      return response
    }

  const ofRender =
    (renderPage: RenderPage): RenderPage =>
    async (request) => {
      const at = clock.now()
      const rendered = await renderPage(request)
      const { url, headers } = request
      const metadata = { 'rendered-by': 'browser' }
      if (listeners.size > 0) await tell({ at, request: { url, method: 'GET', headers }, response: rendered, metadata })
      return rendered
    }

  return {
    ofFetch,
    ofRender,
    watch(listener: ExchangeListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
