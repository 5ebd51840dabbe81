/**
 * Writes the features, names and labels of all blocks of the training pages: node dump.ts FOLDER SET.jsonl.gz ... See
 * README.md.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type LabelledPage, readPages } from '../page-set.ts'
import { asScraped } from '../ours.ts'
import { labelsBySnippets, labelsByTruth } from './labels.ts'
import type { Seen } from './recorder.ts'

const recorder = new URL('recorder.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './features.ts' && context.parentURL?.endsWith('/main-content.ts')
      ? { url: recorder, shortCircuit: true }
      : next(specifier, context),
})
const { readHtml } = await import('../../../src/engine/html/page/read-parts.ts')
const { lastSeen } = await import('./recorder.ts')

/** Keeps each host in one fold, so no page is judged by a model that learned from its host. */
export const hostOf = (url: string) =>
  new URL(url).hostname
    .replace(/^www\./, '')
    .split('.')
    .slice(-2)
    .join('.')

const round = (numbers: readonly number[]) => numbers.map((number) => Number(number.toFixed(6)))

function rowOf(page: LabelledPage, { boxes, blocks, texts }: Seen): object {
  const { labels, weights } = page.truth === '' ? labelsBySnippets(page, texts) : labelsByTruth(page.truth, texts)
  return {
    id: page.id,
    type: page.type,
    host: hostOf(page.url),
    y: round(labels),
    w: round(weights),
    box: blocks,
    boxes,
  }
}

async function dump(set: string, folder: string): Promise<void> {
  const to = join(folder, basename(set).replace(/\..*/, ''))
  const [rows, features] = [createWriteStream(`${to}.jsonl`), createWriteStream(`${to}.f32`)]
  for await (const page of readPages(set, Infinity)) {
    readHtml({ ...asScraped, wanted: ['markdown'], html: page.html, url: page.url })
    const seen = lastSeen()
    if (!seen) continue
    rows.write(`${JSON.stringify(rowOf(page, seen))}\n`)
    features.write(Buffer.from(seen.rows.buffer))
  }
  await Promise.all([rows, features].map((stream) => finished(stream.end())))
}

const [folder, ...sets] = process.argv.slice(2)
if (!folder || sets.length === 0) throw new Error('Name a folder for the features, then files of labelled pages')
mkdirSync(folder, { recursive: true })
for (const set of sets) await dump(set, folder)
