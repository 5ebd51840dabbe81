import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { read } from './read.ts'

/** A gzipped file of JSON lines {url, type, html, truth, without?}, such as the development split of WCXB. It is not part of this project. */
const contentSet = process.env['CONTENT_SET']
type Row = { url: string; type: string; html: string; truth: string; without?: string[] }

describe.skipIf(!contentSet)('quality of the main content', () => {
  it(
    'reaches a mean word F1 of .83 over the kinds of pages, and lets few snippets of furniture through',
    {
      timeout: 300_000,
    },
    () => {
      const scores = new Map<string, number[]>()
      const leaks: boolean[] = []
      for (const row of rowsOf(contentSet ?? '')) {
        const { markdown = '' } = read(row.html, ['markdown'], { url: row.url, onlyMainContent: true })
        const text = plainText(markdown)
        scores.set(row.type, [...(scores.get(row.type) ?? []), wordF1(text, row.truth)])
        leaks.push(...(row.without ?? []).map((snippet) => oneLine(text).includes(oneLine(snippet))))
      }
      const byType = [...scores].map(([type, values]) => [type, mean(values)] as const)
      console.log(Object.fromEntries(byType.map(([type, value]) => [type, Number(value.toFixed(3))])))
      expect(mean(byType.map(([, value]) => value))).toBeGreaterThanOrEqual(0.83)
      expect(leaks.filter(Boolean).length).toBeLessThanOrEqual(0.07 * leaks.length)
    },
  )
})

function rowsOf(path: string): Row[] {
  const lines = gunzipSync(readFileSync(path)).toString().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Row)
}

/** Images and addresses are not text a reader sees. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)\s]*(?:\s"[^"]*")?\)/g, ' ')
    .replace(/\]\((?:\\.|[^)\\])*\)/g, ' ')
    .replace(/<\/?\w+[^>]*>/g, ' ')
    .replace(/\\([^\w\s])/g, '$1')
}

function oneLine(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`|#>[\]]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** F1 of the words as multisets, in lower case: the measure of WCXB. */
function wordF1(answer: string, truth: string): number {
  const got = wordCounts(answer)
  const wanted = wordCounts(truth)
  if (got.total === 0 || wanted.total === 0) return got.total === wanted.total ? 1 : 0
  let shared = 0
  for (const [word, count] of wanted.counts) shared += Math.min(count, got.counts.get(word) ?? 0)
  return (2 * shared) / (got.total + wanted.total)
}

function wordCounts(text: string): { counts: Map<string, number>; total: number } {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, total: words.length }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
}
