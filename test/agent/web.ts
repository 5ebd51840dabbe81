import { type ServerResponse } from 'node:http'
import { wordsIn } from '../../src/util/words.ts'
import { termsOf } from '../../src/util/rank.ts'
import { startEngine } from '../e2e/search-engine.ts'
import { gives, type ModelScript, startModelServer } from '../helpers/model-server.ts'
import { inProcess } from '../helpers/transports.ts'
import { serve } from '../helpers/listen.ts'
import { researcher } from './researcher.ts'

/** Sites by name, each with its pages by path; `{name}` in a page is the address of that site. */
export type Sites = Readonly<Record<string, Readonly<Record<string, string>>>>
type Answers = (path: string, response: ServerResponse) => boolean

export type Web = Awaited<ReturnType<typeof startWeb>>

/**
 * Sites on loopback, each on its own port, and a search engine that knows all their pages but those with noindex.
 */
export async function startWeb(sites: Sites, special: Readonly<Record<string, Answers>> = {}) {
  const requests: string[] = []
  const servers = await Promise.all(
    Object.keys(sites).map(async (name) => {
      const server = await serve(({ url = '' }, response) => {
        requests.push(`${originOf(name)}${url}`)
        if (special[name]?.(url, response)) return
        const body = sites[name]?.[url]
        const type = url.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8'
        response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(filled(body ?? 'Not here.'))
      })
      return { name, ...server }
    }),
  )
  const origins = new Map(servers.map(({ name, origin }) => [name, origin]))
  const originOf = (name: string) => origins.get(name) ?? ''
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => origins.get(name) ?? all)
  const index = Object.entries(sites).flatMap(([name, pages]) =>
    Object.entries(pages)
      .filter(([path, body]) => !path.endsWith('.txt') && !body.includes('noindex'))
      .map(([path, body]) => ({
        url: `${originOf(name)}${path}`,
        title: titleOf(body),
        words: new Set(wordsIn(plain(body))),
      })),
  )
  const engine = await startEngine((query) => ({
    general: index
      .map((page) => ({ ...page, score: termsOf(query).filter((word) => page.words.has(word)).length }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, 10)
      .map(({ url, title }) => ({ url, title, content: '' })),
  }))
  return {
    /** Every address requested from a site. */
    requests,
    searched: () => engine.queries.map((parameters) => parameters.get('q') ?? ''),
    url: (name: string, path = '/') => `${originOf(name)}${path}`,
    origins: [...origins.values()],
    engineUrl: engine.url,
    async stop() {
      await engine.stop()
      for (const { close } of servers) close()
    },
  }
}

const titleOf = (body: string) => /<title>(.*?)<\/title>/.exec(body)?.[1] ?? ''
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ')

/** A model server that answers like this researcher. */
export const scripted =
  (say = researcher()): ModelScript =>
  ({ prompt, schema }) =>
    gives(say({ text: prompt, schema }))

/** The service in this process, with the web to search and a model or none. */
export async function startService(web: Pick<Web, 'engineUrl'>, script: ModelScript | 'no model') {
  const model = script === 'no model' ? undefined : await startModelServer(script)
  const transport = inProcess(settings(web, model?.url('openai')))
  async function ended(name: 'agent' | 'extract', input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { output, code, message } = await transport.call(name, { ...input, wait: 120 })
    if (!output) throw new Error(`${code}: ${message}`)
    return output['job'] as Record<string, unknown>
  }
  return {
    ...transport,
    model,
    agent: (input: Record<string, unknown>) => ended('agent', input),
    extract: (input: Record<string, unknown>) => ended('extract', input),
    async stop() {
      await transport.close()
      await model?.close()
    },
  }
}
export type Service = Awaited<ReturnType<typeof startService>>

export const settings = (
  { engineUrl }: Pick<Web, 'engineUrl'>,
  modelUrl: string | undefined,
): Record<string, string> => ({
  GOSSAMER_DATA_DIR: 'memory',
  GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
  GOSSAMER_SEARXNG_URL: engineUrl,
  GOSSAMER_SEARCH_PROVIDERS: 'searxng',
  ...(modelUrl !== undefined && { GOSSAMER_MODEL: 'test', GOSSAMER_MODEL_URL: modelUrl }),
})
