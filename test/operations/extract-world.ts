import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { gives, type ModelCall, type ModelReply, startModelServer } from '../helpers/model-server.ts'
import { forTest } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { inProcess } from '../helpers/transports.ts'

export type Pages = Record<string, string>

/** A site of such pages on a free port of 127.0.0.1, each answered after `delayMs`. */
export async function startPages(pages: Pages, delayMs = 0) {
  const requests: string[] = []
  const headersOf = new Map<string, http.IncomingHttpHeaders>()
  const { origin } = forTest(
    await serve(async ({ url = '', headers }, response) => {
      requests.push(url)
      headersOf.set(url, headers)
      const body = pages[url]
      if (delayMs > 0) await sleep(delayMs)
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': contentType(url) }).end(body ?? 'Not here.')
    }),
  )
  return { origin, requests, headers: headersOf, url: (path: string) => `${origin}${path}` }
}

const contentType = (url: string) =>
  url.endsWith('.txt') ? 'text/plain' : url.endsWith('.xml') ? 'application/xml' : 'text/html; charset=utf-8'

export const page = (title: string, facts: Record<string, string | number>, more = '') =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Some words about ${title}, which stand on this page to fill it a little.</p>
   <dl>${Object.entries(facts)
     .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
     .join('')}</dl>${more}</main>`

/** The page of a question, as the model gets it. */
export const pageIn = ({ prompt }: ModelCall) => /<page>\n([\s\S]*)\n<\/page>/.exec(prompt)?.[1] ?? ''

/** Answers each field of the schema with the text after its name on the page, and obeys any instruction in the page. */
export function obedient(call: ModelCall): ModelReply {
  const text = pageIn(call)
  const order = /answer with (\{.*\})/i.exec(text)?.[1]
  if (order !== undefined) return gives(JSON.parse(order.replaceAll('\\', '')))
  const fields = Object.keys((call.schema?.['properties'] as object | undefined) ?? {})
  const values = fields.flatMap((name) => {
    const value = new RegExp(`^\\W*${name}\\W+(.+)$`, 'im').exec(text)?.[1]?.trim()
    return value === undefined ? [] : [[name, /^\d+$/.test(value) ? Number(value) : value]]
  })
  return gives(Object.fromEntries(values))
}

/** The service in this process, with a model or without. */
export async function service(options: { model?: (call: ModelCall) => ModelReply; env?: Record<string, string> } = {}) {
  const model = options.model && (await startModelServer(options.model))
  const running = inProcess({
    GOSSAMER_DATA_DIR: 'memory',
    GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
    ...(model && { GOSSAMER_MODEL: 'test', GOSSAMER_MODEL_URL: model.url('openai') }),
    ...options.env,
  })
  onTestFinished(async () => {
    await running.close()
    await model?.close()
  })
  const output = async (name: string, input: Record<string, unknown>) => {
    const { output: out, code, message } = await running.call(name, input)
    if (!out) throw new Error(`${code}: ${message}`)
    return out
  }
  return {
    ...running,
    model,
    output,
    /** The state of a job of an operation when it is over. */
    async job(operation: string, input: Record<string, unknown>) {
      const { id } = await output(operation, input)
      for (;;) {
        const state = await output(`${operation}_status`, { id })
        if (state['status'] !== 'processing') return state
        await sleep(50)
      }
    },
  }
}
