/** Compares answers from pages without a language model with those of a plain program: see README.md. */
import { parseArgs } from 'node:util'
import { readPages } from './content/page-set.ts'
import { commonFlags, userPath, writeJson } from './lib/flags.ts'
import { type Miss, measureAll } from './understand/measure.ts'
import { ours, oursOnMain, oursOnWhole } from './understand/ours.ts'
import { plain } from './understand/plain.ts'
import { report } from './understand/report.ts'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: commonFlags.json, misses: { type: 'boolean', default: false } },
  })
  const files = positionals.length > 0 ? positionals : (process.env['UNDERSTAND_SET'] ?? '').split(':').filter(Boolean)
  if (files.length === 0)
    return console.log('Skipped: no pages. Name files of pages, or set UNDERSTAND_SET: see README.md.')
  // Held-out misses are not shown, so that no method is tuned on them.
  const onMiss = ({ half, reader, id, field, given, truths }: Miss) => {
    if (values.misses && half === 'tuned on' && reader === ours)
      console.log(`${field} of ${id}: ${JSON.stringify(given)} instead of ${JSON.stringify(truths)}`)
  }
  const results = await measureAll([ours, oursOnMain, oursOnWhole, plain], () => pagesOf(files), onMiss)
  console.log(`Node ${process.version}\n\n${report(results)}`)
  const figures = [...results].map(([half, rows]) => ({
    half,
    rows: [...rows].map(([{ name }, { fields, ...rest }]) => ({ name, fields: Object.fromEntries(fields), ...rest })),
  }))
  await writeJson(values.json, { node: process.version, figures })
}

async function* pagesOf(files: readonly string[]) {
  for (const file of files) yield* readPages(userPath(file), Infinity)
}

await main()
