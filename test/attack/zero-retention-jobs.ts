import { readFileSync } from 'node:fs'

/** Secret in each text, name, address and header of a job with zero retention. */
export const canary = 'canary7f3e91'
/** An address of this machine that no other test requests: a host name would need a DNS entry. */
export const canaryHost = '127.77.31.5'

/** Returns places that contain the secret (plain, in base64 at any offset, or in UTF-16) or the host. */
export function tracesIn(text: string): string[] {
  const shifted = ['', '.', '..'].map((before) =>
    Buffer.from(before + canary)
      .toString('base64')
      .slice(4, -4),
  )
  const wide = Buffer.from(canary, 'utf16le').toString('latin1')
  return [canary, wide, canaryHost, ...shifted].flatMap((trace) => {
    const at = text.indexOf(trace)
    return at < 0 ? [] : [text.slice(Math.max(0, at - 120), at + 120).replaceAll(/[^ -~]+/g, '·')]
  })
}

export type Place = { url(path: string): string }
/** A request, and the code of its refusal, if it is refused. */
export type Case = { what: string; path: string; body: object | FormData; code?: string }

const fixture = (name: string) => readFileSync(new URL(`../document/fixtures/office/${name}`, import.meta.url))

const options = { zeroDataRetention: true, headers: { 'x-mark': canary } }
const jsonFormat = {
  type: 'json',
  prompt: `What is ${canary}?`,
  schema: { type: 'object', properties: { [canary]: {} } },
}
const hook = (site: Place) => ({
  url: site.url(`/hook/${canary}`),
  headers: { 'x-hook': canary },
  metadata: { mark: canary },
})

function upload(name: string, bytes: Uint8Array<ArrayBuffer>, type: string): FormData {
  const form = new FormData()
  form.append('options', JSON.stringify({ zeroDataRetention: true, formats: ['markdown', 'html'] }))
  form.append('file', new Blob([bytes], { type }), name)
  return form
}

const job =
  (path: string) =>
  (what: string, body: object | FormData, code?: string): Case => ({ what, path, body, ...(code && { code }) })
const [scrape, parse, crawl, batch] = [job('scrape'), job('parse'), job('crawl'), job('batch/scrape')]
const violation = 'SCRAPE_ZDR_VIOLATION_ERROR'

const scrapes = (site: Place): Case[] => {
  const url = site.url('/page')
  const questions = [
    { type: 'question', question: `Who is ${canary}?` },
    { type: 'highlights', query: canary },
  ]
  const actions = [
    { type: 'write', text: canary },
    { type: 'executeJavascript', script: `localStorage.setItem('${canary}', '${canary}')` },
    { type: 'scrape' },
    { type: 'pdf' },
  ]
  const changes = ['markdown', { type: 'changeTracking', tag: canary }]
  return [
    scrape('plain', { url, formats: ['markdown', 'links', 'rawHtml', 'html', 'images', 'summary'], ...options }),
    scrape('questions', { url, formats: [jsonFormat, ...questions], ...options }),
    scrape('live, with acts and pictures', {
      url,
      formats: ['markdown', 'screenshot', 'branding'],
      actions,
      ...options,
    }),
    scrape('compared with an earlier one', { url, formats: changes, ...options }),
    scrape('a document', { url: site.url('/rich.docx'), ...options }),
    scrape('an error page', { url: site.url('/missing'), ...options }),
    scrape('of a private address', { url: `http://${canaryHost}:1/${canary}`, ...options }, 'SCRAPE_ADDRESS_REFUSED'),
    scrape('with an option that needs a model', { url, onlyCleanContent: true, ...options }, violation),
    scrape('in lockdown', { url, lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS'),
  ]
}

const parses = (): Case[] => {
  const file = { filename: `${canary}.csv`, base64: btoa(`name,price\n${canary},7\n`) }
  const docx = (bytes: Uint8Array<ArrayBuffer>) => upload(`${canary}.docx`, bytes, '')
  const text = (bytes: Uint8Array<ArrayBuffer>) => upload(`${canary}.txt`, bytes, 'text/plain')
  return [
    parse('in JSON', { file, zeroDataRetention: true }),
    parse('in JSON, with options', { file, options: { zeroDataRetention: true } }),
    parse('as a form', text(Buffer.from(canary))),
    parse('that is converted', docx(fixture('rich.docx'))),
    parse('that is broken', docx(Buffer.from(`PK\u0003\u0004${canary}`)), 'SCRAPE_UNSUPPORTED_FILE_ERROR'),
    parse('that is too large', text(Buffer.alloc(50 * 2 ** 20 + 1, canary)), 'PAYLOAD_TOO_LARGE'),
  ]
}

const crawls = (site: Place): Case[] => {
  const url = site.url('/page')
  return [
    crawl('with all options', {
      url,
      limit: 3,
      prompt: `only pages about ${canary}`,
      excludePaths: [`never-${canary}`],
      zeroDataRetention: true,
      webhook: hook(site),
      scrapeOptions: { formats: ['markdown', 'rawHtml', jsonFormat], headers: { 'x-mark': canary } },
    }),
    crawl('in lockdown', { url, limit: 2, scrapeOptions: { lockdown: true } }),
    crawl(
      'with an option that needs a model',
      { url, zeroDataRetention: true, scrapeOptions: { onlyCleanContent: true } },
      violation,
    ),
  ]
}

const batches = (site: Place): Case[] => [
  batch('with a webhook', { urls: [site.url('/page'), site.url('/missing')], webhook: hook(site), ...options }),
  batch('in lockdown', { urls: [site.url('/page')], lockdown: true }),
]

const refused = (path: string, body: object) => [
  job(path)('with stored steps', { ...body, zeroDataRetention: true }, violation),
]

/** Jobs with stored steps, which refuse zero retention. */
const refusals = (site: Place): Record<string, Case[]> => {
  const urls = [site.url('/page')]
  return {
    extract: refused('extract', { urls, prompt: canary }),
    agent: refused('agent', { urls, prompt: canary }),
    llmstxt: refused('llmstxt', { url: urls[0] }),
    monitor_create: refused('monitor', {
      name: canary,
      schedule: { text: 'every 30 minutes' },
      targets: [{ type: 'scrape', urls }],
    }),
  }
}

/** Calls by operation with `zeroDataRetention`, `lockdown` or `enterprise`: completed, failed and refused. */
export const casesFor = (site: Place): Record<string, readonly Case[]> => ({
  scrape: scrapes(site),
  parse: parses(),
  crawl: crawls(site),
  batch_scrape: batches(site),
  search: [
    job('search')('with its pages', {
      query: canary,
      enterprise: ['zdr'],
      scrapeOptions: { formats: ['markdown', jsonFormat], headers: { 'x-mark': canary } },
    }),
  ],
  ...refusals(site),
})
