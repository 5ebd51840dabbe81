import type { LabelledPage } from '../page-set.ts'

/** Share of each block that belongs to the main content, -1 if unknown, and its weight on the page. */
type Labels = { labels: number[]; weights: number[] }

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
const runLength = 4
const runsOf = (words: readonly string[]) =>
  words.slice(runLength - 1).map((_, i) => words.slice(i, i + runLength).join(' '))

/** The share of a block's four-word runs that are in the truth; shorter blocks take the label of their neighbours. */
export function labelsByTruth(truth: string, texts: readonly string[]): Labels {
  const wanted = wordsOf(truth)
  const known = new Set(runsOf(wanted))
  const whole = ` ${wanted.join(' ')} `
  const words = texts.map(wordsOf)
  const own = words.map((each) => {
    const runs = runsOf(each)
    if (runs.length > 0) return runs.filter((run) => known.has(run)).length / runs.length
    if (each.length === 0) return -1
    return whole.includes(` ${each.join(' ')} `) ? unclear : 0
  })
  const isLong = (i: number) => own[i]! >= 0 && words[i]!.length >= runLength
  const labels = own.map((label, i) => (label === unclear ? labelBeside(own, i, isLong) : label))
  const weights = words.map(({ length }) => length && Math.min(length, 400) / (wanted.length || 1) + 0.1 / texts.length)
  return { labels, weights }
}

const unclear = -2
/** Number of blocks examined on either side. */
const maxSteps = 6

function labelBeside(own: readonly number[], i: number, isLong: (i: number) => boolean): number {
  const found = [-1, 1].flatMap((step) => {
    for (let k = 1; k <= maxSteps; k++)
      if (own[i + k * step] !== undefined && isLong(i + k * step)) return own[i + k * step]!
    return []
  })
  if (found.length === 0) return 0.5
  const mean = found.reduce((sum, each) => sum + each, 0) / found.length
  return mean >= 0.5 ? 1 : mean > 0.2 ? 0.6 : 0.25
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const meets = (snippets: readonly string[], text: string, least: number) =>
  snippets.some((each) => text.includes(each) || (text.length > least && each.includes(text)))

/** Only blocks that contain a known snippet, or are contained in one, get a label. */
export function labelsBySnippets(page: LabelledPage, texts: readonly string[]): Labels {
  const [wanted, unwanted] = [page.with.map(oneLine), page.without.map(oneLine)]
  const labels = texts.map((text) => (meets(wanted, text, 40) ? 1 : meets(unwanted, text, 20) ? 0 : -1))
  const weight = 0.35 / (labels.filter((label) => label >= 0).length || 1)
  return { labels, weights: labels.map((label) => (label >= 0 ? weight : 0)) }
}
