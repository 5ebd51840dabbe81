import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onePage, stream } from '../../test/document/pdf/raw-pdf.ts'
import { startSite } from '../lib/start-site.ts'

/**
 * `small` does the same with little data first, so that code loaded on first use does not count; `large` is measured.
 */
export type Case = { name: string; small(url: string): Promise<void>; large(url: string): Promise<void> }
export type World = { cases: readonly Case[]; end(): Promise<void> }

const megabyte = 1_000_000
const crawledPages = 800
const links = 40_000

/** Sends a body and reads the answer as a stream, so that 50 MB are not held here either. */
async function send(url: string, path: string, body: BodyInit, type?: string): Promise<void> {
  const headers = type === undefined ? undefined : { 'content-type': type }
  const response = await fetch(url + path, { method: 'POST', body, ...(headers && { headers }) })
  let start = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) if (start.length < 300) start += decoder.decode(piece)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${start.slice(0, 300)}`)
}

const json = (url: string, path: string, value: object) => send(url, path, JSON.stringify(value), 'application/json')

const line = 'What is said of ropes in this line is said of nails in the next one.'

/** A page with enough text not to count as a scan, and an attachment that is never read. */
function pdfOf(bytes: number): Uint8Array<ArrayBuffer> {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  const words = `BT /F1 12 Tf 60 780 Td 14 TL ${`(${line}) Tj T* `.repeat(40)}ET`
  return new Uint8Array(onePage(words, '/Font << /F1 5 0 R >>', [font, stream(Buffer.alloc(bytes, 7))]))
}

const textOf = (bytes: number) => new Uint8Array(Buffer.alloc(bytes, `${line}\n`))

function asPart(name: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  return form
}

const inBase64 = (filename: string, bytes: Uint8Array) =>
  JSON.stringify({ file: { filename, base64: Buffer.from(bytes).toString('base64') } })

const part = (url: string, name: string, bytes: Uint8Array<ArrayBuffer>) => send(url, '/v2/parse', asPart(name, bytes))
const encoded = (url: string, bytes: Uint8Array) => send(url, '/v2/parse', inBase64('a.pdf', bytes), 'application/json')

async function crawl(url: string, origin: string, limit: number): Promise<void> {
  const scrapeOptions = { formats: ['markdown'] }
  const response = await fetch(`${url}/v2/crawl`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: origin, limit, scrapeOptions }),
  })
  const { id } = (await response.json()) as { id: string }
  for (;;) {
    const answer = await fetch(`${url}/v2/crawl/${id}?limit=1`)
    const { status, completed } = (await answer.json()) as { status: string; completed: number }
    if (status === 'completed' && completed >= limit) return
    if (status !== 'scraping') throw new Error(`The crawl is ${status} with ${completed} pages`)
    await sleep(500)
  }
}

/** Serves pages with the number of links in their path. */
async function startLinks(): Promise<{ origin: string; end(): void }> {
  const server = createServer((request, response) => {
    const many = Number((request.url ?? '').slice(1))
    const items = Array.from(
      { length: many },
      (_, at) => `<li><a href="/part/page-${at}">Page ${at} of the part</a></li>`,
    )
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Links</h1><ul>${items.join('\n')}</ul>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, end: () => void server.close() }
}

const formats = ['markdown', 'links']

export async function openWorld(): Promise<World> {
  const site = await startSite(join(import.meta.dirname, '..', 'crawl', 'site.ts'), [String(crawledPages)])
  const list = await startLinks()
  const scrape = (url: string, many: number) => json(url, '/v2/scrape', { url: `${list.origin}/${many}`, formats })
  return {
    cases: [
      {
        name: `crawl of ${crawledPages} pages`,
        small: (url) => crawl(url, site.origin, 20),
        large: (url) => crawl(url, site.origin, crawledPages),
      },
      {
        name: `page of ${links.toLocaleString('en')} links`,
        small: (url) => scrape(url, 10),
        large: (url) => scrape(url, links),
      },
      {
        name: 'PDF of 50 MB as a part',
        small: (url) => part(url, 'a.pdf', pdfOf(1000)),
        large: (url) => part(url, 'a.pdf', pdfOf(50 * megabyte)),
      },
      {
        name: 'PDF of 50 MB in base64',
        small: (url) => encoded(url, pdfOf(megabyte)),
        large: (url) => encoded(url, pdfOf(50 * megabyte)),
      },
      {
        name: 'text of 50 MB as a part',
        small: (url) => part(url, 'a.txt', textOf(megabyte)),
        large: (url) => part(url, 'a.txt', textOf(50 * megabyte)),
      },
    ],
    async end() {
      list.end()
      await site.end()
    },
  }
}
