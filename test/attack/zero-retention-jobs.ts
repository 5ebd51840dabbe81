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

const scrapes = (site: Place): Case[] => [
  {
    what: 'plain',
    path: 'scrape',
    body: {
      url: site.url('/page'),
      formats: ['markdown', 'links', 'rawHtml', 'html', 'images', 'summary'],
      ...options,
    },
  },
  {
    what: 'questions',
    path: 'scrape',
    body: {
      url: site.url('/page'),
      formats: [jsonFormat, { type: 'question', question: `Who is ${canary}?` }, { type: 'highlights', query: canary }],
      ...options,
    },
  },
  {
    what: 'live, with acts and pictures',
    path: 'scrape',
    body: {
      url: site.url('/page'),
      formats: ['markdown', 'screenshot', 'branding'],
      actions: [
        { type: 'write', text: canary },
        { type: 'executeJavascript', script: `localStorage.setItem('${canary}', '${canary}')` },
        { type: 'scrape' },
        { type: 'pdf' },
      ],
      ...options,
    },
  },
  {
    what: 'compared with an earlier one',
    path: 'scrape',
    body: { url: site.url('/page'), formats: ['markdown', { type: 'changeTracking', tag: canary }], ...options },
  },
  { what: 'a document', path: 'scrape', body: { url: site.url('/rich.docx'), ...options } },
  { what: 'an error page', path: 'scrape', body: { url: site.url('/missing'), ...options } },
  {
    what: 'of a private address',
    path: 'scrape',
    body: { url: `http://${canaryHost}:1/${canary}`, ...options },
    code: 'SCRAPE_ADDRESS_REFUSED',
  },
  {
    what: 'with an option that needs a model',
    path: 'scrape',
    body: { url: site.url('/page'), onlyCleanContent: true, ...options },
    code: 'SCRAPE_ZDR_VIOLATION_ERROR',
  },
  {
    what: 'in lockdown',
    path: 'scrape',
    body: { url: site.url('/page'), lockdown: true },
    code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
  },
]

const parses = (): Case[] => {
  const encoded = { filename: `${canary}.csv`, base64: btoa(`name,price\n${canary},7\n`) }
  return [
    { what: 'in JSON', path: 'parse', body: { file: encoded, zeroDataRetention: true } },
    { what: 'in JSON, with options', path: 'parse', body: { file: encoded, options: { zeroDataRetention: true } } },
    { what: 'as a form', path: 'parse', body: upload(`${canary}.txt`, Buffer.from(canary), 'text/plain') },
    { what: 'that is converted', path: 'parse', body: upload(`${canary}.docx`, fixture('rich.docx'), '') },
    {
      what: 'that is broken',
      path: 'parse',
      body: upload(`${canary}.docx`, Buffer.from(`PK\u0003\u0004${canary}`), ''),
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    },
    {
      what: 'that is too large',
      path: 'parse',
      body: upload(`${canary}.txt`, Buffer.alloc(50 * 2 ** 20 + 1, canary), 'text/plain'),
      code: 'PAYLOAD_TOO_LARGE',
    },
  ]
}

const crawls = (site: Place): Case[] => [
  {
    what: 'with all options',
    path: 'crawl',
    body: {
      url: site.url('/page'),
      limit: 3,
      prompt: `only pages about ${canary}`,
      excludePaths: [`never-${canary}`],
      zeroDataRetention: true,
      webhook: hook(site),
      scrapeOptions: { formats: ['markdown', 'rawHtml', jsonFormat], headers: { 'x-mark': canary } },
    },
  },
  { what: 'in lockdown', path: 'crawl', body: { url: site.url('/page'), limit: 2, scrapeOptions: { lockdown: true } } },
  {
    what: 'with an option that needs a model',
    path: 'crawl',
    body: { url: site.url('/page'), zeroDataRetention: true, scrapeOptions: { onlyCleanContent: true } },
    code: 'SCRAPE_ZDR_VIOLATION_ERROR',
  },
]

const batches = (site: Place): Case[] => [
  {
    what: 'with a webhook',
    path: 'batch/scrape',
    body: { urls: [site.url('/page'), site.url('/missing')], webhook: hook(site), ...options },
  },
  { what: 'in lockdown', path: 'batch/scrape', body: { urls: [site.url('/page')], lockdown: true } },
]

const refusals = (site: Place): Record<string, Case[]> => {
  const code = 'SCRAPE_ZDR_VIOLATION_ERROR'
  const what = 'with stored steps'
  const asked = { prompt: canary, zeroDataRetention: true }
  return {
    extract: [{ what, path: 'extract', body: { urls: [site.url('/page')], ...asked }, code }],
    agent: [{ what, path: 'agent', body: { urls: [site.url('/page')], ...asked }, code }],
    llmstxt: [{ what, path: 'llmstxt', body: { url: site.url('/page'), zeroDataRetention: true }, code }],
    monitor_create: [
      {
        what,
        path: 'monitor',
        body: {
          name: canary,
          schedule: { text: 'every 30 minutes' },
          targets: [{ type: 'scrape', urls: [site.url('/page')] }],
          zeroDataRetention: true,
        },
        code,
      },
    ],
  }
}

/** Calls by operation with `zeroDataRetention`, `lockdown` or `enterprise`: completed, failed and refused. */
export const casesFor = (site: Place): Record<string, readonly Case[]> => ({
  scrape: scrapes(site),
  parse: parses(),
  crawl: crawls(site),
  batch_scrape: batches(site),
  search: [
    {
      what: 'with its pages',
      path: 'search',
      body: {
        query: canary,
        enterprise: ['zdr'],
        scrapeOptions: { formats: ['markdown', jsonFormat], headers: { 'x-mark': canary } },
      },
    },
  ],
  ...refusals(site),
})
