import { describe, expect, test } from 'vitest'
import { allOffered } from '../../src/kernel/offer.ts'
import { presentBegun, presentStatus } from '../../src/operations/jobs.ts'
import type { JobStatus } from '../../src/schema/crawl-schema.ts'
import type { Document } from '../../src/schema/scrape/document.ts'

const id = '0190c2a0-0000-7000-8000-000000000000'
const scrapeId = '0190c2a0-1111-7000-8000-000000000000'

const page = (path: string, markdown: string, statusCode = 200): Document => ({
  markdown,
  metadata: {
    title: `Title of ${path}`,
    sourceURL: `https://a.test${path}`,
    url: `https://a.test${path}`,
    statusCode,
    contentType: 'text/html',
    scrapeId,
    cacheState: 'miss',
    creditsUsed: 1,
    concurrencyLimited: false,
  },
})

const job = (data: Document[], more: Partial<JobStatus> = {}): JobStatus => ({
  status: 'completed',
  completed: data.length,
  failed: 0,
  total: data.length,
  creditsUsed: data.length,
  createdAt: '2026-03-15T12:00:00.000Z',
  expiresAt: '2026-03-16T12:00:00.000Z',
  data,
  ...more,
})

const pages = [page('/docs/a', '# A'), page('/docs/b', '# B')]
const textsOf = (parts: readonly object[] = []) => parts.map((part) => (part as { text: string }).text)

const shown = (label: string, path: string, text: string) => {
  return { kind: 'page', label, origin: `https://a.test${path}`, text: `Title: Title of ${path}\n\n${text}` }
}

describe('the pages of a job', () => {
  test('are a table with named columns, without ids and without the common parts of URLs', () => {
    const { parts } = presentStatus(job(pages), { id, skip: 0 }, allOffered)
    const [own = '', table] = textsOf(parts)
    expect(table).toBe(
      'row | path below https://a.test/docs | title | characters\n1 | /a | Title of /docs/a | 28\n2 | /b | Title of /docs/b | 28',
    )
    expect(own).toContain(`scrape_result, by its row: {"id":"${id}","row":1}`)
    expect(JSON.stringify(parts)).not.toContain(scrapeId)
  })

  test('are identified by their rows, so a long path is cut', () => {
    const [, table] = textsOf(presentStatus(job([page(`/${'a'.repeat(900)}`, '#')]), { id, skip: 0 }, allOffered).parts)
    expect(table).toContain(`${'a'.repeat(180)}… | `)
  })

  test('have row numbers that count all pages', () => {
    const [own = '', table] = textsOf(
      presentStatus(job(pages, { completed: 110 }), { id, skip: 100 }, allOffered).parts,
    )
    expect(table).toContain('\n101 | /a | ')
    expect(own).toContain('"row":101')
    expect(own).toContain(`crawl_status with {"id":"${id}","skip":102}`)
  })

  test('are shown in full under their rows if all fit', () => {
    const gone = page('/docs/c', 'Gone', 404)
    const { inFull } = presentStatus(job([...pages, gone]), { id, skip: 4 }, allOffered)
    expect(inFull?.slice(1)).toEqual([
      shown('row 5', '/docs/a', '# A'),
      shown('row 6', '/docs/b', '# B'),
      shown('row 7 status 404', '/docs/c', 'Gone'),
    ])
  })
})

test('a started job and its later status show the same notes', () => {
  const started = { id, job: job(pages), invalidURLs: ['x'], promptGeneratedOptions: { limit: 3 } }
  const { parts, inFull } = presentBegun('crawl', started, allOffered)
  expect(inFull?.slice(0, 2)).toEqual(parts.slice(0, 2))
  expect(textsOf(parts)[0]).toBe('Skipped an invalid URL.')
})

test('a warning of the job and its skipped URLs are shown once', () => {
  const warning = 'Read urls as a list.'
  const kept = { ...job(pages), warning, skipped: { notIncluded: 2, robots: 1 } }
  const { parts } = presentBegun('crawl', { id, warning, job: kept }, allOffered)
  const text = textsOf(parts).join('\n')
  expect(text.split(warning)).toHaveLength(2)
  expect(text).toContain('URLs skipped: 2 not in includePaths, 1 forbidden by robots.txt.')
})
