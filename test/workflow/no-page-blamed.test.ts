import { expect, test } from 'vitest'
import { openJob } from '../../src/engine/agent/agent-job.ts'
import { readPages } from '../../src/engine/agent/search-and-read.ts'
import { visitPage } from '../../src/engine/crawl/runner/visit-page.ts'
import { readPage as extractPage } from '../../src/engine/extract/extraction.ts'
import { readPage as llmsTxtPage } from '../../src/engine/llmstxt/generation.ts'
import { checkPages } from '../../src/engine/monitor/check-monitor.ts'
import type { WorkflowRun } from '../../src/engine/workflow/run-workflow.ts'
import type { Crawl } from '../../src/contracts/crawl-ports.ts'
import { failure } from '../../src/kernel/error.ts'
import { AgentInput } from '../../src/schema/workflow-schemas.ts'
import { PageOptions } from '../../src/schema/scrape/scrape-options.ts'
import { aCrawl } from '../contracts/fixtures.ts'
import { fakeWorld } from '../helpers/fakes.ts'

const url = 'https://site.test/'
const page = PageOptions.parse({})

/** A run without a journal, on a store that is unreachable while the page is read. */
function world(request: object) {
  const { ports, recorded } = fakeWorld()
  ports.hosts.needsBrowser = () => Promise.reject(failure('DATABASE_UNAVAILABLE'))
  const run: WorkflowRun = {
    id: 'job',
    teamId: 'acme',
    keyName: null,
    createdAt: 0,
    request,
    signal: new AbortController().signal,
    step: async (_, work) => (await work()).value,
    report: async () => {},
    warn: () => {},
  }
  return { ports, run, recorded }
}

const unset = { schema: undefined, systemPrompt: undefined, webhook: undefined }
const off = { enableWebSearch: false, includeSubdomains: false, showSources: false }
const extraction = { urls: [url], page, prompt: 'Names', limit: 1, ...unset, ...off }
const target = { id: 'target', type: 'scrape' as const, urls: [url], scrapeOptions: page, crawlId: 'none' }
const ids = { crawlId: 'crawl', teamId: 'acme', keyName: null, id: 'page', seq: 1 }
const visit = { url, host: 'site.test', depth: 0, tries: 1, retries: 0, crawlDelayMs: 0 }
const claimed = { ...ids, ...visit, kind: 'batch_scrape' as const, source: 'link' as const }

test.each<[string, object, (made: ReturnType<typeof world>) => Promise<unknown>]>([
  ['an extraction', {}, ({ ports, run }) => extractPage(ports, url, extraction, run)],
  [
    'an llms.txt',
    {},
    ({ ports, run }) => llmsTxtPage(ports, url, { url, maxUrls: 1, showFullText: false, cache: true }, run),
  ],
  ['a check of a monitor', { monitorId: 'monitor' }, ({ ports, run }) => checkPages(ports, target, run)],
  [
    'an agent',
    AgentInput.parse({ prompt: 'Names', urls: [url] }),
    ({ ports, run }) => {
      const job = openJob(ports, run)
      job.candidates.add('caller', [{ url, title: '', about: '' }])
      return readPages(job, [job.candidates.take(1)!])
    },
  ],
  [
    'a batch',
    {},
    ({ ports, run }) => {
      const crawl = { ...aCrawl({ request: { options: null, page } }) } as unknown as Crawl
      return visitPage(ports, { crawl, rules: undefined, signal: run.signal }, claimed)
    },
  ],
])('%s does not record a page as failed if the store was unreachable', async (_, request, read) => {
  const made = world(request)
  await expect(read(made)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(made.recorded).toEqual([])
})
