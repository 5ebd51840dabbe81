import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Client, type Ended, isTyped, type Json } from './client.ts'
import type { Dice } from './dice.ts'
import type { UploadedFile } from './files.ts'

export type World = { origin: string; files: readonly [UploadedFile, ...UploadedFile[]]; dice: Dice }
type Task = { share: number; run(client: Client, world: World): Promise<readonly Ended[]> }

const plain = ['/article', '/docs', '/product', '/forum', '/listing', '/feed', '/csv', '/json'] as const
/** Pages that cause trouble for every reader: hung, slow, endless, huge, compressed, looping or broken. */
const harmful = [
  '/hang',
  '/hang-after-headers',
  '/drip',
  '/big-header',
  '/cut-in-body',
  '/cut-before-headers',
  '/long-content-length',
  '/not-http',
  '/bomb/br',
  '/bomb/triple-gzip',
  '/bomb/gzip-members',
  '/coded/not-gzip',
  '/redirect/loop',
  '/redirect/endless/1',
  '/redirect/private',
  '/redirect/endless-body',
  '/hostile/redirects/1',
  '/hostile/huge',
  '/hostile/deep',
  '/binary',
  '/status/503',
] as const
/** Pages that cause trouble only in a browser. */
const scripted = [
  '/hostile/endless-script',
  '/hostile/endless-later',
  '/hostile/endless-promise',
  '/hostile/alerts',
  '/hostile/reload',
  '/hostile/debugger',
  '/hostile/writing',
  '/hostile/growing',
  '/hostile/overrides',
  '/hostile/memory',
  '/hostile/script-redirects',
  '/hostile/cookies',
  '/hostile/fullscreen',
  '/popups',
  '/dialogs',
  '/app',
] as const
const codes = [
  'await page.title()',
  'await page.locator("body").innerText()',
  'for (;;);',
  'throw new Error("on purpose")',
  'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))',
] as const
const pollMs = 500
const longestJobMs = 60_000

const scrape = async (client: Client, url: string, more: object = {}) => [
  (await client.call('POST', 'scrape', { url, maxAge: 0, timeout: 8000, ...more })).ended,
]

/** Follows a job to its end or gives up; counts faults on the way and those of its pages. */
async function follow(client: Client, path: string, started: Answer): Promise<readonly Ended[]> {
  const { id } = started.body
  if (typeof id !== 'string') return [started.ended]
  const job = `${path}/${id}`
  const until = Date.now() + longestJobMs
  let polled: Answer
  do {
    await sleep(pollMs)
    polled = await client.call('GET', job)
  } while (polled.body['status'] === 'scraping' && Date.now() < until)
  const failed = await client.call('GET', `${job}/errors`)
  const cancelled = await client.call('DELETE', job)
  const answers = [polled, failed, cancelled].map(({ ended }) => ended)
  return [started.ended, ...answers.filter(isWorthTelling), ...pageFaults(failed.body)]
}

/** Most jobs are over when they are cancelled. */
const isWorthTelling = ({ how }: Ended): boolean => how !== 'ok' && how !== 'JOB_IS_OVER'

const pageFaults = ({ errors }: Json): Ended[] =>
  (Array.isArray(errors) ? (errors as Json[]) : []).map(({ code, error }) => ({
    how: isTyped(code) ? `page: ${String(code)}` : `page: ${String(code)} ${String(error).slice(0, 200)}`,
    isTyped: isTyped(code),
  }))

async function liveBrowser(client: Client, { origin, dice }: World): Promise<readonly Ended[]> {
  const opened = await client.call('POST', 'browser', { ttl: 120 })
  const { id } = opened.body
  if (typeof id !== 'string') return [opened.ended]
  const at = `browser/${id}`
  const url = `${origin}${dice.one([...plain, ...scripted])}`
  const ended = [opened.ended]
  const steps: [string, string, object?][] = [
    ['POST', `${at}/act`, { acts: [{ type: 'navigate', url }] }],
    ['POST', `${at}/snapshot`, {}],
    ['POST', `${at}/execute`, { code: dice.one(codes), language: 'node', timeout: 5 }],
    ['GET', at],
    // A third is left to expire.
    ...(dice.below(3) > 0 ? [['DELETE', at] as [string, string]] : []),
  ]
  for (const [method, path, body] of steps) ended.push((await client.call(method, path, body)).ended)
  return ended
}

/** Tasks of the load, each in proportion to its share. */
export const tasks: Readonly<Record<string, Task>> = {
  'scrape a page': { share: 8, run: (client, { origin, dice }) => scrape(client, origin + dice.one(plain)) },
  'scrape from the cache': {
    share: 4,
    run: (client, { origin, dice }) => scrape(client, origin + dice.one(plain), { maxAge: 3_600_000 }),
  },
  'scrape what means harm': { share: 8, run: (client, { origin, dice }) => scrape(client, origin + dice.one(harmful)) },
  'scrape it in a browser': {
    share: 4,
    run: (client, { origin, dice }) =>
      scrape(client, origin + dice.one([...scripted, ...harmful]), {
        formats: ['markdown', 'screenshot'],
        waitFor: 200,
      }),
  },
  'leave a scrape': {
    share: 3,
    run: async (client, { origin, dice }) => {
      const body = { url: origin + dice.one([...harmful, ...scripted]), maxAge: 0, waitFor: dice.below(2) }
      return [(await client.leave('POST', 'scrape', body, dice.below(2000))).ended]
    },
  },
  crawl: {
    share: 2,
    run: async (client, { origin, dice }) => {
      const scrapeOptions = { formats: ['markdown', 'links'], timeout: 5000, maxAge: 0 }
      const url = `${origin}/soak/tree/${dice.below(20)}`
      const body = { url, limit: 15, crawlEntireDomain: true, webhook: `${origin}/soak/events`, scrapeOptions }
      return follow(client, 'crawl', await client.call('POST', 'crawl', body))
    },
  },
  batch: {
    share: 1,
    run: async (client, { origin, dice }) => {
      const urls = Array.from({ length: 8 }, () => origin + dice.one([...plain, ...harmful]))
      const body = { urls: [...new Set(urls)], timeout: 5000, maxAge: 0 }
      return follow(client, 'batch/scrape', await client.call('POST', 'batch/scrape', body))
    },
  },
  search: {
    share: 3,
    run: async (client, { dice }) => {
      const scraped = dice.below(2) === 0 && { scrapeOptions: { formats: ['markdown'], timeout: 5000 } }
      return [
        (await client.call('POST', 'search', { query: `lantern ${dice.below(1000)}`, limit: 4, ...scraped })).ended,
      ]
    },
  },
  map: { share: 1, run: async (client, { origin }) => [(await client.call('POST', 'map', { url: origin })).ended] },
  'parse a file': {
    share: 3,
    run: async (client, { files, dice }) => {
      const { name, bytes } = dice.one(files)
      const form = new FormData()
      form.set('file', new Blob([Uint8Array.from(bytes)]), name)
      form.set('options', JSON.stringify({ timeout: 15_000 }))
      return [(await client.call('POST', 'parse', form)).ended]
    },
  },
  'live browser': { share: 2, run: liveBrowser },
}
